"""What columns of judgements mean, by their names."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from evaluation.imported_judgements.column_words import KNOWN, WORDS, plain
from evaluation.imported_judgements.rater_columns import rater_columns

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
