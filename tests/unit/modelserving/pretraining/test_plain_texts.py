"""Plain text from files: lines, wherever they are from, or a sentence that names the file."""

from pathlib import Path

import pytest

from foundation.errors import UserError
from modelserving.pretraining.corpus import TextFolder, files_named, lines_of


def test_a_line_is_a_text_whatever_ends_it(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_bytes("\ufefffirst  text\r\n\n  \nsecond\u2028text\nlast".encode())
    assert list(lines_of([file])) == ["first  text", "second text", "last"]


def test_a_folder_is_its_text_files_in_the_order_of_their_names(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name in ("c.txt", "b/a.txt", "a.txt", "a.pdf"):
        (tmp_path / name).write_text(name)
    assert [path.relative_to(tmp_path).as_posix() for path in files_named([tmp_path])] == ["a.txt", "b/a.txt", "c.txt"]
    assert files_named([tmp_path / "a.pdf"]) == [tmp_path / "a.pdf"]  # named itself


@pytest.mark.parametrize("name", ["none", "empty"])
def test_where_there_is_no_file_a_sentence_names_the_place(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match=name):
        files_named([tmp_path / name])


@pytest.mark.parametrize("data", [b"\x80\x02}q\x00.", b"text\nmore \xff", b"nul \0 in it\n"])
def test_what_is_no_text_is_a_sentence_that_names_the_file(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "weights.bin"
    file.write_bytes(data)
    with pytest.raises(UserError, match=r"weights\.bin"):
        list(lines_of([file]))


def test_each_hundredth_line_is_held_back_and_of_few_lines_none(tmp_path: Path) -> None:
    many = TextFolder.write(tmp_path / "many", (f"text {number}" for number in range(1, 451)))
    assert list(many.tune) == ["text 100", "text 200", "text 300", "text 400"]
    assert len(many.train) == 446
    assert not set(many.tune) & set(many.train)
    few = TextFolder.write(tmp_path / "few", iter(["one", "two"]))
    assert (list(few.train), list(few.tune)) == (["one", "two"], [])


def test_texts_to_measure_by_may_be_given(tmp_path: Path) -> None:
    given = TextFolder.write(tmp_path, (f"text {number}" for number in range(300)), iter(["another"]))
    assert (len(given.train), list(given.tune)) == (300, ["another"])
