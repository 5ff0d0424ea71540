"""The blocks of tables: a file, how it is read, and what its columns mean."""

from collections.abc import Mapping

from corpora.table_import.targets import TARGETS
from corpora.table_parser.quoting import STYLES
from corpora.table_parser.sheets import ERRORS
from study_file.parser.blocks import encoding
from study_file.parser.spec import TableSpec
from study_file.parser.toml_table import TomlTable

TABLE_KEYS = ("file", "target", "mapping", "settings", "answers", "part", "encoding", "delimiter", "header",
              "quoting", "above", "errors")  # fmt: skip
CHOICES = {"quoting": STYLES, "errors": tuple(ERRORS)}


def table(block: TomlTable) -> TableSpec:
    block.known(TABLE_KEYS)
    reading = {"part": block.text("part", ""), "encoding": encoding(block) or "", "delimiter": _delimiter(block)}
    if "header" in block.values:
        reading["header"] = "yes" if block.flag("header") else "no"
    if "above" in block.values:
        reading["above"] = str(block.whole("above", 0, 0, 49))
    reading |= {name: block.choice(name, words, name, "") for name, words in CHOICES.items() if name in block.values}
    mapping = _texts(block.table("mapping", required=True))
    if not mapping:
        raise block.error("a meaning for at least one column was expected.", "mapping")
    return TableSpec(
        file=block.text("file", longest=4000),
        target=block.choice("target", TARGETS, "target", "texts"),
        mapping=mapping,
        settings=_texts(block.table("settings")),
        answers=_texts(block.table("answers")),
        reading={name: value for name, value in reading.items() if value},
    )


def _delimiter(block: TomlTable) -> str:
    """A character, which may be space, or tab, or none."""
    value = block.values.get("delimiter", "")
    if not isinstance(value, str) or (len(value) > 1 and value not in ("tab", "none")):
        raise block.error("one character, 'tab' or 'none' was expected.", "delimiter")
    return value


def _texts(block: TomlTable) -> Mapping[str, str]:
    """Texts by key; true and false stand for themselves."""
    found: dict[str, str] = {}
    for key, value in block.values.items():
        found[key] = ("1" if value else "") if isinstance(value, bool) else block.text(key)
    return found
