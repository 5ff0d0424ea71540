"""A checkpoint's file: what is packed comes back the same, and whatever was done to it is refused with a sentence."""

import io
import json
import random
import stat
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save

from foundation.errors import UserError
from modelserving.training.checkpoint import MANIFEST, Manifest, pack, unpack, verify

ABOUT = Manifest(
    "seq2seq", {"hidden": 4, "rate": 0.1, "lower": True}, (("informal", "formal"),), {"seed": 1}, {"torch": "2.13.0"}
)


def tensors(**changed):
    """A file of safetensors with two tensors, or one with something of its header changed."""
    header = {
        "a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
        "b": {"dtype": "I64", "shape": [], "data_offsets": [24, 32]},
    }
    header["b"].update(changed)
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + bytes(32)


def files(folder: Path, **more: bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    contents = {"weights.safetensors": tensors(), "model.json": b'{"a": [1, 2]}', "words.txt": "wat\n\u00e9\n".encode()}
    for name, content in {**contents, **more}.items():
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture(scope="module")
def packed(tmp_path_factory) -> bytes:
    folder = tmp_path_factory.mktemp("packed")
    pack(files(folder / "files"), ABOUT, folder / "a.zip")
    return (folder / "a.zip").read_bytes()


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as zipped:
        return {name: zipped.read(name) for name in zipped.namelist()}


def rezipped(there: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> io.BytesIO:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as zipped:
        for name, content in there.items():
            zipped.writestr(name, content)
    return out


def with_manifest(data: bytes, **changes) -> io.BytesIO:
    there = members(data)
    manifest = {**json.loads(there[MANIFEST]), **changes}
    return rezipped({**there, MANIFEST: json.dumps(manifest).encode()})


def refused(file) -> str:
    with pytest.raises(UserError) as error:
        verify(file, "a.zip")
    assert str(error.value).startswith("a.zip")
    assert error.value.sentence.endswith(".")
    return str(error.value)


def test_what_is_packed_comes_back(tmp_path: Path) -> None:
    folder = files(tmp_path / "files")
    made = pack(folder, ABOUT, tmp_path / "a.zip")
    back = unpack(tmp_path / "a.zip", tmp_path / "back")
    assert back == made == verify(tmp_path / "a.zip")
    assert (back.model, back.options, back.directions) == (ABOUT.model, ABOUT.options, ABOUT.directions)
    assert {path.name: path.read_bytes() for path in (tmp_path / "back").iterdir()} == {
        path.name: path.read_bytes() for path in folder.iterdir()
    }


def test_equal_contents_make_equal_files(tmp_path: Path) -> None:
    for name in ("one", "two"):
        pack(files(tmp_path / name), ABOUT, tmp_path / f"{name}.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_what_safetensors_itself_writes_is_taken(tmp_path: Path) -> None:
    written = save(
        {"x": np.zeros((3, 0)), "y": np.ones((2, 2), dtype=np.float16), "z": np.array(1.0)}, {"made": "here"}
    )
    pack(files(tmp_path / "files", **{"more.safetensors": written}), ABOUT, tmp_path / "a.zip")
    verify(tmp_path / "a.zip")


@pytest.mark.parametrize("name", ["model.pkl", "model.pt", "a.bin", "x.npy", ".hidden.txt", "a b.txt", MANIFEST])
def test_a_model_cannot_put_other_files_into_it(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="holds no file like"):
        pack(files(tmp_path / "files", **{name: b"{}"}), ABOUT, tmp_path / "a.zip")


@pytest.mark.parametrize("data", [b"", b"PK", b"no zip at all", b"PK\5\6" + bytes(18), bytes(100_000)])
def test_a_file_that_is_no_zip(data: bytes) -> None:
    assert "a.zip: The file is not a checkpoint" in refused(io.BytesIO(data))


@pytest.mark.parametrize("cut", [1, 10, 22, 100, 0.5, 0.99])
def test_a_file_that_was_cut(packed: bytes, cut: float) -> None:
    left = packed[: int(len(packed) * cut)] if isinstance(cut, float) else packed[:-cut]
    refused(io.BytesIO(left))


def test_something_behind_or_before_it(packed: bytes) -> None:
    refused(io.BytesIO(packed + b"MZ"))


@pytest.mark.parametrize(
    "name", ["../evil.txt", "/etc/passwd.txt", "a/b.txt", "a\\b.txt", "C:x.txt", "..", "é.txt", "a\n.txt"]
)
def test_names_that_are_paths_or_odd(packed: bytes, name: str, tmp_path: Path) -> None:
    hostile = rezipped({**members(packed), name: b"evil"})
    assert "name is a path" in refused(hostile)
    with pytest.raises(UserError):
        unpack(hostile, tmp_path / "in" / "here")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_name_that_ends_before_a_nul(packed: bytes) -> None:
    data = rezipped({**members(packed), "evilXtxt.txt": b"evil"}).getvalue().replace(b"evilXtxt", b"evil\0txt")
    assert "odd characters" in refused(io.BytesIO(data))


@pytest.mark.parametrize("name", ["model.pkl", "weights.pt", "code.py"])
def test_members_of_other_kinds(packed: bytes, name: str) -> None:
    there = {**members(packed), name: b"\x80\x04."}
    manifest = json.loads(there[MANIFEST])
    manifest["files"][name] = {"sha256": "0" * 64, "size": 3}
    there[MANIFEST] = json.dumps(manifest).encode()
    assert "safetensors, JSON and plain text alone" in refused(rezipped(there))


def test_a_member_twice(packed: bytes) -> None:
    out = rezipped(members(packed))
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(out, "a") as zipped:
        zipped.writestr("words.txt", "others")
    assert "occurs twice" in refused(out)


def test_a_link(packed: bytes) -> None:
    out = rezipped({name: content for name, content in members(packed).items() if name != "words.txt"})
    link = zipfile.ZipInfo("words.txt")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(out, "a") as zipped:
        zipped.writestr(link, "/etc/passwd")
    assert "is a link" in refused(out)


def test_a_bomb_is_not_even_opened(packed: bytes) -> None:
    bomb = rezipped({**members(packed), "words.txt": bytes(30_000_000)}, zipfile.ZIP_DEFLATED)
    assert "compressed or locked" in refused(bomb)


def test_members_that_share_their_bytes(packed: bytes) -> None:
    """A zip whose list names the same bytes many times would grow on every unpacking."""
    there = {f"m{number}.txt": b"x" * 1000 for number in range(20)}
    out = rezipped(there)
    data = bytearray(out.getvalue())
    first = None
    place = 0
    while (place := data.find(b"PK\1\2", place)) >= 0:
        first = first if first is not None else struct.unpack_from("<L", data, place + 42)[0]
        struct.pack_into("<L", data, place + 42, first)
        struct.pack_into("<2L", data, place + 20, 15_000, 15_000)
        place += 4
    assert "larger than the file" in refused(io.BytesIO(bytes(data)))


def test_a_long_list_of_members_is_not_read() -> None:
    many = rezipped({f"m{number}.txt": b"" for number in range(201)})
    assert "more than 200 members" in refused(many)
    honest = rezipped({"a.txt": b""}).getvalue()
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, 2**31, 0, 0)
    assert "more than 200 members" in refused(io.BytesIO(honest[:-22] + end))
    record = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, 10**6, 10**6, 10**8, 0)
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, len(honest) - 22, 1)
    assert "more than 200 members" in refused(io.BytesIO(honest[:-22] + record + locator + honest[-22:]))


