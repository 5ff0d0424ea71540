"""Detoxification: every supervised model on the pairs of ParaDetox (Logacheva et al. 2022).

There are 11,927 toxic sentences with one to three neutral rewrites. Models are judged on 671 that have three, as many
as the authors' test set has, and tuned on 400 more. They are trained on the others, each with each of its rewrites.
Sentences are drawn by their digests. Style and meaning are measured beside BLEU. **The texts offend**: no text is kept
with the numbers.
"""

import csv
import hashlib
from pathlib import Path
from typing import Any

from tools.results.parallel import ParallelExperiment, Sentences, Splits, read_lines
from tools.results.shakespeare import COPIED, LORA, RECIPES, SETTINGS

STYLES = ("toxic", "neutral")
REWRITES, TESTED, TUNED = 3, 671, 400
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    **{f"{name}_copied": (name, {"copied_targets": 1}) for name in COPIED},
    "lora": ("lora", {**LORA, "prompt": "Rewrite politely, without offence: {text}"}),
}


def read(folder: Path) -> Splits:
    """The sentences of `paradetox.tsv` in lower case; a UserError where it is missing."""
    lines = (f"{line}\n" for line in read_lines(folder / "paradetox.tsv", "ParaDetox")[1:])  # a cell may have several
    rows = [[cell.lower() for cell in map(_spaced, row) if cell] for row in csv.reader(lines, delimiter="\t")]
    rows = sorted((row for row in rows if len(row) > 1), key=lambda row: _digest(row[0]))
    whole = [row for row in rows if len(row) > REWRITES]
    test, tune = whole[:TESTED], whole[TESTED : TESTED + TUNED]
    apart = {row[0] for row in (*test, *tune)}
    return Splits(*map(_sentences, ([row for row in rows if row[0] not in apart], tune, test)))


def _sentences(rows: list[list[str]]) -> Sentences:
    return Sentences([row[0] for row in rows], [row[1:] for row in rows])


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


EXPERIMENT = ParallelExperiment(
    styles=STYLES,
    references=REWRITES,
    measure="bleu",
    read=read,
    settings=SETTINGS,
    recipes=RECIPES,
    variants=VARIANTS,
    styled=True,
    shown=False,
)
