"""Guesses the columns of a table of texts, by their names, the study's styles and systems, and their cells."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from corpora.models import Direction, Sentence, Study
from corpora.table_import.column_mapping import guess_mapping
from corpora.table_import.row_grouping import direction_of, split_of
from corpora.table_import.targets import Doubt, Meaning
from corpora.table_parser import Table
from corpora.table_parser.annotated_texts import is_feature
from corpora.table_parser.column_names import is_unnamed, said_column
from corpora.table_parser.headers import OUTPUTS, REFERENCES, SOURCES, is_comment, tokens, words_in
from corpora.table_parser.several_files import FILE, ROW
from corpora.text_import.own_tables import meanings_of_own
from corpora.uploads import PASTED
from foundation.text_keys import text_key
from foundation.translation import translatable, translate


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SOURCE: Final = SOURCES | _words(
    "source sources src sentence sentences text texts original input inputs orig before complex document article "
    "premise prompt"
)
REFERENCE: Final = REFERENCES | _words(
    "reference references ref refs target tgt gold human rewrite rewritten rewrites simplified simplification summary "
    "summaries after corrected correction detoxified paraphrase label labels response completion revised edited simple"
)
OUTPUT: Final = OUTPUTS | _words("output outputs hyp hypothesis hypotheses prediction predictions pred generated out")
MODEL: Final = OUTPUT | _words(
    "system systems model models modell modelle modèle modèles modelo modelos sistema sistemas système systèmes "
    "نظام النظام نموذج النموذج מודל מערכת 模型 系统"
)
LETTERED = re.compile(r"(.*)[ _.-]([A-Za-z])")
ALIKE = 1.2
"""Longest to shortest column of such names, in characters, up to which they hold versions of one kind of text."""
NAMED, UNNAMED = 0.25, 0.5
"""Shares of cells with several words above which a column holds texts: one whose name says so, and any other."""
FEW = 0.5
"""Share of rows with a text below which a column whose name says nothing holds no system's outputs."""
STEM = 4
"""Letters in which a column's name and a style's agree: `simplified` and `simple`."""
GOLD: Final = {"source": "source", "text": "reference: text", "source_style": "style", "split": "split",
               "domain": "domain"}  # fmt: skip
"""A table of gold as Restyle exports it."""


def guess_columns(study: Study, table: Table, meanings: Sequence[Meaning], named: str) -> dict[str, str]:
    """A meaning for each column; a column with sources of the study is the source, whatever its name.

    Outputs in the one column without a name have the file's. In several they have none, and somebody is asked.
    """
    found = _guessed(study, table, meanings, named)
    unnamed = [column for column, value in found.items() if is_unnamed(column) and value == f"output: {column}"]
    stem = "" if table.name == PASTED else PurePath(table.name).stem[:100]
    return found | dict.fromkeys(unnamed, f"output: {stem}" if stem and len(unnamed) == 1 else "output")


