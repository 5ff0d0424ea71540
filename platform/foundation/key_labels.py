"""The label that a page makes of a key."""

NAMES = {"esa": "ESA", "med_easi": "Med-EASi", "mqm": "MQM", "salsa": "SALSA"}
"""Keys that are names of their own."""
OPTION_NAME = "name of an option"
"""The context of labels that are made of the names of options: "Rate" is a learning rate there."""
METRIC_SETTING = "setting of a metric"
"""The context of those of metrics' settings: "Words" are a list of them there."""


def label_of_key(key: str) -> str:
    """`allow_unchanged` as a label, in English: "Allow unchanged". `make messages` lists such labels by this too."""
    return NAMES.get(key) or key.replace("_", " ").capitalize()