@pytest.mark.parametrize("name", ["weights.safetensors", "model.json", "words.txt"])
def test_one_changed_byte_in_any_member(packed: bytes, name: str) -> None:
    content = bytearray(members(packed)[name])
    content[-2] ^= 1
    refused(rezipped({**members(packed), name: bytes(content)}))


def test_a_member_too_many_or_too_few(packed: bytes) -> None:
    assert "new.txt is not named" in refused(rezipped({**members(packed), "new.txt": b"x"}))
    there = members(packed)
    del there["words.txt"]
    assert "words.txt is not in the file" in refused(rezipped(there))
    del there[MANIFEST]
    assert f"has no {MANIFEST}" in refused(rezipped(there))


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"format": "restyle checkpoint 99"}, "form"),
        ({"model": 7}, "model"),
        ({"model": "x" * 61}, "model"),
        ({"options": {"a": []}}, "options"),
        ({"directions": [["a"]]}, "directions"),
        ({"directions": [["a", ""]]}, "directions"),
        ({"trained": 1}, "trained"),
        ({"versions": {"torch": None}}, "versions"),
        ({"files": {"words.txt": {"sha256": 1, "size": 2}}}, "files"),
        ({"files": {"words.txt": {"sha256": "a", "size": True}}}, "files"),
        ({"files": []}, "files"),
    ],
)
def test_a_manifest_that_is_not_as_it_should_be(packed: bytes, changes: dict, part: str) -> None:
    assert part in refused(with_manifest(packed, **changes))


