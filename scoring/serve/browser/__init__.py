"""The page that scores files in a browser, as a folder without a server or as a local service."""
