"""The published corpus for assistants: tools of the Model Context Protocol.

`answers` limits an answer and quotes pages, `calls` has the tools, `server` speaks the protocol. Only `server` imports
the SDK.
"""
