"""Runs batches in this process, in other processes of this machine, or on a cluster.

A batch reads and writes objects and returns little. It may run twice, and may be killed at any moment.
"""
