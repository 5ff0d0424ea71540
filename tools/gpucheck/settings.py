"""What a check is told: where it works, and how large."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class CheckSettings:
    """`name` of the check, `device` ("cpu", "cuda:0"), `small` sizes, and a `folder` of its own."""

    name: str
    device: str
    small: bool
    folder: Path

    @property
    def on_gpu(self) -> bool:
        return self.device.startswith("cuda")

    def dumped(self) -> str:
        """As JSON, for the process of the check."""
        return json.dumps({**asdict(self), "folder": str(self.folder)})

    @classmethod
    def loaded(cls, text: str) -> "CheckSettings":
        said = json.loads(text)
        return cls(said["name"], said["device"], said["small"], Path(said["folder"]))


class CheckFailed(Exception):
    """What was found is not as it should be; `found` says what it is."""

    def __init__(self, sentence: str, found: Mapping[str, object]) -> None:
        super().__init__(sentence)
        self.found = found


class Skipped(Exception):
    """It cannot be checked here, for the reason that is said."""
