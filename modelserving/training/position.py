"""Where a training is."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

FILE = "position.json"


@dataclass
class Position:
    """`step` counts batches, `updates` what was made of them; `best` and `waited` are of tune scores.

    `due`: a tune score is to come before anything else.
    `sums` and `counts` are those of the losses since the last point of their curves.
    """

    epoch: int = 0
    batch: int = 0
    step: int = 0
    best: float | None = None
    waited: int = 0
    done: bool = False
    sums: dict[str, float] = field(default_factory=dict)
    counts: dict[str, float] = field(default_factory=dict)
    updates: int = 0
    due: bool = False

    def write(self, folder: Path) -> None:
        (folder / FILE).write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> "Position":
        return cls(**json.loads((folder / FILE).read_text(encoding="utf-8")))
