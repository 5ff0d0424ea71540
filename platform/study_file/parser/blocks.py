"""The blocks of a study file, each to its value."""

from collections.abc import Sequence
from dataclasses import asdict

from annotation.scales import SCALES
from corpora.formats._base import RatingColumns
from corpora.text_files.encodings import encoding_of
from foundation.aspects import ASPECTS, BESIDE, beside_of
from study_file.parser.spec import (
    DirectionSpec,
    OutputSpec,
    RatingsSpec,
    RatingsTable,
    ReferenceSpec,
    SystemSpec,
)
from study_file.parser.toml_table import TomlTable
from study_file.parser.work_spec import CriterionSpec

MARKS = ("brackets",)
SPLITS = ("train", "tune", "test")
OUTPUT_KEYS = ("direction", "file", "source", "text", "format", "encoding", *SPLITS)
RATINGS_KEYS = (
    *("format", "file", "encoding", "worker", "seconds", "separator"),
    *("source", "output", "target_style", "response", "criteria"),
)


def direction(block: TomlTable, styles: Sequence[str]) -> DirectionSpec:
    block.known((*("source_style", "target_style", "sources", "encoding", "split", "domain"), *SPLITS, "in_two_splits"))
    source = block.choice("source_style", styles, "style")
    target = block.choice("target_style", styles, "style")
    if source == target:
        raise block.error(f"the target style is the source style, '{source}'.", "target_style")
    files = files_by_split(block, ("sources", "split"))
    if "in_two_splits" in block.values and not files:
        raise block.error("this is of files by split: train, tune and test.", "in_two_splits")
    both = block.choice("in_two_splits", ("leave_out", "error"), "choice for texts in two splits", "error")
    return DirectionSpec(
        source,
        target,
        block.text("sources", longest=4000) if "sources" in block.values else None,
        encoding(block),
        block.choice("split", SPLITS, "split", "test"),
        block.text("domain", "", longest=100),
        files,
        both == "leave_out" or None,
    )


def files_by_split(block: TomlTable, others: Sequence[str]) -> dict[str, str]:
    """The files that a block names for splits; an error where one of the `others` stands beside them."""
    files = {split: block.text(split, longest=4000) for split in SPLITS if split in block.values}
    for key in others if files else ():
        if key in block.values:
            raise block.error(f"'{key}' and files by split ({', '.join(files)}) do not stand together.", key)
    return files


def reference(block: TomlTable, directions: Sequence[str]) -> ReferenceSpec:
    block.known((*OUTPUT_KEYS, "missing", "marks"))
    output = _output(block, directions)
    marks = block.choice("marks", MARKS, "kind of marks", "")
    return ReferenceSpec(**asdict(output), missing=_missing(block), marks=marks)


def system(block: TomlTable, directions: Sequence[str]) -> SystemSpec:
    block.known(("name", "human", "missing", "outputs", "references", "origin", "family", "seed", "options"))
    name = block.text("name", longest=100)
    outputs: list[OutputSpec] = []
    for part in block.tables("outputs"):
        part.known(OUTPUT_KEYS)
        output = _output(part, directions)
        if any(output.direction == other.direction for other in outputs):
            raise part.error(f"'{name}' has outputs for '{output.direction}' already.", "direction")
        outputs.append(output)
    number = block.whole("references", 0, 1, 1_000) if "references" in block.values else 0
    if number and outputs:
        raise block.error("'outputs' and 'references' do not stand together.", "references")
    if not outputs and not number:
        raise block.error("the outputs are missing; a list of { direction = ..., file = ... } was expected.", "outputs")
    origin, family = block.text("origin", "", longest=200), block.text("family", "", longest=100)
    seed = block.whole("seed", 0, 0, 2**31 - 1) if "seed" in block.values else None
    return SystemSpec(
        name, tuple(outputs), block.flag("human"), _missing(block), origin, family, seed, _options(block), number
    )


def _options(block: TomlTable) -> dict[str, float | str]:
    """The options in which a system differs from others of its family: numbers and texts by name."""
    table = block.table("options")
    for name, value in table.values.items():
        if isinstance(value, bool) or not isinstance(value, int | float | str) or len(str(value)) > 100:
            raise table.error("a number or a short text was expected.", name)
    return dict(table.values)


def ratings(block: TomlTable) -> RatingsSpec:
    if "mapping" in block.values:
        return _ratings_table(block)
    block.known(RATINGS_KEYS)
    separator = block.values.get("separator", "\t")
    if not isinstance(separator, str) or not separator:
        raise block.error("one or more characters in quotation marks were expected.", "separator")
    columns = RatingColumns(
        worker=block.text("worker"),
        source=block.text("source"),
        output=block.text("output"),
        response=block.text("response"),
        target_style=block.optional_text("target_style"),
        seconds=block.optional_text("seconds"),
        separator=separator,
    )
    form = block.choice("format", ("mturk",), "format of ratings")
    named = criteria(block)
    if not named:
        raise block.error("at least one criterion was expected under [ratings.criteria].", "criteria")
    return RatingsSpec(form, block.text("file", longest=4000), columns, named, encoding(block))


def _ratings_table(block: TomlTable) -> RatingsSpec:
    """Any table, by what its columns mean; criteria that are not declared must be the study's already."""
    block.known(("file", "encoding", "criteria", "mapping", "settings", "answers"))
    parts = {name: _texts(block.table(name)) for name in ("mapping", "settings", "answers")}
    named = criteria(block)
    return RatingsSpec("table", block.text("file", longest=4000), None, named, encoding(block), RatingsTable(**parts))


def _texts(table: TomlTable) -> dict[str, str]:
    for name, value in table.values.items():
        if not isinstance(value, str):
            raise table.error("a text in quotation marks was expected.", name)
    return dict(table.values)


def _output(block: TomlTable, directions: Sequence[str]) -> OutputSpec:
    source, text = block.column("source"), block.column("text")
    if (source is None) != (text is None):
        there, lacking = ("source", "text") if text is None else ("text", "source")
        raise block.error(f"'{there}' needs '{lacking}' beside it: the columns of a joined table.", there)
    if source is None and "format" in block.values:
        raise block.error("'format' is a table's, which needs 'source' and 'text'; line by line needs none.", "format")
    files = files_by_split(block, ("file", "source", "format"))
    return OutputSpec(
        block.choice("direction", directions, "direction"),
        "" if files else block.text("file", longest=4000),
        source,
        text,
        block.choice("format", ("csv", "jsonl", "tsv"), "table format", ""),
        encoding(block),
        files,
    )


def criteria(block: TomlTable) -> dict[str, CriterionSpec]:
    table = block.table("criteria")
    return {name: _criterion(table, name) for name in table.values}


def _criterion(table: TomlTable, name: str) -> CriterionSpec:
    if not name.isidentifier() or not name.isascii() or len(name) > 50:
        raise table.error("a criterion's name is letters, digits and _, from a letter on (at most 50).", name)
    entry = table.table(name)
    entry.known(("scale", "aspect", "beside"))
    aspect = entry.choice("aspect", tuple(ASPECTS), "aspect", "")
    scale = entry.choice("scale", SCALES, "scale")
    usual = SCALES[scale].beside or beside_of(aspect)
    return CriterionSpec(scale, aspect, entry.choice("beside", BESIDE, "choice of what stands beside", usual))


def _missing(block: TomlTable) -> bool:
    return block.choice("missing", ("allow", "error"), "choice for missing texts", "error") == "allow"


def encoding(block: TomlTable) -> str | None:
    named = block.optional_text("encoding")
    block.checked(lambda: encoding_of(named, ""), "encoding")
    return named
