"""The label that a page makes of a key."""

from collections.abc import Callable

NAMES = {"esa": "ESA", "med_easi": "Med-EASi", "mqm": "MQM", "salsa": "SALSA"}
"""Keys that are names of their own."""
OPTION_NAME = "name of an option"
"""The context of labels that are made of the names of options: "Rate" is a learning rate there."""
METRIC_SETTING = "setting of a metric"
"""The context of those of metrics' settings: "Words" are a list of them there."""

OPTION_VALUE = "value of an option"
"""The context of values that study files write: "Best" is one of the references of a metric there."""
OPTION_VALUES = frozenset({
    "attention", "auto", "best", "char", "characters", "conditional", "constant", "cosine", "distance", "drawn",
    "high", "inverse_sqrt", "language", "lexicalized", "linear", "loss", "low", "medium", "minimal", "multi_class",
    "no", "none", "objective", "one", "paper", "plateau", "post", "pre", "precision", "preferences", "printed", "prior",
    "program", "recall", "references", "retrieved", "rewards", "spoken", "step", "style_and_content", "texts",
    "undefined", "windows", "words", "yes",
})  # fmt: skip
"""The values of models' options and metrics' settings that are words; the others are names."""

_label_of_entry: Callable[[str], str] = str


def use_labels_of_entries(label_of_entry: Callable[[str], str]) -> None:
    """Have `label_of_entry` ask this for the label of a value that names an entry, such as a metric; else the value."""
    global _label_of_entry
    _label_of_entry = label_of_entry


def label_of_entry(value: str) -> str:
    """'Edits' for edits, where entries are known; else the value itself."""
    return _label_of_entry(value)


def label_of_key(key: str) -> str:
    """`allow_unchanged` as a label, in English: "Allow unchanged". `make messages` lists such labels by this too."""
    return NAMES.get(key) or key.replace("_", " ").capitalize()
