"""Weights & Biases, by its own variables (WANDB_API_KEY, WANDB_BASE_URL, WANDB_PROJECT).

Without WANDB_MODE it is offline: nothing leaves the machine, and `wandb sync` sends the folder when somebody wants it.
"""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from modelserving.sinks import Point, Report, Sink, Subject

STEP = "update"


class Logged(Report):
    """A run of W&B, which a worker after this one resumes by the training's key.

    Its own steps only rise, so the step of the training is a number of its own, over which curves are drawn.
    """

    def __init__(self, subject: Subject) -> None:
        import wandb

        subject.folder.mkdir(parents=True, exist_ok=True)
        mode: Any = os.environ.get("WANDB_MODE") or "offline"
        quiet = wandb.Settings(
            console="off", disable_git=True, disable_code=True, x_disable_meta=True, x_disable_stats=True, silent=True,
            x_save_requirements=False, disable_job_creation=True,
        )  # fmt: skip
        self._run = wandb.init(
            id=subject.key, name=subject.name, group=f"study {subject.study}", job_type=subject.model,
            project=os.environ.get("WANDB_PROJECT") or "restyle", config=dict(subject.numbers), resume="allow",
            mode=mode, dir=str(subject.folder), settings=quiet,
        )  # fmt: skip
        self._run.define_metric("*", step_metric=STEP)

    def points(self, points: Sequence[Point]) -> None:
        by_step: dict[int, dict[str, float]] = {}
        for curve, step, value in points:
            by_step.setdefault(step, {})[curve] = value
        for step, values in by_step.items():
            self._run.log({**values, STEP: step})

    def end(self, results: Mapping[str, float], *, done: bool) -> None:
        if done:
            self._run.summary.update(dict(results))
        self._run.finish(exit_code=0 if done else 1)


class WeightsAndBiases(Sink):
    program = "Weights & Biases"
    library = "wandb"

    def begin(self, subject: Subject) -> Report:
        return Logged(subject)


SINK = WeightsAndBiases()
