"""`python -m tools.gpucheck`: what is worth knowing in the first hour on a GPU. No Django; installs nothing."""
