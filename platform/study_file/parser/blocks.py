"""The blocks of a study file, each to its value."""

import unicodedata
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from annotation.scales import SCALES
from corpora.formats._base import RatingColumns
from foundation.aspects import beside_of
from foundation.criterion_names import is_criterion_name
from foundation.options import list_options
from study_file.parser.fields import (
    SPLITS,
    CriterionBlock,
    DirectionBlock,
    OutputBlock,
    RatingsBlock,
    RatingsTableBlock,
    ReferenceBlock,
    SystemBlock,
)
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


def direction(block: TomlTable, styles: Sequence[str]) -> DirectionSpec:
    given = block.read(DirectionBlock, {"style": styles})
    source, target = given["source_style"], given["target_style"]
    if source == target:
        raise block.error(f"the target style is the source style, '{source}'.", "target_style")
    files = files_by_split(block, given, ("sources", "split"))
    if "in_two_splits" in block.values and not files:
        raise block.error("this is of files by split: train, tune and test.", "in_two_splits")
    return DirectionSpec(
        source,
        target,
        given["sources"],
        given["encoding"],
        given["split"],
        given["domain"],
        files,
        given["in_two_splits"] == "leave_out" or None,
    )


def files_by_split(block: TomlTable, given: dict[str, Any], others: Sequence[str]) -> dict[str, str]:
    """The files that a block names for splits; an error where one of the `others` stands beside them."""
    files = {split: given[split] for split in SPLITS if given[split]}
    for key in others if files else ():
        if key in block.values:
            raise block.error(f"'{key}' and files by split ({', '.join(files)}) do not stand together.", key)
    return files


def reference(block: TomlTable, directions: Sequence[str]) -> ReferenceSpec:
    given = block.read(ReferenceBlock, {"direction": directions})
    return ReferenceSpec(**asdict(_output(block, given)), missing=given["missing"] == "allow", marks=given["marks"])


def system(block: TomlTable, directions: Sequence[str]) -> SystemSpec:
    block.known([one.name for one in list_options(SystemBlock)])
    outputs: list[OutputSpec] = []
    for part in block.tables("outputs"):
        output = _output(part, part.read(OutputBlock, {"direction": directions}))
        if any(output.direction == other.direction for other in outputs):
            raise part.error(
                f"'{block.text('name')}' has outputs for '{output.direction}' already.", "direction"
            )  # fmt: skip
        outputs.append(output)
    given = block.read(SystemBlock, {"direction": directions})
    number = given["references"] or 0
    if number and outputs:
        raise block.error("'outputs' and 'references' do not stand together.", "references")
    if not outputs and not number:
        raise block.error("the outputs are missing; a list of { direction = ..., file = ... } was expected.", "outputs")
    return SystemSpec(
        outputs=tuple(outputs), missing=given["missing"] == "allow", options=_options(block), references=number,
        **{key: given[key] for key in ("name", "human", "origin", "family", "seed")},
    )  # fmt: skip


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
    given = block.read(RatingsBlock)
    named = criteria(block)
    if not named:
        raise block.error("at least one criterion was expected under [ratings.criteria].", "criteria")
    columns = RatingColumns(**{one.name: given[one.name] for one in list_options(RatingColumns)})
    return RatingsSpec(given["format"], given["file"], columns, named, given["encoding"])


def _ratings_table(block: TomlTable) -> RatingsSpec:
    """Any table, by what its columns mean; criteria that are not declared must be the study's already."""
    given = block.read(RatingsTableBlock)
    parts = {name: block.table(name).texts_by_key() for name in ("mapping", "settings", "answers")}
    return RatingsSpec("table", given["file"], None, criteria(block), given["encoding"], RatingsTable(**parts))


def _output(block: TomlTable, given: dict[str, Any]) -> OutputSpec:
    source, text = given["source"], given["text"]
    if (source is None) != (text is None):
        there, lacking = ("source", "text") if text is None else ("text", "source")
        raise block.error(f"'{there}' needs '{lacking}' beside it: the columns of a joined table.", there)
    if source is None and "format" in block.values:
        raise block.error("'format' is a table's, which needs 'source' and 'text'; line by line needs none.", "format")
    files = files_by_split(block, given, ("file", "source", "format"))
    named = "" if files else block.text("file", longest=4000)
    return OutputSpec(given["direction"], named, source, text, given["format"], given["encoding"], files)


def criteria(block: TomlTable) -> dict[str, CriterionSpec]:
    table = block.table("criteria")
    return {unicodedata.normalize("NFC", name): _criterion(table, name) for name in table.values}


def _criterion(table: TomlTable, name: str) -> CriterionSpec:
    if not is_criterion_name(unicodedata.normalize("NFC", name)):
        raise table.error("a criterion's name is letters, digits and _, at most 60 of them.", name)
    given = table.table(name).read(CriterionBlock, {"scale": SCALES})
    scale, aspect = given["scale"], given["aspect"]
    return CriterionSpec(scale, aspect, given["beside"] or SCALES[scale].beside or beside_of(aspect))
