import numpy as np

from evaluation.snapshot_builder.judgements import table_of_rows, variants_of

HOMES = {1: 0, 2: 1, 3: 2}
ROWS = [
    (1, "a", "fluency", "strict", 1.0), (2, "b", "fluency", "strict", 2.0), (3, "c", "fluency", "strict", 3.0),
    (1, "a", "fluency", "mild", 3.0), (2, "b", "fluency", "mild", 4.0), (3, "c", "fluency", "mild", 5.0),
    (1, "a", "fluency", "once", 5.0), (1, "a", "rank", "strict", 1.0), (2, "b", "rank", "strict", 2.0),
]  # fmt: skip
PLACED = [(place, *row) for place, row in enumerate(ROWS)]


def test_z_puts_a_strict_and_a_mild_judge_on_one_scale():
    z = variants_of(table_of_rows([PLACED], HOMES), ["", "", ""])["z"]
    fluency = z.criterion == z.criteria.index("fluency")
    assert z.value[fluency].tolist() == [-1, 0, 1, -1, 0, 1], "who judged once has no scale of their own"
    assert z.value[~fluency].tolist() == [1, 2], "a place is no value on a scale"


def test_filtered_is_without_those_who_are_left_out():
    given = table_of_rows([PLACED], HOMES)
    why = ["", "Too quick.", ""]
    found = variants_of(given, why)
    assert given.raters[1] == "mild"
    assert set(np.unique(found["filtered"].rater)) == {0, 2}
    assert len(found["raw"].value) == len(ROWS)
