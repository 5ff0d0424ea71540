"""What a release is made of: its rows, files, checksums, datasheet and downloads."""
