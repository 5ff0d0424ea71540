"""The label that a page makes of a key."""


def label_of_key(key: str) -> str:
    """`allow_unchanged` as a label, in English: "Allow unchanged". `make messages` lists such labels by this too."""
    return key.replace("_", " ").capitalize()
