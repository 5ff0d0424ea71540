"""The blocks of documents and of their use: groups, selected sources, splits."""

from collections.abc import Sequence

from corpora.selection_rules import SELECTIONS
from study_file.parser.fields import SPLITS, DocumentsBlock, GoldBlock, GroupsBlock, SelectionBlock, SplitsBlock
from study_file.parser.spec import DocumentsSpec, GoldSpec, GroupsSpec, SelectionSpec, SplitsSpec
from study_file.parser.toml_table import TomlTable

DEFAULTS = ("question", "question_text", "topic", "domain")  # of documents that have none of their own


def documents(block: TomlTable, styles: Sequence[str]) -> DocumentsSpec:
    given = block.read(DocumentsBlock, {"style": styles})
    return DocumentsSpec(
        form=given["format"],
        defaults={key: given[key] for key in DEFAULTS if key in block.values},
        **{key: given[key] for key in ("file", "style", "encoding", "options", "hold_flagged")},
    )


def gold(block: TomlTable) -> GoldSpec:
    given = block.read(GoldBlock)
    return GoldSpec(form=given.pop("format"), **given)


def selection(block: TomlTable, directions: Sequence[str]) -> SelectionSpec:
    given = block.read(SelectionBlock, {"direction": directions})
    settings = given["settings"]
    rule = SELECTIONS[given["rule"]]
    block.checked(lambda: rule.check_settings(settings), *(["settings"] if settings else []))
    return SelectionSpec(**given)


def groups(block: TomlTable, styles: Sequence[str], directions: Sequence[str]) -> GroupsSpec:
    given = block.read(GroupsBlock, {"style": styles, "direction": directions})
    if len(given["link"]) != 2:
        raise block.error("two styles were expected, such as ['expert', 'layman'].", "link")
    named = block.table("elements")
    rows = []
    for style in named.values:
        named.among(style, styles, "style", style)
        sections = named.table(style)
        rows += [(style, section, sections.text(section, longest=100)) for section in sections.values]
    return GroupsSpec(**{**given, "link": tuple(given["link"]), "elements": tuple(rows)})


def splits(block: TomlTable) -> SplitsSpec:
    given = block.read(SplitsBlock)
    proportions = {name: given[name] for name in SPLITS}
    if abs(sum(proportions.values()) - 100) > 1e-6:
        raise block.error("the proportions of train, tune and test are per cent, and 100 together.", "train")
    return SplitsSpec(given["rule"], proportions, given["seed"])
