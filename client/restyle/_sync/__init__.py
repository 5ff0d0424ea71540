# Made by `python -m tools.client` of the file of this name in _async: change that one.
"""The client for programs with an event loop."""
