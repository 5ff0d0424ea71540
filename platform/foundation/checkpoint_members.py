"""Checks the files of a checkpoint without using them: tensors, JSON, lines of text."""

import codecs
import json
import math
from typing import IO, Any, NoReturn

from foundation.errors import UserError

KINDS = "safetensors, JSON and plain text"
TEXTS = (".txt", ".tsv")
LARGEST_JSON = 256_000_000  # bytes: the vocabularies and phrase tables are texts, not JSON
LARGEST_HEADER = 100_000_000  # bytes, safetensors' own limit
DEEPEST = 64
MOST_SIDES = 32
CHUNK = 1 << 20
WIDTHS = {
    "BOOL": 1, "U8": 1, "I8": 1, "F8_E5M2": 1, "F8_E4M3": 1, "I16": 2, "U16": 2, "F16": 2, "BF16": 2, "I32": 4,
    "U32": 4, "F32": 4, "I64": 8, "U64": 8, "F64": 8,
}  # fmt: skip


def is_known(name: str) -> bool:
    """Whether a file of that name may be in a checkpoint."""
    return name.endswith((".safetensors", ".json", *TEXTS))


def check(name: str, stream: IO[bytes], size: int) -> None:
    """Raise a UserError where the content does not fit the name. Memory: a chunk, a header, or a whole JSON."""
    if name.endswith(".safetensors"):
        _check_tensors(name, stream, size)
    elif name.endswith(".json"):
        if size > LARGEST_JSON:
            raise UserError("The JSON is too large.", where=name)
        json_of(stream.read(), name)
    else:
        _check_text(name, stream)


def json_of(data: bytes, name: str, *, finite: bool = False) -> Any:
    """The JSON; a UserError where it is none or too deep. With `finite` it holds no NaN and no infinity."""
    try:
        found = json.loads(data.decode(), parse_constant=_no_number if finite else float)
    except (ValueError, RecursionError):
        raise UserError("The content is not readable JSON.", where=name) from None
    if _deeper(found):
        raise UserError("The JSON is nested too deeply.", where=name)
    return found


def _no_number(text: str) -> NoReturn:
    raise ValueError(text)


def _deeper(found: Any) -> bool:
    level = [found]
    for _ in range(DEEPEST):
        level = [
            inner
            for one in level if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one) if isinstance(inner, dict | list)
        ]  # fmt: skip
        if not level:
            return False
    return True


def _check_text(name: str, stream: IO[bytes]) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        while part := stream.read(CHUNK):
            if "\0" in decoder.decode(part):
                raise UserError("The text holds a NUL character.", where=name)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise UserError("The text is not in UTF-8.", where=name) from None


def _check_tensors(name: str, stream: IO[bytes], size: int) -> None:
    """The header of safetensors: 8 bytes of its length, then JSON of kind, shape and place of each tensor.

    The tensors fill the rest of the file without gap or overlap (the format's own rule).
    """
    length = int.from_bytes(stream.read(8), "little")
    if size < 8 or length > min(LARGEST_HEADER, size - 8):
        raise UserError("The tensors cannot be read: the file ends before its header does.", where=name)
    header = json_of(stream.read(length), name, finite=True)
    if not isinstance(header, dict):
        raise UserError("The header of the tensors is malformed.", where=name)
    header.pop("__metadata__", None)
    end = 0
    for begin, stop in sorted(_place(name, key, tensor) for key, tensor in header.items()):
        if begin != end:
            raise UserError("Tensors overlap, or there is a gap between them.", where=name)
        end = stop
    if end != size - 8 - length:
        raise UserError("The tensors do not fill the file.", where=name)


def _place(name: str, key: str, tensor: Any) -> tuple[int, int]:
    """The place of a tensor: its first byte and its end."""
    where = f"{name}, {key[:80]!r}"
    parts = tensor if isinstance(tensor, dict) else {}
    shape, place, width = (
        _whole(parts.get("shape")),
        _whole(parts.get("data_offsets")),
        WIDTHS.get(str(parts.get("dtype"))),
    )
    if shape is None or place is None or width is None or len(place) != 2:
        raise UserError("The header of the tensors is malformed.", where=where)
    if place[1] - place[0] != math.prod(shape) * width:
        raise UserError("A tensor's size is not that of its shape.", where=where)
    return place[0], place[1]


def _whole(values: Any) -> list[int] | None:
    """A short list of whole numbers, or None."""
    if not isinstance(values, list) or len(values) > MOST_SIDES:
        return None
    return values if all(type(value) is int and 0 <= value < 2**63 for value in values) else None
