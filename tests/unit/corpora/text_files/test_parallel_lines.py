import pytest

from corpora.text_files.parallel_lines import read_parallel, read_texts
from foundation.errors import UserError


def test_texts_come_as_they_stand(file_of):
    assert read_texts(file_of(" a . \r\nb\n")) == [" a . ", "b"]


def test_empty_lines_are_named(file_of):
    with pytest.raises(UserError, match=r"^texts.txt: the text is empty on line 2, 3, 5, 6, 7 and 1 more\.$"):
        read_texts(file_of("a\n\n \nb\n\n\n\n\n"))


def test_no_texts_at_all(file_of):
    with pytest.raises(UserError, match="the file is empty"):
        read_texts(file_of(""))


def test_as_many_lines_as_sources(file_of):
    assert read_parallel(file_of("a\nb\n"), 2) == ["a", "b"]


def test_too_few_lines(file_of):
    with pytest.raises(UserError) as caught:
        read_parallel(file_of("a\nb\n"), 1_009)
    assert str(caught.value) == (
        "texts.txt: the file has 2 lines for 1,009 sources; sources without a line: 3, 4, 5, 6, 7 and 1002 more."
    )


def test_too_many_lines(file_of):
    with pytest.raises(UserError) as caught:
        read_parallel(file_of("a\nb\nc\nd\n"), 2)
    assert str(caught.value) == "texts.txt: the file has 4 lines for 2 sources; lines without a source: 3, 4."


def test_an_empty_output_is_an_error_unless_missing_ones_are_allowed(file_of):
    with pytest.raises(UserError, match="the text is empty on line 2"):
        read_parallel(file_of("a\n\nc\n"), 3)
    assert read_parallel(file_of("a\n\nc\n"), 3, missing=True) == ["a", None, "c"]


def test_asset_is_aligned(shared):
    from corpora.formats import TextFile

    sources = read_texts(TextFile(shared / "data/asset/asset.valid.orig", "asset.valid.orig"))
    for number in range(10):
        name = f"asset.valid.simp.{number}"
        texts = read_parallel(TextFile(shared / "data/asset" / name, name), len(sources))
        assert len(texts) == 2000
