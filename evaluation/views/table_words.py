"""Tables and figures in their reader's language: heads, axes, legends, and cells that hold words of ours.

Stored tables, exports and the names in links stay in English (evaluation/table_parts/head_words.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from django.utils.translation import gettext, pgettext

from evaluation.baselines import BASELINES
from evaluation.comparability.better_ends import label_of_metric
from evaluation.metrics import METRICS
from evaluation.statistics import STATISTICS
from evaluation.table_parts.contents import Cell, Figure
from evaluation.table_parts.head_words import CELLS, COLUMN_HEAD, HEADS, KEYS, WORDED
from evaluation.views.criterion_words import criterion_in_sentence, shown_label
from foundation.key_labels import label_of_key
from jobs.stored_sentences import in_readers_language

WITH_METRIC = ": people and "
KEYS_OF_LABELS = {label_of_key(key): key for key in KEYS}
"""The keys that axes and tooltips without a title of their own show."""


@cache
def _labels() -> frozenset[str]:
    """Labels of entries that stand in heads; the catalogs have them as labels."""
    return frozenset(registry[name].label for registry in (METRICS, STATISTICS, BASELINES) for name in registry.own())


def said_head(head: str) -> str:
    """The head of a column, with the direction that it is of behind it as it is: 'Fluency (formal to informal)'."""
    if head in KEYS:
        return pgettext(COLUMN_HEAD, label_of_key(head))
    if head in HEADS:
        return pgettext(COLUMN_HEAD, head)
    board, with_metric, metric = head.partition(WITH_METRIC)
    if with_metric:
        return gettext("%(criterion)s: people and %(metric)s") % {"criterion": said_head(board), "metric": metric}
    own, bracket, behind = head.partition(" (")
    if own in _labels():
        return gettext(own) + bracket + _behind(behind)
    return shown_label(own) + bracket + _behind(behind)


def said_metric(name: str) -> str:
    """A metric's label, such as 'Edits', in the reader's words; names such as BLEU are the same everywhere."""
    return said_head(label_of_metric(name))


def _behind(direction: str) -> str:
    inner = direction.removesuffix(")")
    return f"{said_word(inner)})" if inner in CELLS else direction


def said_word(word: str) -> str:
    """The words of a cell, or the panel of a figure: of several with a comma or a semicolon, each by itself."""
    if word in CELLS:
        return pgettext(COLUMN_HEAD, word)
    for between in ("; ", ", "):
        if between in word:
            return between.join(map(said_word, word.split(between)))
    return said_head(word)


def said_cell(head: str, cell: Cell) -> Cell:
    """A cell as it is read under this head: names stay, and so do numbers."""
    if head not in WORDED or cell.value is not None or not cell.text:
        return cell
    return replace(cell, text=criterion_in_sentence(cell.text) if head == "Criterion" else said_word(cell.text))


def said_figure(figure: Figure) -> Figure:
    """The figure with its axes, legends, panels and description in the reader's language; its keys stay."""
    rows = [
        {key: said_word(value) if key in WORDED and isinstance(value, str) else value for key, value in row.items()}
        for row in figure.rows
    ]
    return replace(
        figure, spec=_said_spec(figure.spec), rows=rows, describes=in_readers_language(figure.describes),
        notes=[in_readers_language(note) for note in figure.notes],
    )  # fmt: skip


def _said_spec(spec: Mapping[str, Any]) -> dict[str, Any]:
    worded = spec.get("field") in WORDED
    said = {key: _said_part(key, value, worded=worded) for key, value in spec.items()}
    if worded and isinstance(scale := spec.get("scale"), Mapping) and "domain" in scale:
        said["scale"] = {**scale, "domain": [said_word(str(name)) for name in scale["domain"]]}
    return said


def _said_part(key: str, value: Any, *, worded: bool) -> Any:
    if key == "title" and isinstance(value, str):
        return said_head(KEYS_OF_LABELS.get(value, value))
    if key == "sort" and worded and isinstance(value, Sequence) and not isinstance(value, str):
        return [said_word(str(name)) for name in value]
    if isinstance(value, Mapping):
        return _said_spec(value)
    return [_said_spec(one) if isinstance(one, Mapping) else one for one in value] if isinstance(value, list) else value
