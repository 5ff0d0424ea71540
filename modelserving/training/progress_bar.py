"""A training at the command line: a bar that says how far it is, and Ctrl-C that stops it at its next step."""

from pathlib import Path
from typing import Any

from tqdm import tqdm

from modelserving.training.callbacks import Callbacks, Stopped

SPEED = "tokens a second"


class BarCallbacks(Callbacks):
    """Draws on standard error, beside whatever else the callbacks do that it is mixed with."""

    asked_to_stop = False

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._bar = tqdm(desc=self.title(), unit="step", dynamic_ncols=True)
        self._shown: dict[str, str] = {}

    @classmethod
    def stop(cls, *signal: Any) -> None:
        """Ask for a stop, as the handler of a signal."""
        cls.asked_to_stop = True

    def title(self) -> str:
        """What stands before the bar."""
        return Path(self.folder).name

    def at(self, done: int, total: int) -> None:
        if self._bar.total != total:
            self._bar.total, self._bar.initial = total, done
            self._bar.reset(total)
        self._bar.update(done - self._bar.n)
        if self.asked_to_stop:
            raise Stopped
        super().at(done, total)

    def say(self, line: str) -> None:
        self._bar.write(line, file=self._bar.fp)
        super().say(line)

    def point(self, curve: str, step: int, value: float) -> None:
        self._shown[curve] = f"{value:.0f}" if curve == SPEED else f"{value:.4g}"
        self._bar.set_postfix(self._shown, refresh=False)
        super().point(curve, step, value)

    def close(self) -> None:
        """Let the bar stand as it is."""
        self._bar.close()
