"""`python -m tools.client`: the parts of the Python client that are made by a program: its types, and its sync half."""
