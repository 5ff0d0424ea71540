"""The file of a backup: written without seeking, held to its checksums; whatever else is in its place is refused."""

import io
import json
import stat
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import pytest

from backup.archive import DATABASE, MANIFEST, Writer, read
from foundation.errors import UserError

DUMP = bytes(range(256)) * 40
FILE = "files/checkpoints/1/best.zip"
NO_BACKUP = "This is no backup of Restyle, or it is damaged or not whole"


class Pipe(io.BytesIO):
    """What may only be written, though it could be sought."""

    def seek(self, *place):
        raise AssertionError("it was sought")

    tell = seek


def whole(parts=((DATABASE, DUMP), (FILE, b"weights")), **about):
    pipe = Pipe()
    with Writer(pipe) as archive:
        for name, content in parts:
            archive.add(name, [content[:7], content[7:]])
        archive.end({"restyle": "0.2.0", **about})
    return pipe.getvalue()


@pytest.fixture
def kept(tmp_path):
    def keep(content):
        (path := tmp_path / "backup.zip").write_bytes(content)
        return path

    return keep


def forged(kept, *, mode=stat.S_IFREG, packed=ZIP_STORED, name=FILE, extra=(), listed=None):
    """An archive with one member as said, whose manifest agrees with it."""
    honest = json.loads(ZipFile(io.BytesIO(whole(((DATABASE, b"d"), (name, b"w"))))).read(MANIFEST))
    honest["parts"] = listed(honest["parts"]) if listed else honest["parts"]
    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as archive:
        archive.writestr(DATABASE, b"d")
        info = ZipInfo(name)
        info.external_attr, info.compress_type = (mode | 0o644) << 16, packed
        archive.writestr(info, b"w")
        for one in extra:
            archive.writestr(one, b"x")
        archive.writestr(MANIFEST, json.dumps(honest))
    return kept(buffer.getvalue())


def test_what_was_written_is_read_part_by_part(kept):
    backup = read(kept(whole()))
    assert [part.name for part in backup.files] == [FILE]
    assert backup.about["restyle"] == "0.2.0"
    with backup.opened(DATABASE) as part:
        assert part.read() == DUMP


def test_what_is_broken_off_has_no_end(kept):
    pipe = Pipe()
    with pytest.raises(ZeroDivisionError), Writer(pipe) as archive:
        archive.add(DATABASE, (b"d" * (1 // n) for n in (1, 0)))
    with pytest.raises(UserError, match=NO_BACKUP):
        read(kept(pipe.getvalue()))


def test_whatever_is_cut_off_is_refused(kept):
    content = whole()
    for end in range(0, len(content), 211):
        with pytest.raises(UserError, match=NO_BACKUP):
            read(kept(content[:end]))


def test_a_changed_byte_is_found_wherever_it_is(kept):
    content = whole()
    names = range(content.index(DATABASE.encode()), len(content))
    for place in [*range(14), *list(names)[::97]]:
        changed = bytearray(content)
        changed[place] ^= 0xFF
        try:
            backup = read(kept(bytes(changed)))
        except UserError:
            continue
        with backup.opened(DATABASE) as part:
            assert part.read() == DUMP, place  # in a field that says nothing, such as a time


@pytest.mark.parametrize(
    "content", [b"", b"PK", b"SQLite format 3\0", b"[1" * 5000], ids=["empty", "two", "other", "text"]
)
def test_another_file_is_refused(kept, content):
    with pytest.raises(UserError, match=NO_BACKUP):
        read(kept(content))


def test_an_archive_of_another_program_is_refused(kept):
    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as archive:
        archive.writestr(MANIFEST, json.dumps({"kind": "other"}))
    with pytest.raises(UserError, match=NO_BACKUP):
        read(kept(buffer.getvalue()))


@pytest.mark.parametrize(
    "manifest", ["[" * 100_000, "9" * 5000, "null", '{"kind": "restyle-backup", "format": 1, "parts": 3}']
)
def test_a_manifest_that_is_none_is_refused(kept, manifest):
    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as archive:
        archive.writestr(MANIFEST, manifest)
    with pytest.raises(UserError, match=NO_BACKUP):
        read(kept(buffer.getvalue()))


def test_a_later_form_is_named(kept):
    with pytest.raises(UserError, match="restore it with a newer Restyle"):
        read(kept(whole(format=2)))


@pytest.mark.parametrize(
    "name",
    [
        "files/../../etc/passwd",
        "files//etc/passwd",
        "/etc/passwd",
        "../secret-key",
        "files/a/./b",
        "files/..\\b",
        "files/",
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(kept, name):
    with pytest.raises(UserError):
        read(forged(kept, name=name))


def test_links_and_what_is_packed_are_refused(kept):
    assert read(forged(kept)).files
    for fault in ({"mode": stat.S_IFLNK}, {"mode": stat.S_IFIFO}, {"packed": ZIP_DEFLATED}, {"extra": ["more"]}):
        with pytest.raises(UserError, match=NO_BACKUP):
            read(forged(kept, **fault))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_parts_that_are_missing_or_doubled_are_refused(kept):
    for fault in ({"listed": lambda parts: parts[:1]}, {"listed": lambda parts: parts * 2}, {"extra": [FILE]}):
        with pytest.raises(UserError, match=NO_BACKUP):
            read(forged(kept, **fault))


def test_parts_that_share_their_bytes_are_refused(kept):
    """The way to a small file that is read for ever: many entries of one place."""
    content = bytearray(whole(((DATABASE, b"x" * 100_000), (FILE, b""))))
    archive = ZipFile(io.BytesIO(bytes(content)))
    size = archive.getinfo(DATABASE).file_size
    listed = content.rindex(FILE.encode()) - 46  # the entry of the directory, whose sizes and place are rewritten
    content[listed + 20 : listed + 28] = size.to_bytes(4, "little") * 2
    with pytest.raises(UserError, match=NO_BACKUP):
        read(kept(bytes(content)))


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(UserError, match="There is no such file"):
        read(tmp_path / "none.zip")
