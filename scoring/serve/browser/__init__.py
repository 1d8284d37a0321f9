"""The page that scores files in a browser: as a folder that needs no server, or served here."""
