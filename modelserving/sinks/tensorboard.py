"""TensorBoard: event files below RESTYLE_DATA, for `tensorboard --logdir .data/sinks/tensorboard`."""

from collections.abc import Mapping, Sequence

from modelserving.sinks import Point, Report, Sink, Subject


class Events(Report):
    """One file of events for each worker that had the training; TensorBoard shows them as one run."""

    def __init__(self, subject: Subject) -> None:
        from torch.utils.tensorboard import SummaryWriter

        place = subject.folder / f"study-{subject.study}" / f"{subject.name}-{subject.key[:8]}"
        self._writer = SummaryWriter(str(place))
        self._step = 0
        if not subject.begun:
            self._add({f"options/{name}": value for name, value in subject.numbers.items()})

    def points(self, points: Sequence[Point]) -> None:
        for curve, step, value in points:
            self._writer.add_scalar(curve.replace(" ", "_"), value, step)
            self._step = max(self._step, step)
        self._writer.flush()

    def end(self, results: Mapping[str, float], *, done: bool) -> None:
        if done:
            self._add({f"results/{name.replace(' ', '_')}": value for name, value in results.items()})
        self._writer.close()

    def _add(self, numbers: Mapping[str, float]) -> None:
        for name, value in numbers.items():
            self._writer.add_scalar(name, float(value), self._step)


class TensorBoard(Sink):
    program = "TensorBoard"
    library = "tensorboard"

    def begin(self, subject: Subject) -> Report:
        return Events(subject)


SINK = TensorBoard()
