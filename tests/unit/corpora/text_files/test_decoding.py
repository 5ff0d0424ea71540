import io
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.formats import LINE_LIMIT, MEGABYTE, UPLOAD_LIMIT, TextFile, read_lines
from foundation.errors import UserError

LINES = st.lists(
    st.text(st.characters(exclude_characters="\n\0", exclude_categories=["Cs"])).filter(
        lambda line: not line.endswith("\r") and not line.startswith("\ufeff")
    ),
    max_size=8,
)


def error_of(file):
    with pytest.raises(UserError) as caught:
        list(read_lines(file))
    return str(caught.value)


@pytest.mark.parametrize("encoding", [None, "utf-16", "utf-16-le", "utf-32", "gb18030"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@given(lines=LINES)
def test_lines_come_back_as_they_were_written(encoding, end, lines):
    content = "".join(line + end for line in lines).encode(encoding or "utf-8")
    assert list(read_lines(TextFile(content, "x", encoding))) == lines


def test_no_line_end_after_the_last_line(file_of):
    assert list(read_lines(file_of("a\nb"))) == ["a", "b"]
    assert list(read_lines(file_of(""))) == []
    assert list(read_lines(file_of("a\n\n"))) == ["a", ""]


def test_byte_order_mark_is_no_part_of_the_text(file_of):
    assert list(read_lines(file_of(b"\xef\xbb\xbfa\r\nb\r\n"))) == ["a", "b"]
    assert list(read_lines(file_of(b"\xef\xbb\xbfa", encoding="utf-8"))) == ["a"]


def test_a_mark_before_a_declared_utf_16_is_no_part_of_the_text(file_of):
    assert list(read_lines(file_of("a".encode("utf-16"), encoding="utf-16"))) == ["a"]
    assert list(read_lines(file_of("\ufeffa".encode("utf-16-le"), encoding="utf-16-le"))) == ["a"]


def test_only_lf_and_crlf_break_a_line(file_of):
    line = "one\rtwo\u2028three\x85four\x0bfive\x0csix\x1cseven\u2029eight"
    assert list(read_lines(file_of(line + "\nnext\n"))) == [line, "next"]


def test_a_line_may_cross_chunks(file_of):
    lines = ["é" * 50_000, "x" * 70_000, "end"]
    assert list(read_lines(file_of("\n".join(lines)))) == lines


def test_a_byte_that_is_not_utf_8_is_named_with_position_and_line(file_of):
    content = b"a line\n" * 16 + b"caf\xe9\n"
    assert error_of(file_of(content)) == (
        "texts.txt: byte 0xe9 at position 115 (line 17) is not UTF-8; declare its encoding, "
        'for example encoding = "latin-1".'
    )
    assert list(read_lines(file_of(content, encoding="latin-1")))[-1] == "café"


def test_position_counts_from_the_file_s_first_byte_across_chunks_and_mark(file_of):
    content = b"\xef\xbb\xbf" + ("é\n" * 60_000).encode() + b"\xff"
    assert f"byte 0xff at position {len(content) - 1:,} (line 60,001)" in error_of(file_of(content))


def test_a_character_cut_off_at_the_end_is_an_error(file_of):
    assert "byte 0xc3 at position 2 (line 2)" in error_of(file_of(b"a\n\xc3"))


def test_declared_encoding_that_does_not_fit(file_of):
    assert error_of(file_of(b"a\nb\xe9", encoding="ascii")) == (
        "texts.txt: byte 0xe9 at position 3 (line 2) is not ascii, the declared encoding."
    )


@pytest.mark.parametrize(
    ("name", "near"), [("latn-1", "latin-1"), ("utf8-16", "utf-16"), ("rot13", ""), ("base64", "")]
)
def test_unknown_encoding_names_the_nearest(file_of, name, near):
    message = error_of(file_of("a", encoding=name))
    assert message.startswith(f"texts.txt: there is no encoding '{name}'; did you mean ")
    assert near in message


@pytest.mark.parametrize("content", [b"a\0b\nc\n\0\n", b"a\nb\0\n"])
def test_nul_bytes_name_their_lines(file_of, content):
    lines = ", ".join(str(n) for n, line in enumerate(content.split(b"\n"), 1) if b"\0" in line)
    position = content.index(b"\0")
    assert error_of(file_of(content)) == (
        f"texts.txt: a text cannot hold a NUL byte; the first is at position {position}, on line {lines}."
    )


def test_nul_bytes_beyond_the_first_five_lines_are_counted(file_of):
    content = b"fine\n" * 30_000 + b"a\0\n" * 7
    assert "on line 30001, 30002, 30003, 30004, 30005 and 2 more." in error_of(file_of(content))


@pytest.mark.parametrize(
    ("content", "looks"),
    [
        (b"%PDF-1.7\n", "a PDF document"),
        (b"PK\x03\x04rest", "a ZIP archive or an Office document"),
        (b"\x1f\x8b\x08rest", "a gzip archive"),
        (b"\x89PNG\r\n\x1a\nrest", "an image (PNG)"),
        (b"\xff\xd8\xff\xe0rest", "an image (JPEG)"),
        (b"GIF89arest", "an image (GIF)"),
        (b"RIFF1234WEBPVP8", "an image, sound or film"),
    ],
)
def test_binary_files_are_named(file_of, content, looks):
    assert error_of(file_of(content)) == f"texts.txt: this is not a text file; it looks like {looks}."


def test_other_binary_files(file_of):
    assert error_of(file_of(bytes(range(256)))) == "texts.txt: this is not a text file; it looks binary."


@pytest.mark.parametrize(("encoding", "name"), [("utf-16", "utf-16"), ("utf-32", "utf-32")])
def test_wide_encodings_are_recognised_by_their_mark(file_of, encoding, name):
    message = error_of(file_of("héllo\n".encode(encoding)))
    assert f'this is {name.upper()}; save it as UTF-8, or declare encoding = "{name}".' in message


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_its_mark_is_recognised(file_of, encoding):
    assert f'declare encoding = "{encoding}".' in error_of(file_of("plain text\n".encode(encoding)))


def test_utf_8_mark_against_a_declared_encoding(file_of):
    assert "begins with the mark of UTF-8" in error_of(file_of(b"\xef\xbb\xbfa", encoding="latin-1"))


class Upload:
    """An open file that knows its size and must not be read."""

    size = 200 * MEGABYTE

    def read(self, size: int = -1, /) -> bytes:
        raise AssertionError("a file that is too large was read")


def test_a_large_upload_is_refused_from_its_size():
    message = error_of(TextFile(Upload(), "big.txt", limit=UPLOAD_LIMIT))
    assert message == "big.txt: the file has 200 MB; it may have at most 50 MB."


def test_a_stream_that_does_not_know_its_size_is_stopped_at_the_limit(file_of):
    class Stream:
        def __init__(self) -> None:
            self.given = 0

        def read(self, size: int = -1, /) -> bytes:
            self.given += size
            return b"text\n" * (size // 5)

    stream = Stream()
    assert "at most 1 MB" in error_of(TextFile(stream, "x", limit=MEGABYTE))
    assert stream.given < 1.2 * MEGABYTE


def test_an_open_file_is_measured_and_left_open():
    stream = io.BytesIO(b"a\nb\n")
    assert list(read_lines(TextFile(stream, "x", limit=4))) == ["a", "b"]
    assert not stream.closed
    assert error_of(TextFile(io.BytesIO(b"12345"), "x", limit=4)) == (
        "x: the file has 5 bytes; it may have at most 4 bytes."
    )


def test_a_large_file_without_a_limit_is_streamed(tmp_path):
    path = tmp_path / "big.txt"
    line = b"a line of forty characters, more or less" * 10 + b"\n"
    with path.open("wb") as file:
        for _ in range(20):
            file.write(line * (MEGABYTE // len(line) + 1))
    tracemalloc.start()
    count = sum(1 for _ in read_lines(TextFile(path, "big.txt")))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 20 * (MEGABYTE // len(line) + 1)
    assert peak < 4 * MEGABYTE


def test_a_file_without_line_breaks_does_not_fill_the_memory(file_of):
    message = error_of(file_of(b"ok\n" + b"x" * (LINE_LIMIT + 1)))
    assert message == "texts.txt, line 2: the line is longer than 1,000,000 characters; are these lines of text?"


def test_files_that_are_not_there(tmp_path):
    assert error_of(TextFile(tmp_path / "none.txt", "none.txt")) == "none.txt: there is no such file."
    assert error_of(TextFile(tmp_path, "folder")) == "folder: this is a folder, and a file was expected."


def test_the_captions_hold_a_byte_that_is_not_utf_8(shared):
    path = shared / "data/captions/sentiment.train.1"
    assert "byte 0xa3 at position 294,486 (line 4,178) is not UTF-8" in error_of(TextFile(path, "sentiment.train.1"))
    lines = list(read_lines(TextFile(path, "sentiment.train.1", "latin-1")))
    assert len(lines) == 6000
    assert "£" in lines[4177]
