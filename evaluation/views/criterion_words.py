"""The names of criteria, in the reader's language where they are ours: a lab's own stay as they are."""

from django.utils.translation import get_language, pgettext

from annotation.shipped_texts import shown
from evaluation.snapshot import RANK
from foundation.key_labels import label_of_key

NOUNS_HAVE_CAPITALS = {"de"}


def label_of_criterion(name: str) -> str:
    """A criterion's label: "Einfachheit" for `simplicity`, with the direction that it is of behind it."""
    own, bracket, direction = name.partition(" (")
    if own == RANK:
        return pgettext("criterion", "Rank") + bracket + direction
    return shown_label(label_of_key(own) + bracket + direction)


def shown_label(label: str) -> str:
    """A stored label, in the reader's language where it is ours, with the direction behind it as it is."""
    own, bracket, direction = label.partition(" (")
    return shown(own) + bracket + direction


def criterion_in_sentence(name: str) -> str:
    """A criterion's name within a sentence; one that has no translation stays as it is written."""
    label = label_of_criterion(name)
    own = name.partition(" (")[0]
    if label.startswith(label_of_key(own)):
        return name
    return label if get_language() in NOUNS_HAVE_CAPITALS else label[:1].lower() + label[1:]
