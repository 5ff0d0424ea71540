"""Fu et al.'s Table 5 from what their repository publishes (fuzhenxin/textstyletransferdata, 73cd605, eval/test1).

There are 2,000 titles, the outputs of nine models for both styles, and the program's own scores of each. They are read
from ../shared/data/fu, and these tests are skipped where that is not.
"""

import os
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from support.metric_inputs import DATA
from support.snapshots import by_value, snapshot_of, system, units_of

from evaluation.metrics import METRICS, MetricInput
from evaluation.tables import TABLES

TEST1 = DATA / "fu/eval/test1"
GLOVE = "glove.6B.100d.txt"
DIMENSIONS = list(product((32, 64, 128), (32, 64, 128)))
STRENGTH = [0.593, 0.465, 0.282, 0.596, 0.485, 0.2745, 0.595, 0.4825, 0.267]
CONTENT = [0.8966, 0.9157, 0.9435, 0.8957, 0.9153, 0.9440, 0.8960, 0.9146, 0.9439]
AS_PROGRAM = {"vectors": GLOVE, "tokenize": "none", "lowercase": False, "no_words": "the"}


class Published(NamedTuple):
    """What a model wrote for each title in the other style, and the program's scores of it."""

    outputs: list[str]
    strength: list[float]
    content: list[float]


def lines(name: str) -> list[str]:
    return (TEST1 / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


@pytest.fixture(scope="module")
def styles() -> list[int]:
    if not TEST1.is_dir():
        pytest.skip(f"the published outputs are not at {TEST1}")
    return [int(style) for style in lines("s_test.txt")]


def published(number: int, styles: list[int]) -> Published:
    """A title of style 0 goes to 1, and back; above 0.5 the classifier takes a text for style 1 (eq. 13)."""
    folder = f"embedding{number or ''}"
    outputs, says, content = (
        [lines(f"{folder}/style{target}{kind}.txt") for target in (0, 1)]
        for kind in ("", "_classification", "_semantics")
    )
    target = [1 - style for style in styles]
    places = list(enumerate(target))
    return Published(
        [outputs[to][place] for place, to in places],
        [float((float(says[to][place]) > 0.5) == bool(to)) for place, to in places],
        [float(content[to][place]) for place, to in places],
    )


def test_table_5_is_the_papers(styles):
    models = [published(number, styles) for number in range(9)]
    systems = [
        system(f"{hidden}, {style}", of.outputs, family="Style-embedding", options={"encoder": hidden, "style": style})
        for (hidden, style), of in zip(DIMENSIONS, models, strict=True)
    ]
    scores = {
        "transfer_strength": [by_value(of.strength) for of in models],
        "content_preservation": [by_value(of.content) for of in models],
    }
    units = units_of(lines("q_test.txt"), directions=(("paper", "news"), ("news", "paper")), direction=styles)
    table = TABLES["fu_table_5"].make(snapshot_of(units, systems, scores=scores))
    rows = [[cell.value for cell in row] for row in table.rows]
    assert [tuple(row[:2]) for row in rows] == DIMENSIONS
    assert [row[2] for row in rows] == pytest.approx(STRENGTH, abs=5e-5)
    assert [row[3] for row in rows] == pytest.approx(CONTENT, abs=5e-5)


@pytest.mark.parametrize("number", range(9))
def test_content_preservation_is_the_program_s_of_all_published_outputs(number, styles):
    models = Path(os.environ.get("RESTYLE_MODELS", ""))
    if not (models / GLOVE).is_file():
        pytest.skip(f"GloVe's vectors, {GLOVE}, are not below RESTYLE_MODELS")
    of = published(number, styles)
    scores = METRICS["content_preservation"].score(MetricInput(lines("q_test.txt"), of.outputs, []), **AS_PROGRAM)
    assert np.allclose(scores.sentences, of.content, atol=1e-5)
    assert scores.corpus == pytest.approx(CONTENT[number], abs=5e-5)
