"""The parts of a release: its rows, files, checksums, datasheet and downloads."""
