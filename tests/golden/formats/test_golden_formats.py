"""Values of others; README.md says how each was obtained."""

import io
import zipfile
from pathlib import Path

import pytest

from corpora.formats import TextFile
from corpora.formats.gyafc import read_folder, write_items
from foundation.text_keys import text_key
from study_file.parser.parser import parse_study_file
from study_file.parser.texts import read_texts_of

HERE = Path(__file__).parent
STUDY = HERE.parents[3] / "shared/studies/amazon.toml"
SCALES = {"likert_5": range(1, 6)}
METRICS = ("bleu", "self_bleu", "sari", "ter", "pinc", "edit_distance", "fkgl")


@pytest.fixture(scope="module")
def amazon():
    if not STUDY.is_file():
        pytest.skip("the real data are not here: no ../shared/studies/amazon.toml beside the project")
    spec = parse_study_file(TextFile(STUDY, STUDY.name))
    return read_texts_of(spec, lambda name: STUDY.parent / name, SCALES)


@pytest.mark.parametrize(
    ("system", "means"),
    [
        ("DeleteAndRetrieve", {"grammaticality": 3.8925, "sentiment": 3.3625, "topic": 3.7275}),
        ("Human", {"grammaticality": 4.19, "sentiment": 3.655, "topic": 3.9575}),
    ],
)
def test_human_means_of_the_amazon_study(amazon, system, means):
    outputs = {
        (text_key(source).casefold(), direction.split("-")[1]): text_key(output).casefold()
        for direction, texts in amazon.outputs[system].items()
        for source, output in zip(amazon.sources[direction], texts, strict=True)
    }
    values = {criterion: [] for criterion in means}
    for judgement in amazon.judgements[0]:
        source, output = (text_key(text).casefold() for text in (judgement.source, judgement.output))
        if outputs.get((source, judgement.target_style)) == output:  # raters were shown other capitals
            values[judgement.criterion].append(judgement.value)
    assert {criterion: len(found) for criterion, found in values.items()} == dict.fromkeys(means, 400)
    assert {criterion: sum(found) / 400 for criterion, found in values.items()} == pytest.approx(means, abs=1e-12)


def test_the_gyafc_layout_is_written_as_it_was_read():
    items = list(read_folder(HERE / "gyafc"))
    assert [(item.split, item.source_style, len(item.references)) for item in items] == [
        ("test", "informal", 4),
        ("test", "formal", 4),
        ("test", "formal", 3),
        ("train", "informal", 1),
        ("train", "informal", 1),
        ("tune", "informal", 4),
        ("tune", "formal", 4),
        ("tune", "formal", 3),
    ]
    archive = zipfile.ZipFile(io.BytesIO(b"".join(write_items(items))))
    files = {
        path.relative_to(HERE / "gyafc").as_posix(): path for path in (HERE / "gyafc").rglob("*") if path.is_file()
    }
    assert set(archive.namelist()) == set(files)
    assert len(files) == 2 + 2 * 10
    for name, path in files.items():
        assert archive.read(name) == path.read_bytes(), name
