"""The label that a page makes of a key."""

NAMES = {"esa": "ESA", "med_easi": "Med-EASi", "mqm": "MQM", "salsa": "SALSA"}
"""Keys that are names of their own."""


def label_of_key(key: str) -> str:
    """`allow_unchanged` as a label, in English: "Allow unchanged". `make messages` lists such labels by this too."""
    return NAMES.get(key) or key.replace("_", " ").capitalize()
