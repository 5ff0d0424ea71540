"""Files on their way out: the headers of a download, and a file that is written whole or not at all."""

import base64
from collections.abc import Iterable
from pathlib import Path


def as_attachment(name: str, size: int | None = None, sha256: str = "") -> dict[str, str]:
    """Have a browser store it as `name`; by its digest (hexadecimal) the receiver sees whether it is complete."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    if size is not None:
        headers["Content-Length"] = str(size)
    if sha256:
        digest = base64.b64encode(bytes.fromhex(sha256)).decode()
        headers |= {"ETag": f'"{sha256}"', "Repr-Digest": f"sha-256=:{digest}:"}  # RFC 9530
    return headers


def write_atomically(to: Path, chunks: Iterable[bytes]) -> None:
    """Write beside its place first, then move it there, so that half a file never has its name."""
    part = to.with_name(f"{to.name}.part")
    try:
        with part.open("wb") as file:
            file.writelines(chunks)
        part.replace(to)
    finally:
        part.unlink(missing_ok=True)
