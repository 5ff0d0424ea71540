"""A model that writes everything in capitals, from any style to any."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from modelserving.interface import Direction, Model, Transfer


class Capitals(Model):
    """Needs nothing, and keeps nothing."""

    def transfer(self, texts: Sequence[str], direction: Direction, decoding: Any) -> Iterator[str]:
        return (text.upper() for text in texts)

    def signature(self, direction: Direction, decoding: Any) -> str:
        return f"acme/shouting|{'-'.join(direction)}|version:1"


class Shouting(Transfer):
    label = "Capitals"

    def load(self, folder: Path | None, device: str = "cpu") -> Model:
        return Capitals()


TRANSFER = Shouting()
