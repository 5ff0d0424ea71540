"""Raters who are columns: `rating_1` to `rating_3`, `fluency_ann`, `annotator 2`."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from evaluation.imported_judgements.column_words import KNOWN, RATER, VALUE, plain

WORD = re.compile(r"[^\W\d_]+|\d+")
TEXTS = ("source", "output", "system")
NOT_PEOPLE = frozenset(
    ("mean", "avg", "average", "median", "std", "sd", "sum", "total", "count", "n", "max", "min", "majority", "gold",
     "final", "ref", "reference")
)  # fmt: skip


def rater_columns(
    columns: Sequence[str], rows: Sequence[Mapping[str, str]], criteria: Collection[str], systems: Collection[str],
    meanings: Mapping[str, str],
) -> dict[str, str]:  # fmt: skip
    """`rating: fluency by ann` for each column that is one person's, where the table says in no other way who judged.

    Not where its texts are numbered too: there the numbers are those of texts. Two columns of a kind are needed.
    """
    rated = any(meaning.startswith("rating") and "#" in meaning for meaning in meanings.values())
    people = {column for column, meaning in meanings.items() if meaning.startswith("rater: #") and not rated}
    meant = {meaning.partition(":")[0] for column, meaning in meanings.items() if column not in people}
    numbered = any(meaning.startswith(TEXTS) and "#" in meaning for meaning in meanings.values())
    if numbered or "rater" in meant or not meant & {"source", "number", "key"}:
        return {}
    known = {plain(criterion): criterion for criterion in [*KNOWN, *criteria]}
    others = {plain(system) for system in systems} | NOT_PEOPLE
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for column in columns:
        meaning = "" if column in people else meanings.get(column, "").partition(":")[0]
        if meaning not in ("", "rating", "value") or not _is_short(column, rows, column in people):
            continue
        criterion, rater = _parts(column, known)
        if rater and plain(rater) not in others:
            found[criterion][column] = rater
    return {
        column: f"rating: {criterion} by {rater}"
        for criterion, raters in found.items()
        if len(set(raters.values())) == len(raters) > 1
        for column, rater in raters.items()
    }


def _parts(column: str, known: Mapping[str, str]) -> tuple[str, str]:
    """The criterion that a column is of, and what of its name is left for the rater; "" where that is nothing."""
    words = WORD.findall(column)
    for start in range(len(words)):
        for end in range(len(words), start, -1):
            if criterion := known.get(plain("".join(words[start:end]))):
                rest = [*words[:start], *words[end:]]
                named = [word for word in rest if word.lower() not in RATER] or rest
                return criterion, " ".join(named)
    first, rest = words[0].lower() if words else "", words[1:]
    if rest and first in RATER | VALUE and not {word.lower() for word in rest} & {"id", "name", "email"}:
        return "rating", " ".join(rest)
    return "", ""


def _is_short(column: str, rows: Sequence[Mapping[str, str]], or_empty: bool) -> bool:
    cells = [cell for row in rows if (cell := row.get(column, "").strip())]
    return (or_empty or bool(cells)) and all(len(cell) <= 30 for cell in cells)
