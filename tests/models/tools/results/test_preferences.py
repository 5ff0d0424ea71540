"""The experiment on judgements of Amazon's reviews: what is trained, held out and tested, on the published files."""

from pathlib import Path

import pytest

from foundation.errors import UserError
from tools.results import preferences

AMAZON = Path(__file__).parents[5] / "shared" / "data" / "amazon"


@pytest.mark.skipif(not AMAZON.exists(), reason="Amazon's reviews do not lie beside the repository")
def test_nothing_that_is_tested_is_learnt_from_and_pairs_are_of_judged_sources() -> None:
    texts = preferences.read(AMAZON)
    assert [len(one.sources) for one in (texts.train, texts.tune, texts.test)] == [150, 50, 100]
    data = preferences.EXPERIMENT.data(texts)
    tested = {*texts.test.sources, *texts.test.rewrites}
    learnt = {*data.train.sources, *data.train.targets, *data.preferences.sources, *data.preferences.better}
    assert not tested & {*learnt, *data.dev_preferences.sources, *(text for style in texts.styles for text in style)}
    assert set(data.preferences.sources) <= set(texts.train.sources)
    assert set(data.dev_preferences.sources) <= set(texts.tune.sources)
    assert all(0.625 <= margin <= 1 for margin in data.preferences.margins), "2.5 of 4 points and more"


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"ratings-amazon\.csv: The file of Amazon is not there"):
        preferences.read(tmp_path)


def test_a_line_without_a_rewrite_is_named(tmp_path: Path) -> None:
    (tmp_path / "ratings-amazon.csv").write_text("Input.target\n")
    for name in ("reference.0", "reference.1"):
        (tmp_path / name).write_text("one\ttwo\nalone\n")
    with pytest.raises(UserError, match=r"reference\.0, line 2: The line has no rewrite"):
        preferences.read(tmp_path)
