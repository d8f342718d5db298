"""The parts of a corpus past one machine, on loopback: Ceph's S3 gateway and Dask. All they write is in one folder."""