@pytest.mark.parametrize("text", [b"[" * 100_000, b'{"a":' * 70 + b"1" + b"}" * 70, b"NaN", b"\xff", b"{", b"7" * 5000])
def test_json_that_is_too_deep_or_none(packed: bytes, text: bytes) -> None:
    refused(rezipped({**members(packed), MANIFEST: text}))


def test_a_manifest_that_is_too_long(packed: bytes) -> None:
    assert "too long" in refused(rezipped({**members(packed), MANIFEST: b" " * 1_000_001}))


@pytest.mark.parametrize(
    "changed",
    [
        {"dtype": "F1"}, {"dtype": ["F32"]}, {"shape": [2]}, {"shape": [-1]}, {"shape": "1"}, {"shape": [0.5]},
        {"shape": [1] * 100}, {"shape": [2**62, 2**62]}, {"data_offsets": [0, 8]}, {"data_offsets": [28, 36]},
        {"data_offsets": [24]}, {"data_offsets": [32, 24]}, {"data_offsets": [24, 10**12]},
    ],
)  # fmt: skip
def test_tensors_whose_header_lies(tmp_path: Path, changed: dict) -> None:
    pack(files(tmp_path / "files", **{"weights.safetensors": tensors(**changed)}), ABOUT, tmp_path / "a.zip")
    assert "a.zip, weights.safetensors" in refused(tmp_path / "a.zip")


@pytest.mark.parametrize("data", [b"", b"1234567", b"\xff" * 8, (10**9).to_bytes(8, "little") + b"{}", bytes(8)])
def test_tensors_without_a_header(tmp_path: Path, data: bytes) -> None:
    pack(files(tmp_path / "files", **{"weights.safetensors": data}), ABOUT, tmp_path / "a.zip")
    refused(tmp_path / "a.zip")


@pytest.mark.parametrize(("data", "said"), [(b"a\0b", "NUL"), (b"\xff\xfe", "UTF-8"), (b"\xc3", "UTF-8")])
def test_texts_that_are_none(tmp_path: Path, data: bytes, said: str) -> None:
    pack(files(tmp_path / "files", **{"words.txt": data}), ABOUT, tmp_path / "a.zip")
    assert said in refused(tmp_path / "a.zip")


@given(seed=st.integers(0, 2**32), changes=st.integers(1, 20))
def test_no_flipped_byte_leads_anywhere_but_to_a_sentence(packed: bytes, seed: int, changes: int) -> None:
    """Either it is refused with one sentence, or what it holds is still what the manifest says."""
    chance, data = random.Random(seed), bytearray(packed)  # noqa: S311
    for _ in range(changes):
        data[chance.randrange(len(data))] = chance.randrange(256)
    _refused_or_whole(bytes(data), packed)


@given(data=st.data())
def test_no_cut_or_doubled_piece_either(packed: bytes, data: st.DataObject) -> None:
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(packed))] * 2)))
    piece = data.draw(st.sampled_from([b"", packed[start:end] * 2, bytes(end - start), b"PK\5\6" + bytes(18)]))
    _refused_or_whole(packed[:start] + piece + packed[end:], packed)


def _refused_or_whole(changed: bytes, packed: bytes) -> None:
    said = manifest = None
    try:
        manifest = verify(io.BytesIO(changed), "a.zip")
    except UserError as error:
        said = error.sentence
    if manifest is None:
        assert said
        assert said.endswith(".")
    else:
        whole = json.loads(members(packed)[MANIFEST])["files"]
        assert {name: one["sha256"] for name, one in manifest.files.items()} == {
            name: one["sha256"] for name, one in whole.items()
        }
