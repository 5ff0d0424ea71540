"""A formality scorer of the site's own, from sentences that people rated."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from scipy.stats import spearmanr

from accounts.management.telling import TellingCommand
from corpora.formats import FORMATS, TableFormat, TextFile
from corpora.knowledge import formality
from foundation.errors import UserError


class Command(TellingCommand):
    help = "Train the formality scorer on a CSV with the columns sentence and label (below 0 informal), into a folder."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--csv", type=Path, required=True, help="the rated sentences")
        parser.add_argument("--out", type=Path, required=True, help="the folder, which RESTYLE_FORMALITY then names")
        parser.add_argument("--tune", type=Path, help="rated sentences that were kept apart, to say how well it does")

    def handle(self, *, csv: Path, out: Path, tune: Path | None, **options: Any) -> None:
        sentences, labels = _rated(csv)
        apart = _rated(tune) if tune else None
        model = formality.train(sentences, labels)
        model.save(out)
        self.stdout.write(f"Trained on {len(sentences):,} sentences: {out}")
        if apart:
            agreement = spearmanr(model.scores(apart[0]), apart[1])[0]
            self.stdout.write(f"Spearman's rho on {len(apart[0]):,} other sentences: {agreement:.3f}")


def _rated(path: Path) -> tuple[list[str], list[float]]:
    """The sentences and labels of a CSV; a UserError that names the file and the line."""
    if not path.is_file():
        raise UserError("There is no such file.", where=str(path))
    table = FORMATS["csv"]
    assert isinstance(table, TableFormat)
    sentences, labels = [], []
    for row in table.rows(TextFile(path, path.name), ("sentence", "label")):
        sentence, label = row.cells
        sentences.append(sentence or "")
        labels.append(_number(label or "", f"{path.name}, line {row.line}"))
    return sentences, labels


def _number(text: str, where: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UserError("The label must be a number, not '{text}'.", text=text, where=where) from None
