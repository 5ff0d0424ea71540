"""The blocks of documents and of their use: groups, selected sources, splits."""

import dataclasses
from collections.abc import Sequence

from annotation.gold.imports import GoldFields
from annotation.gold.release.settings import gold_formats
from corpora.fields import DocumentFields, NewSelectionFields, SampleFields, SplitFields
from corpora.formats import DocumentFormat, names_of
from corpora.selection_rules import SELECTIONS
from foundation.options import list_options, option_named
from study_file.parser.blocks import SPLITS, encoding
from study_file.parser.spec import DocumentsSpec, GoldSpec, GroupsSpec, SelectionSpec, SplitsSpec
from study_file.parser.toml_table import TomlTable

GOLD_KEYS = ("file", "format", "split", "tune")
DOCUMENT = {one.name: one for one in list_options(DocumentFields)}
SELECTION = {one.name: one for one in list_options(NewSelectionFields)}
SPLITTING = {one.name: one for one in list_options(SplitFields)}
SAMPLE = {"sample": dataclasses.replace(option_named(SampleFields, "count"), name="sample"),
          "seed": option_named(SampleFields, "seed")}  # fmt: skip


def documents(block: TomlTable, styles: Sequence[str]) -> DocumentsSpec:
    block.known(("file", "format", "style", "encoding", "options", *DOCUMENT))
    said = {key: block.option(DOCUMENT[key]) for key in block.values if key in DOCUMENT}
    options = block.table("options")
    return DocumentsSpec(
        file=block.text("file", longest=4000),
        form=block.choice("format", names_of(DocumentFormat), "format of documents"),
        style=block.choice("style", styles, "style", ""),
        encoding=encoding(block),
        options={key: options.text(key) for key in options.values},
        hold_flagged=said.pop("hold_flagged", True),
        defaults=said,
    )


def gold(block: TomlTable) -> GoldSpec:
    block.known(GOLD_KEYS)
    return GoldSpec(
        file=block.text("file", longest=4000),
        form=block.choice("format", gold_formats(), "format of gold", ""),
        split=block.choice("split", SPLITS, "split", "test"),
        tune=block.option(option_named(GoldFields, "tune")),
    )


def selection(block: TomlTable, directions: Sequence[str]) -> SelectionSpec:
    block.known(("direction", "settings", *SELECTION))
    rule = block.choice("rule", SELECTIONS, "selection rule", "everything")
    settings = dict(block.table("settings").values)
    block.checked(lambda: SELECTIONS[rule].check_settings(settings), *(["settings"] if settings else []))
    return SelectionSpec(
        direction=block.choice("direction", directions, "direction"),
        rule=rule,
        settings=settings,
        **{key: block.option(SELECTION[key]) for key in block.values if key in SELECTION and key != "rule"},
    )


def groups(block: TomlTable, styles: Sequence[str], directions: Sequence[str]) -> GroupsSpec:
    block.known(("link", "usual", "elements", "sample", "seed", "references"))
    link = block.texts("link")
    if len(link) != 2:
        raise block.error("two styles were expected, such as ['expert', 'layman'].", "link")
    for number, style in enumerate(link):
        block.among(style, styles, "style", "link", number)
    named = block.table("elements")
    rows = []
    for style in named.values:
        named.among(style, styles, "style", style)
        sections = named.table(style)
        rows += [(style, section, sections.text(section, longest=100)) for section in sections.values]
    return GroupsSpec(
        link=(link[0], link[1]),
        usual=block.flag("usual", True),
        elements=tuple(rows),
        **{key: block.option(one) for key, one in SAMPLE.items() if key in block.values},
        references=block.choice("references", directions, "direction", ""),
    )


def splits(block: TomlTable) -> SplitsSpec:
    block.known(SPLITTING)
    rule = block.choice("rule", SPLITTING["rule"].choices, "rule of splitting")
    proportions = {name: block.option(SPLITTING[name]) if name in block.values else 0.0 for name in SPLITS}
    if abs(sum(proportions.values()) - 100) > 1e-6:
        raise block.error("the proportions of train, tune and test are per cent, and 100 together.", "train")
    return SplitsSpec(rule, proportions, block.option(SPLITTING["seed"]))
