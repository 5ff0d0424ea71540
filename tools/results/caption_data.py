"""The captions of Li et al. (2018): the training data, the two tests, and their automatic scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpora.knowledge.words import tokens
from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.metrics import METRICS, MetricInput
from evaluation.metrics.content_preservation import METRIC as CONTENT
from evaluation.metrics.transfer_strength import METRIC as STRENGTH
from foundation.errors import UserError
from modelserving.training.dataset import TrainingData
from modelserving.transfer import Model
from tools.results.automatic_scores import sample_outputs
from tools.results.table_rows import output_statistics, percentile_interval, resampled_scores

BLEU = METRICS["bleu"]

STYLES = ("humorous", "romantic")
HELD_OUT, LONGEST = 300, 20


@dataclass(frozen=True)
class CaptionTest:
    """Sources, each with its style and the style that it is moved into; `factual` is no style that has texts."""

    sources: list[str]
    styles: list[str]
    targets: list[str]

    def outputs(self, model: Model, decoding: Any) -> list[str]:
        """A model's outputs, in the order of the sources; a factual caption is given as one of the other style."""
        found: dict[int, str] = {}
        for target, other in (STYLES, STYLES[::-1]):
            places = [i for i, style in enumerate(self.targets) if style == target]
            rewrites = model.transfer([self.sources[i] for i in places], (other, target), decoding)
            found.update(zip(places, rewrites, strict=True))
        return [found[i] for i in range(len(self.sources))]

    def evaluate(self, outputs: list[str], material: TrainingMaterial) -> dict[str, Any]:
        """Transfer strength, content preservation and its lower bound, the intervals over drawn sources, the statistics
        of the outputs, and a few of them."""
        batch = MetricInput(self.sources, outputs, [], self.styles, self.targets, material=material)
        strength, content = STRENGTH.score(batch), CONTENT.score(batch)
        return {
            "strength": strength.corpus,
            "preservation": content.corpus,
            "lower_bound": content.details.get("lower_bound"),
            "accuracy": strength.details.get("accuracy_tune"),
            "signatures": [strength.signature, content.signature],
            "intervals": {
                name: percentile_interval(resampled_scores(scores, metric))
                for name, scores, metric in (("strength", strength, STRENGTH), ("preservation", content, CONTENT))
                if scores.corpus is not None
            },
            **output_statistics(self.sources, outputs),
            "samples": sample_outputs(outputs),
        }


@dataclass(frozen=True)
class Captions:
    """The captions to train on, and the two tests."""

    data: TrainingData
    tests: Mapping[str, CaptionTest]
    rewrites: Mapping[tuple[str, str], str]
    """A person's caption of a factual source in a style."""

    @property
    def material(self) -> TrainingMaterial:
        return TrainingMaterial(texts=self.data.texts, tune=self.data.dev_texts)

    def bleu(self, outputs: Sequence[str]) -> float | None:
        """BLEU of outputs for the factual captions, against the captions that people wrote in the styles moved into."""
        test = self.tests["factual"]
        people = [self.rewrites.get(pair, "") for pair in zip(test.sources, test.targets, strict=True)]
        rows = [row for row in zip(test.sources, outputs, people, strict=True) if row[2]]
        if not rows:
            return None
        sources, written, references = (list(column) for column in zip(*rows, strict=True))
        return BLEU.score(MetricInput(sources, written, [[one] for one in references])).corpus


def read(folder: Path) -> Captions:
    """The captions; a UserError where a file is missing."""
    train, tune = (
        {style: _lines(folder / f"sentiment.{part}.{i}") for i, style in enumerate(STYLES)} for part in ("train", "dev")
    )
    held = {style: lines[-HELD_OUT:] for style, lines in train.items()}
    factual = _lines(folder / "sentiment.test.0")
    data = TrainingData(
        *STYLES,
        texts={style: _short(lines[:-HELD_OUT]) for style, lines in train.items()},
        dev_texts={style: _short(lines) for style, lines in tune.items()},
    )
    styled = [(text, *way) for way in (STYLES, STYLES[::-1]) for text in _short(held[way[0]])]
    plain = [(text, "factual", style) for style in STYLES for text in _short(factual)]
    return Captions(data, {"styled": _moved(styled), "factual": _moved(plain)}, read_rewrites(folder, "reference.{}"))


def read_rewrites(folder: Path, files: str) -> dict[tuple[str, str], str]:
    """`source TAB rewrite`; a file has the number of the style that its rewrites leave: those of 0 are romantic."""
    found: dict[tuple[str, str], str] = {}
    for i, style in enumerate(reversed(STYLES)):
        rows = (line.split("\t") for line in _whole_lines(folder / files.format(i)))
        found |= {(_spaced(row[0]), style): _spaced(row[1]) for row in rows if len(row) > 1}
    return found


def _moved(rows: list[tuple[str, str, str]]) -> CaptionTest:
    sources, styles, targets = zip(*rows, strict=True)
    return CaptionTest(list(sources), list(styles), list(targets))


def _short(lines: list[str]) -> list[str]:
    return [line for line in lines if 0 < len(tokens(line)) <= LONGEST]


def _lines(file: Path) -> list[str]:
    """The lines that are UTF-8, with single spaces."""
    return [_spaced(line) for line in _whole_lines(file)]


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _whole_lines(file: Path) -> list[str]:
    try:
        raw = file.read_bytes()
    except OSError:
        raise UserError("The file of captions is not there; see docs/results.md.", where=str(file)) from None
    return [line.decode() for line in raw.removesuffix(b"\n").split(b"\n") if _is_utf8(line)]


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True
