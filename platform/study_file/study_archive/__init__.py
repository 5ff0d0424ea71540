"""A whole study as one file: a ZIP of a study file and of the files that it names, which `apply_study` brings back."""
