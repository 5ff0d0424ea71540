"""One file, one rule that says which sentences become sources. No Django.

`SELECTIONS["medlane"]` is `SELECTION` of `medlane.py`. `_base.py` says what a rule can do.
"""

from pathlib import Path

from corpora.selection_rules._base import REASONS, Selection, Verdict
from foundation.registry import Registry

SELECTIONS = Registry[Selection](
    "selection rule", "corpora.selection_rules", Path(__file__).parent, attribute="SELECTION"
)

__all__ = ["REASONS", "SELECTIONS", "Selection", "Verdict"]
