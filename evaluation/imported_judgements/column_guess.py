"""What columns of judgements mean, by their names."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from evaluation.imported_judgements.column_words import KNOWN, RATER, VALUE, WORDS, plain

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


NUMBERED = re.compile(r"(?<!\d)(?P<place>\d{1,4})\)?$")
FIRST = re.compile(r"^(?P<place>\d{1,4})[\s_.\-]+(?P<name>\D.*)$")


def numbered(name: str, first: int = 1) -> tuple[str, int]:
    """A name without the number at its end or before it, and its place from 1; 0 where it has none.

    `first` is the number of the first place.
    """
    if match := FIRST.match(name):
        return match["name"].strip(" _.-#("), int(match["place"]) + 1 - first
    if (match := NUMBERED.search(name)) and match.start():
        return name[: match.start()].strip().strip(" _.-#("), int(match["place"]) + 1 - first
    return name, 0


def first_number(names: Iterable[str]) -> int:
    """Whether columns such as output-0 and output-1 count from 0, or from 1."""
    places = {numbered(name, first=0) for name in names}
    return 0 if any(place == 1 and (base, 2) in places for base, place in places) else 1


def guess_columns(
    columns: Sequence[str], first: Iterable[Mapping[str, str]], criteria: Collection[str], systems: Collection[str],
    strip: str = "",
) -> dict[str, str]:  # fmt: skip
    """A meaning for each column that has one. `strip` is what stands before the names in such a file."""
    rows, begin = list(first), first_number(column.removeprefix(strip) for column in columns)
    meanings: dict[str, str] = {}
    taken: dict[str, int] = {}
    for column in columns:
        name = column.removeprefix(strip)
        base, place = numbered(name, begin)
        meaning = _meaning(plain(name)) or _meaning(plain(base))
        if plain(name) in ("value", "word"):
            meaning = plain(name)
        criterion = "" if meaning else _criterion(base, criteria, systems)
        if criterion and _rates(column, rows):
            meanings[column] = f"rating: {criterion}" + (f" #{place}" if place else "")
        elif meaning and (meaning not in taken or (place and taken[meaning])):
            taken[meaning] = place
            meanings[column] = (
                f"{meaning}: #{place}" if place and meaning in ("rater", "source", "output", "system") else meaning
            )
    if "value" not in taken or "criterion" not in taken:
        meanings = {column: meaning_text for column, meaning_text in meanings.items() if meaning_text != "word"}
    if any(meaning_text.startswith("rating") for meaning_text in meanings.values()) and "criterion" not in taken:
        meanings = {column: meaning_text for column, meaning_text in meanings.items() if meaning_text != "value"}
    return meanings | rater_columns(columns, rows, criteria, systems, meanings)


def _meaning(name: str) -> str:
    return next((meaning for meaning, words in WORDS.items() if name in words), "")


def _criterion(name: str, criteria: Collection[str], systems: Collection[str]) -> str:
    """The criterion that a column's name is, alone or with a system's name: fluency, fluency_Rules, Rules.fluency."""
    known = {plain(criterion): criterion for criterion in [*KNOWN, *criteria]}
    if plain(name) in known:
        return known[plain(name)]
    for system in sorted(systems, key=len, reverse=True):
        rest = plain(name).replace(plain(system), "", 1) if plain(system) and plain(system) in plain(name) else ""
        if rest in known:
            return f"{known[rest]} @ {system}"
    return ""


def _rates(column: str, rows: Sequence[Mapping[str, str]]) -> bool:
    """Whether the cells are short enough to be values."""
    return all(len(row.get(column, "")) <= 60 for row in rows)
