"""A training at the command line: a bar that says how far it is, besides all that its page shows."""

from modelserving.training.progress_bar import BarCallbacks
from modelserving.training_runs.run_callbacks import RunCallbacks


class ProgressBarCallbacks(BarCallbacks, RunCallbacks):
    """The callbacks of a run, with a bar."""

    def title(self) -> str:
        return self.run.name
