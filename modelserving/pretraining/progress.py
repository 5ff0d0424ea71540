"""What a pretraining tells at the command line, and the newest of its numbers, which pretraining.json has."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from modelserving.training.callbacks import Kept
from modelserving.training.progress_bar import BarCallbacks

POINTS = "points.json"


class PretrainingCallbacks(BarCallbacks):
    """A bar; `latest` has the last point of each curve, also where a pretraining goes on."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        path = self.folder / POINTS
        self.latest: dict[str, float] = json.loads(path.read_text()) if path.exists() else {}

    def title(self) -> str:
        return self.folder.parent.name

    def point(self, curve: str, step: int, value: float) -> None:
        super().point(curve, step, value)
        self.latest[curve] = value

    def keep(self, what: Kept, write: Callable[[Path], None]) -> None:
        super().keep(what, write)
        draft = self.folder / f".{POINTS}"
        draft.write_text(json.dumps(self.latest))
        draft.rename(self.folder / POINTS)
