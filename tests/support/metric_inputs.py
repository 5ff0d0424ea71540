"""The golden values of metrics, the small texts they were had on, and the real data where it is there, as fixtures."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support import tiny_wordnet as wordnet_files

from corpora.knowledge.brackets import bracketed
from evaluation.metrics import MetricInput
from foundation.project import ROOT

GOLDEN = ROOT / "tests" / "golden" / "metrics"
DATA = ROOT.parent / "shared" / "data"


@pytest.fixture(scope="session")
def _tiny_wordnet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wordnet_files.make(tmp_path_factory.mktemp("words") / "wordnet")


@pytest.fixture
def tiny_wordnet(_tiny_wordnet: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a WordNet of a few words, named as the one to use."""
    monkeypatch.setenv("WORDNET", str(_tiny_wordnet))
    return _tiny_wordnet


@pytest.fixture
def golden() -> Callable[[str], Any]:
    return lambda name: json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture
def texts(golden: Callable[[str], Any]) -> MetricInput:
    """Six sentences, an empty output among them, two references each."""
    stored = golden("texts")
    return MetricInput(stored["sources"], stored["outputs"], stored["references"])


@pytest.fixture
def uneven(golden: Callable[[str], Any]) -> MetricInput:
    """The same sentences with one, two or three references."""
    stored = golden("texts")
    return MetricInput(stored["sources"], stored["outputs"], stored["uneven"])


@pytest.fixture
def amazon() -> Callable[[str], MetricInput]:
    """A system's outputs of Li et al. (2018), both directions, joined to the references on the source text."""
    folder = DATA / "amazon"
    if not folder.is_dir():
        pytest.skip(f"the Amazon data are not at {folder}")
    return lambda system: _amazon(folder, system)


def _amazon(folder: Path, system: str) -> MetricInput:
    batch = MetricInput([], [], [])
    for side in "01":
        references = {row[0]: row[1] for row in _rows(folder / f"reference.{side}")}
        for row in _rows(folder / "outputs" / f"sentiment.test.{side}.{system}"):
            batch.sources.append(row[0])
            batch.outputs.append(row[1])
            batch.references.append([references[row[0]]])
    return batch


def _rows(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def asset() -> MetricInput:
    """ASSET's 2,000 sentences: one person's rewrites as the outputs, the other nine's as references."""
    folder = DATA / "asset"
    if not folder.is_dir():
        pytest.skip(f"the ASSET data are not at {folder}")
    rewrites = [_lines(folder / f"asset.valid.simp.{i}") for i in range(10)]
    references = [list(each) for each in zip(*rewrites[1:], strict=True)]
    return MetricInput(_lines(folder / "asset.valid.orig"), rewrites[0], references)


@pytest.fixture
def hundred(asset: MetricInput) -> Callable[[int], MetricInput]:
    """The first 100 with so many references, runs of spaces made one: what the programs of papers were run on."""
    one = [[" ".join(text.split()) for text in texts[:100]] for texts in (asset.sources, asset.outputs)]
    return lambda count: MetricInput(
        *one, [[" ".join(text.split()) for text in each[:count]] for each in asset.references[:100]], language="en"
    )


@pytest.fixture
def medlane_outputs() -> MetricInput:
    """The 100 outputs that MedLane's authors published, with their four references and full forms in brackets."""
    folder = DATA / "medlane"  # of the repository machinelearning4health/MedLane
    if not folder.is_dir():
        pytest.skip(f"MedLane's published outputs are not at {folder}")
    blocks = (folder / "data/test(sample).txt").read_text(encoding="utf-8").split("\n\n")[:100]
    lines = [block.split("\n") for block in blocks]
    read = [_words(folder / f"tmp/{name}.txt") for name in ("hyp", "ref0", "ref1", "ref2", "ref3")]
    return MetricInput(
        [" ".join(each[0].split()) for each in lines],
        read[0],
        [list(each) for each in zip(*read[1:], strict=True)],
        terms=[[bracketed(line[2:])[1] for line in each[1:]] for each in lines],
        language="en",
    )


def _words(path: Path) -> list[str]:
    return [" ".join(line.split()) for line in _lines(path)]


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
