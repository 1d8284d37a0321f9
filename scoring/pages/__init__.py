"""Reports for people: HTML pages and readable differences."""
