"""The blocks of documents and of what becomes of them: groups, selected sources, splits."""

from collections.abc import Sequence

from annotation.gold.imports import GoldFields
from annotation.gold.release.settings import gold_formats
from corpora.formats import DocumentFormat, names_of
from corpora.selection_rules import SELECTIONS
from foundation.options import option_named
from study_file.parser.blocks import SPLITS, encoding
from study_file.parser.spec import DocumentsSpec, GoldSpec, GroupsSpec, SelectionSpec, SplitsSpec
from study_file.parser.toml_table import TomlTable

GOLD_KEYS = ("file", "format", "split", "tune")
DEFAULTS = ("question", "question_text", "topic", "domain")
DOCUMENT_KEYS = ("file", "format", "style", "encoding", "options", *DEFAULTS, "hold_flagged")
SELECTION_KEYS = (
    *("direction", "rule", "settings", "domain", "topic"),
    *("question", "chosen", "sample", "seed", "split"),
)
RULES = ("random", "document", "question")
MOST = 100_000_000


def documents(block: TomlTable, styles: Sequence[str]) -> DocumentsSpec:
    block.known(DOCUMENT_KEYS)
    options = block.table("options")
    return DocumentsSpec(
        file=block.text("file", longest=4000),
        form=block.choice("format", names_of(DocumentFormat), "format of documents"),
        style=block.choice("style", styles, "style", ""),
        encoding=encoding(block),
        options={key: options.text(key) for key in options.values},
        defaults={key: block.text(key, longest=2000) for key in DEFAULTS if key in block.values},
        hold_flagged=block.flag("hold_flagged", True),
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
    block.known(SELECTION_KEYS)
    rule = block.choice("rule", SELECTIONS, "selection rule", "everything")
    settings = dict(block.table("settings").values)
    block.checked(lambda: SELECTIONS[rule].check_settings(settings), *(["settings"] if settings else []))
    return SelectionSpec(
        direction=block.choice("direction", directions, "direction"),
        rule=rule,
        settings=settings,
        domain=block.text("domain", "", longest=100),
        topic=block.text("topic", "", longest=100),
        question=block.text("question", "", longest=60),
        chosen=block.flag("chosen"),
        sample=_sample(block),
        seed=block.whole("seed", 1, 0, 2**31 - 1),
        split=block.choice("split", SPLITS, "split", "test"),
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
        sample=_sample(block),
        seed=block.whole("seed", 1, 0, 2**31 - 1),
        references=block.choice("references", directions, "direction", ""),
    )


def splits(block: TomlTable) -> SplitsSpec:
    block.known(("rule", *SPLITS, "seed"))
    rule = block.choice("rule", RULES, "rule of splitting")
    proportions = {name: block.number(name, 0, 0, 100) for name in SPLITS}
    if abs(sum(proportions.values()) - 100) > 1e-6:
        raise block.error("the proportions of train, tune and test are per cent, and 100 together.", "train")
    return SplitsSpec(rule, proportions, block.whole("seed", 1, 0, 2**31 - 1))


def _sample(block: TomlTable) -> int | None:
    return block.whole("sample", 1, 1, MOST) if "sample" in block.values else None
