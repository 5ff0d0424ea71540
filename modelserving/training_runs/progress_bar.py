"""A training at the command line: a bar that says how far it is, besides all that its page shows."""

from typing import Any

from tqdm import tqdm

from modelserving.training.callbacks import Stopped
from modelserving.training_runs.run_callbacks import RunCallbacks

SPEED = "tokens a second"


class ProgressBarCallbacks(RunCallbacks):
    """Draws on standard error. `stop` asks the training to stop at its next step, as Ctrl-C does."""

    asked_to_stop = False

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._bar = tqdm(desc=self.run.name, unit="step", dynamic_ncols=True)
        self._shown: dict[str, str] = {}

    @classmethod
    def stop(cls, *signal: Any) -> None:
        cls.asked_to_stop = True

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
        self._bar.close()
