"""`python -m tools.gpucheck`: the checks worth running in the first hour on a GPU. No Django; installs nothing."""