def _guessed(study: Study, table: Table, meanings: Sequence[Meaning], named: str) -> dict[str, str]:
    directions = list(study.directions.order_by("number"))
    direction = next((one for one in directions if one.name == named), directions[0] if directions else None)
    if table.added:
        return _of_several(study, table, meanings, named, direction)
    marks = dict.fromkeys(filter(is_feature, table.columns), "")
    if len(table.columns) - len(marks) == 1 and table.columns[0] not in marks:
        return {table.columns[0]: _of_one(table, direction)} | marks
    if own := meanings_of_own(table.columns):
        return own
    if {*GOLD, "product"} <= set(table.columns):
        return {column: GOLD.get(column, "") for column in table.columns}
    found = guess_mapping(meanings, table)
    styles = {direction.source_style.lower(), direction.target_style.lower()} if direction else set()
    sides = {column: _side(column, study, direction) for column in table.columns}
    if named and direction:  # what is a source of the other way round is no source here
        turned = study.directions.filter(source_style=direction.target_style)
        if (column := _by_texts(turned, table)) and not sides[column]:
            sides[column] = "reference"
    texts = [column for place, column in enumerate(table.columns)
             if is_text(table, place, NAMED if sides[column] else UNNAMED)
             or (column.lower() in styles and not _is_number(table, column))]  # fmt: skip
    _drop_what_does_not_fit(table, found, directions)
    _take_splits(table, found)
    if _is_long(table, found):
        long = {column: "" if value.startswith("output:") else value for column, value in found.items()}
        return _without_number(long)
    known = _by_texts([direction] if named and direction else directions, table)
    comments = _comments(study, table, texts, sides, known)
    texts = [column for column in texts if column not in comments]
    found |= dict.fromkeys(comments, "")
    for column in texts:
        found[column] = {"reference": f"reference: {column}", "": ""}.get(sides[column], f"output: {column}")
    for column, value in found.items():
        if column not in texts and value.partition(":")[0] in ("source", "reference", "output", "system", "text"):
            is_said = value.startswith("reference:") or sides[column] == "output"
            found[column] = value if is_said and not _is_number(table, column) else ""
    source = known or next((one for one in texts if sides[one] == "source"), "")
    source = source or next((one for one in texts if not sides[one]), "")
    for column in texts:
        if column != source and found[column] in ("", f"output: {column}"):
            is_reference = len(texts) == 2 and sides[column] == "source" and not known  # as in text1 and text2
            found[column] = f"reference: {column}" if is_reference else f"output: {column}"
    if source:
        found[source] = "source"
        outputs = [column for column, value in found.items() if value == f"output: {column}" and not sides[column]]
        found |= {column: f"reference: {column}" for column in _lettered(study, table, outputs)}
    return _without_sources(table, direction, _without_number(found))


def _of_several(
    study: Study, table: Table, meanings: Sequence[Meaning], named: str, direction: Direction | None
) -> dict[str, str]:
    """The columns of a table of several files: the files' names are splits, or systems if each has a text a source."""
    added, own = table.columns[: table.added], table.columns[table.added :]
    sample = tuple(row._replace(cells=row.cells[table.added :]) for row in table.sample)
    found = _guessed(study, replace(table, columns=own, sample=sample, added=0), meanings, named)
    counts: dict[str, int] = {}
    for row in table.records():
        counts[row.cells[0]] = counts.get(row.cells[0], 0) + 1
    texts = [column for column, value in found.items() if value.startswith(("output:", "source", "reference:"))]
    outputs = [column for column, value in found.items() if value.startswith("output:")]
    there = direction.sentences.count() if direction else 0
    if added[0] != FILE or "system" in found.values():
        return dict.fromkeys(added, "") | found
    if all(split_of(name) in Sentence.Split.values for name in counts) and "split" not in found.values():
        return {**dict.fromkeys(added, ""), FILE: "split", **found}
    if len(texts) == 1 and there and set(counts.values()) == {there} and ROW in added:
        return {**dict.fromkeys(added, ""), FILE: "system", ROW: "number", **found, texts[0]: "text"}
    if len(outputs) == 1 and "source" in found.values():
        return {**dict.fromkeys(added, ""), FILE: "system", **found, outputs[0]: "text"}
    return dict.fromkeys(added, "") | found


def doubts_about(study: Study, table: Table, guessed: Mapping[str, str]) -> Iterator[Doubt]:
    """Questions about two columns of texts, where neither names nor the study say which is the source."""
    if meanings_of_own(table.columns):
        return
    sources = [column for column, value in guessed.items() if value == "source"]
    others = [column for column, value in guessed.items() if value.startswith(("reference:", "output:"))]
    if sources and (lettered := _lettered(study, table, others)):
        sentence = translate("The columns {columns} are named alike: are they references?", columns=", ".join(lettered))
        outputs = {column: f"output: {column}" for column in lettered}
        yield Doubt("columns", sentence, (("reference", translatable("References"), {}),
                                          ("output", translatable("Outputs of systems"), outputs)))  # fmt: skip
        return
    if {"system", "product"} & {*guessed.values(), *guessed} or len(sources) != 1 or len(others) != 1:
        return
    (source,), (other,) = sources, others
    direction = study.directions.order_by("number").first()
    of_source, of_other = _side(source, study, direction), _side(other, study, direction)
    known = bool(_by_texts(study.directions.all(), table))
    if of_other in ("reference", "output") and (of_source == "source" or known):
        return
    way = translatable("{source} is the source, {other} the reference")
    first, second = said_column(source), said_column(other)
    choices = [
        ("reference", translate(way, source=first, other=second), {source: "source", other: f"reference: {other}"}),
        ("output", translate("{source} is the source, {other} the output of a system", source=first, other=second),
         {source: "source", other: f"output: {other}"}),
    ]  # fmt: skip
    if not known and (of_source != "source" or of_other == "source"):
        swapped = {other: "source", source: f"reference: {source}"}
        choices.append(("swapped", translate(way, source=second, other=first), swapped))
    sentence = translate("The meanings of the columns {source} and {other} are a guess.", source=first, other=second)
    yield Doubt("columns", sentence, tuple(choices))


