"""Sentences in place of a table or a column: what a study lacks for it, and on which page that is added."""

from collections.abc import Sequence

from evaluation.metrics import METRICS
from evaluation.table_parts.aspects import STANDS
from evaluation.table_parts.contents import MissingContent

NOT_JUDGED_BESIDE = "No row holds the {0}: open a human study in which the {0} is judged beside the systems."


def missing_content(title: str, *reasons: str) -> MissingContent:
    """In a table's place: a sentence for each thing that the study lacks, empty ones left out."""
    return MissingContent(title, [reason for reason in reasons if reason])


def no_criterion(aspect: str, example: str) -> str:
    """A sentence that people have not judged this aspect, with the scale that the paper had."""
    return f"People have not judged {aspect}: open a human study with a criterion of it, such as one on {example}."


def no_metric(*names: str) -> str:
    """A sentence that none of these metrics is chosen."""
    return f"Choose {_labels(names)} on the page Choose metrics."


def no_metric_of(aspect: str) -> str:
    """A sentence that no metric of this aspect is chosen."""
    return f"No metric of {aspect} is chosen: choose one on the page Choose metrics, such as {_labels(STANDS[aspect])}."


def _labels(names: Sequence[str]) -> str:
    """'Formality, Style acc. or Transfer strength'."""
    *first, last = (METRICS[name].label if name in METRICS else name for name in names)
    return f"{', '.join(first)} or {last}" if first else last
