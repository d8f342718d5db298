"""The pages of a night: sites of a config, the demo site, or files.

User input is checked completely before anything is fetched. A mistake is reported with file, line and key.
"""