def _lettered(study: Study, table: Table, columns: Sequence[str]) -> list[str]:
    """Columns that one name and a letter each tell apart, as `plain A` and `plain B`, with texts of like length.

    None that is named as a system, or as what systems are called.
    """
    systems = {name.casefold() for name in study.systems.values_list("name", flat=True)}
    groups: dict[str, list[str]] = {}
    for column in columns:
        match = LETTERED.fullmatch(column)
        named = match is not None and any(map(str.isalpha, match[1]))
        if match and named and column.casefold() not in systems and not MODEL & {*tokens(match[1])}:
            groups.setdefault(match[1].casefold(), []).append(column)
    for stem, found in groups.items():
        sizes = [sum(len(row.cells[table.columns.index(column)]) for row in table.sample) for column in found]
        if len(found) > 1 and stem not in systems and max(sizes) <= ALIKE * min(sizes):
            return found
    return []


def is_text(table: Table, place: int, share: float) -> bool:
    """Whether more than a share of a column's cells have more than one word."""
    cells = [row.cells[place] for row in table.sample if row.cells[place].strip()]
    return sum(words_in(cell) > 1 for cell in cells) > len(cells) * share


def _of_one(table: Table, direction: Direction | None) -> str:
    """The meaning of the only column: with a text for each source, a system's outputs, or references where the file's
    name says so. Else these are sources."""
    if direction is None or direction.sentences.count() != table.rows:
        return "source"
    cells = {row.cells[0].strip() for row in table.sample}
    known = direction.sentences.filter(text__in=cells).count()
    stem = PurePath(table.name).stem[:100]
    side = "reference" if set(tokens(stem)) & REFERENCE else "output"
    return "source" if known > len(cells) / 2 else f"{side}: {stem}"


def _side(column: str, study: Study, direction: Direction | None) -> str:
    """Whether a name is that of a source, a reference or an output; "" where it does not say."""
    words = tokens(column)
    if direction:
        for side, style in (("source", direction.source_style), ("reference", direction.target_style)):
            if column.lower() == style.lower():
                return side
        alike = {side for side, style in (("source", direction.source_style), ("reference", direction.target_style))
                 for word in words for own in tokens(style) if _are_alike(word, own)}  # fmt: skip
        if len(alike) == 1:
            return alike.pop()
    if column in {system.name for system in study.systems.all()} or set(words) & OUTPUT:
        return "output"
    if set(words) & REFERENCE:
        return "reference"
    return "source" if set(words) & SOURCE else ""


def _are_alike(word: str, style: str) -> bool:
    return min(len(word), len(style)) >= STEM and word[:STEM] == style[:STEM]


def _by_texts(directions: Iterable[Direction], table: Table) -> str:
    """The column whose cells are sources of these directions."""
    for place, column in enumerate(table.columns):
        cells = {row.cells[place].strip() for row in table.sample if row.cells[place].strip()}
        known = Sentence.objects.filter(direction__in=directions, text__in=cells | set(map(text_key, cells)))
        if (count := known.values("text").distinct().count()) and count > len(cells) / 2:
            return column
    return ""


