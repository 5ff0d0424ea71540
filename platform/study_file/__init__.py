"""The declarative study file: read into parts, applied through actions, uploaded by page and API."""
