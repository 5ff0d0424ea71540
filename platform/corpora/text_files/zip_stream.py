"""A ZIP archive written chunk by chunk to a stream that is never sought."""

from collections.abc import Iterable, Iterator
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

CHUNK = 64 * 1024
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest that ZIP knows: equal contents give equal archives


class _Sink:
    """Keeps what is written until it is drained."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def write(self, data: bytes, /) -> int:
        self.parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """Nothing is open."""

    def drain(self) -> bytes:
        parts, self.parts = self.parts, []
        return b"".join(parts)


def zip_stream(files: Iterable[tuple[str, IO[bytes]]]) -> Iterator[bytes]:
    """The archive of `files` (name, file open at its beginning) in chunks."""
    sink = _Sink()
    with ZipFile(sink, "w", ZIP_DEFLATED) as archive:
        for name, file in files:
            info = ZipInfo(name, EPOCH)
            info.compress_type = ZIP_DEFLATED
            with archive.open(info, "w", force_zip64=True) as member:
                while chunk := file.read(CHUNK):
                    member.write(chunk)
                    if ready := sink.drain():
                        yield ready
    yield sink.drain()
