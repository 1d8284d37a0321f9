"""Error rates as one HTML page that needs no network: `report.html_report` writes it."""
