"""A ZIP archive written chunk by chunk to a stream that is never sought."""

import io
from collections.abc import Iterable, Iterator
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

CHUNK = 64 * 1024
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest that ZIP knows: equal contents give equal archives


class WriteBuffer(io.RawIOBase):
    """Keeps what is written until it is drained; a writer may ask for its position, and never goes back."""

    def __init__(self) -> None:
        super().__init__()
        self.parts, self.place = list[bytes](), 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        self.parts.append(bytes(data))
        self.place += len(self.parts[-1])
        return len(self.parts[-1])

    def tell(self) -> int:
        return self.place

    def drain(self) -> bytes:
        parts, self.parts = self.parts, []
        return b"".join(parts)


def zip_stream(files: Iterable[tuple[str, IO[bytes]]]) -> Iterator[bytes]:
    """The archive of `files` (name, file open at its beginning) in chunks."""
    sink = WriteBuffer()
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
