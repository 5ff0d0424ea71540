"""Zenodo: drafts with files, metadata and a reserved DOI (https://developers.zenodo.org/)."""
