"""Advice about the parts that a study lacks for a table is read in the reader's language: it stands in the catalogs."""

import importlib
import re
from pathlib import Path

from django.utils.translation.trans_real import translation

import evaluation.table_parts
import evaluation.tables

REASON = re.compile(r"(NO|NONE|NOT|ONE|TWO)_[A-Z0-9_]+|NOBODY|NOTHING|UNSCORED")
# Advice; the other ones are notes, which stay English.
ADVICE = re.compile(r": (add|open|choose|import|give|have|make|upload|link|set) ")


def reasons() -> dict[str, str]:
    found = {}
    for package in (evaluation.tables, evaluation.table_parts):
        for path in sorted(Path(package.__path__[0]).glob("[a-z]*.py")):
            module = importlib.import_module(f"{package.__name__}.{path.stem}")
            found |= {
                f"{path.stem}.{name}": said for name, said in vars(module).items()
                if REASON.fullmatch(name) and isinstance(said, str) and said.endswith(".") and ADVICE.search(said)
            }  # fmt: skip
    return found


def test_every_reason_that_a_table_lacks_something_is_translated() -> None:
    catalog, given = translation("de")._catalog, reasons()  # type: ignore[attr-defined]
    assert len(given) > 20
    assert {name: said for name, said in given.items() if said not in catalog} == {}
