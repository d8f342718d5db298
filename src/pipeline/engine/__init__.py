"""Where batches are worked on: in this process, in others of this machine, on a cluster.

What is run reads and writes objects and gives back little. It may run twice, and be killed at any moment.
"""
