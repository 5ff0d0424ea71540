"""Where a writer of Parquet writes what is streamed on."""

from typing import Any


class WriteBuffer:
    """Keeps what the writer writes until it is drained; the writer asks how far it came, and never goes back."""

    closed = False

    def __init__(self) -> None:
        self.parts, self.place = list[bytes](), 0

    def write(self, data: Any, /) -> int:
        self.parts.append(bytes(data))
        self.place += len(self.parts[-1])
        return len(self.parts[-1])

    def tell(self) -> int:
        return self.place

    def flush(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """Nothing is open."""

    def writable(self) -> bool:
        return True

    def readable(self) -> bool:
        return False

    def seekable(self) -> bool:
        return False

    def drain(self) -> bytes:
        parts, self.parts = self.parts, []
        return b"".join(parts)
