"""Where a night's pages come from: the sites of a config, the bundled demo site, or files named by hand.

What a person wrote is checked here, whole and before anything is fetched; a mistake names its file, line and key.
"""