def _drop_what_does_not_fit(table: Table, found: dict[str, str], directions: Sequence[Direction]) -> None:
    """Leave out a column that is named as a direction, a style, a split or a number and holds none."""
    fits = {
        "direction": lambda cell: direction_of(cell, directions, "name") is not None,
        "style": lambda cell: direction_of(cell, directions, "source_style") is not None,
        "split": lambda cell: split_of(cell) in Sentence.Split.values,
        "number": str.isdecimal,
    }
    for place, column in enumerate(table.columns):
        fit = fits.get(found[column])
        cells = [row.cells[place].strip() for row in table.sample if row.cells[place].strip()]
        if fit and not (cells and sum(map(fit, cells)) * 2 > len(cells)):
            found[column] = ""


def _take_splits(table: Table, found: dict[str, str]) -> None:
    """Where no column is named as a split, one whose cells are all words for splits is it, whatever its name."""
    if "split" not in found.values():
        for place, column in enumerate(table.columns):
            cells = {row.cells[place] for row in table.sample if row.cells[place].strip()}
            if not found[column] and cells and all(split_of(cell) in Sentence.Split.values for cell in cells):
                found[column] = "split"
                return


def _comments(
    study: Study, table: Table, texts: Sequence[str], sides: Mapping[str, str], known: str
) -> list[str]:  # fmt: skip
    """The columns of what somebody says about the texts beside them: by their names, or since few rows have any.

    A first column that is full may be of comments that are the sources, unless another one says that it holds these.
    Where no other column is left for the sources there are none.
    """
    filled = {column: _filled(table, table.columns.index(column)) for column in texts}
    own = {known, *(system.name for system in study.systems.all())}
    says = bool(known) or any(sides[column] == "source" for column in texts)
    named = {column for column in texts if is_comment(column) and (says or column != texts[0] or filled[column] < 1)}
    seldom = {column for column in texts if not sides[column] and filled[column] < FEW}
    found = [column for column in texts if column in named | seldom and sides[column] in ("", "output")]
    found = [column for column in found if column not in own]
    others = [column for column in texts if column not in found and sides[column] in ("", "source")]
    return found if others or known else []


def _filled(table: Table, place: int) -> float:
    """The share of rows that have a text there."""
    return sum(bool(row.cells[place].strip()) for row in table.sample) / max(len(table.sample), 1)


def _is_long(table: Table, found: dict[str, str]) -> bool:
    """Whether a column names systems beside one of their texts; then `found` says so."""
    names = [column for column in table.columns if found[column] == "system" and _names(table, column)]
    texts = [column for column in table.columns if found[column] == "text" or found[column].startswith("output:")]
    texts = [column for column in texts if column not in names and not _is_number(table, column)]
    if len(names) != 1 or len(texts) != 1:
        return False
    found[texts[0]] = "text"
    return True


def _names(table: Table, column: str) -> bool:
    """Whether the cells are names: short, or the same again and again."""
    place = table.columns.index(column)
    cells = [row.cells[place].strip() for row in table.sample if row.cells[place].strip()]
    return len(set(cells)) * 2 <= len(cells) or all(words_in(cell) <= 3 for cell in cells)


def _is_number(table: Table, column: str) -> bool:
    place = table.columns.index(column)
    cells = [row.cells[place].strip() for row in table.sample if row.cells[place].strip()]
    return bool(cells) and all(cell.replace(".", "", 1).isdecimal() for cell in cells)


def _without_number(found: dict[str, str]) -> dict[str, str]:
    """Leave out the numbers of sources where the sources themselves are there."""
    by_text = "source" in found.values()
    return {column: "" if by_text and value == "number" else value for column, value in found.items()}


def _without_sources(table: Table, direction: Direction | None, found: dict[str, str]) -> dict[str, str]:
    """A column of texts alone has outputs of the sources that are there, if as many; else the texts are sources."""
    texts = [column for column, value in found.items() if value.startswith(("source", "output:", "reference:"))]
    if len(texts) != 1 or "number" in found.values():
        return found
    there = direction.sentences.count() if direction else 0
    if found[texts[0]] != "source":
        return found if there == table.rows else {**found, texts[0]: "source"}
    return {**found, texts[0]: f"output: {texts[0]}"} if there == table.rows else found
