"""One of the processes that train a run together: torchrun starts it as `python -m` of this module."""

import signal
import sys
from typing import Any

from foundation import preemption
from foundation.errors import UserError
from modelserving.training.callbacks import Preempted, Stopped
from modelserving.training.dataset import read_dataset
from modelserving.training_runs.distributed import DistributedTraining, leave, leave_outcome, rank, train_along


def main(run_id: str, holder: str, device: str) -> None:
    """Train the run; the first process leaves the outcome in the run's folder, the others only their refusals."""
    preemption.listen(signal.SIGTERM)
    import django

    django.setup()
    from jobs.execution import Progress
    from jobs.models import Job
    from modelserving.models import TrainingRun
    from modelserving.training_runs.execution import fit, folder_of
    from modelserving.training_runs.run_callbacks import RunCallbacks

    run = TrainingRun.objects.select_related("study", "direction", "job").get(pk=run_id)
    folder = folder_of(run)
    outcome: dict[str, Any] = {"done": True}
    try:
        if rank() > 0:
            train_along(DistributedTraining(str(folder), run.model, run.options, run.seed, device))
            return
        progress = Progress(Job.objects.get(pk=run.job_id, holder=holder))
        fit(run, read_dataset(folder / "data"), RunCallbacks(run, progress, folder, device))
    except Preempted:
        outcome = {"preempted": True}
    except Stopped:
        outcome = {"stopped": True}
    except UserError as error:
        leave_outcome(folder, {"refused": str(error)})
        sys.exit(1)  # torchrun ends the others, which may wait for this one
    leave_outcome(folder, outcome)
    leave()


if __name__ == "__main__":
    main(*sys.argv[1:])
