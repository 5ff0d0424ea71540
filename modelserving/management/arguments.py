"""Helpers of the commands: options typed as NAME=VALUE, and the bar of a training."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from foundation.errors import UserError
from foundation.options import Option, Value, list_options
from modelserving.training.callbacks import Callbacks, Stopped

SPEED = "tokens a second"


class BarCallbacks(Callbacks):
    """Draws a bar on standard error, beside whatever the callbacks do that it is mixed with."""

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
        """The title before the bar."""
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


YES, NO = ("yes", "true", "1"), ("no", "false", "0")


def typed_options(kind: type, given: Sequence[str]) -> dict[str, Value]:
    """'hidden=64' as {"hidden": 64}, each of its option's type; unknown names are left for the check."""
    known = {one.name: one for one in list_options(kind)}
    options: dict[str, Value] = {}
    for one in given:
        name, sign, value = one.partition("=")
        if not sign:
            raise UserError("An option is given as NAME=VALUE.", where=one)
        options[name] = _typed(known[name], value) if name in known else value
    return options


def _typed(option: Option, value: str) -> Value:
    if isinstance(option.default, bool):
        if value.casefold() not in YES + NO:
            raise UserError("Expected yes or no.", where=option.name)
        return value.casefold() in YES
    if isinstance(option.default, str):
        return value
    whole = isinstance(option.default, int)
    try:
        return int(value) if whole else float(value)
    except ValueError:
        raise UserError("Expected a whole number." if whole else "Expected a number.", where=option.name) from None
