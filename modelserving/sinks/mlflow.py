"""MLflow: the tracking server of MLFLOW_TRACKING_URI, or a folder of files below RESTYLE_DATA where there is none."""

import os
import time
from collections.abc import Mapping, Sequence

from modelserving.sinks import Point, Report, Sink, Subject

MOST_AT_ONCE = 1_000  # metrics of a request, which is MLflow's own limit
KEY = "restyle.key"


class Tracked(Report):
    """A run of MLflow, which is found again by the training's key."""

    def __init__(self, subject: Subject) -> None:
        os.environ.setdefault("MLFLOW_ALLOW_FILE_STORE", "true")  # from version 3.7 on it asks for that
        os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
        from mlflow.tracking import MlflowClient

        place = os.environ.get("MLFLOW_TRACKING_URI") or subject.folder.absolute().as_uri()
        self._client = MlflowClient(tracking_uri=place)
        self._run = self._begun(subject)

    def _begun(self, subject: Subject) -> str:
        client, name = self._client, f"restyle-study-{subject.study}"
        found = client.get_experiment_by_name(name)
        experiment = found.experiment_id if found else client.create_experiment(name)
        runs = client.search_runs([experiment], f"tags.`{KEY}` = '{subject.key}'", max_results=1)
        if runs:
            client.update_run(runs[0].info.run_id, status="RUNNING")
            return str(runs[0].info.run_id)
        made = client.create_run(experiment, run_name=subject.name, tags={KEY: subject.key, "model": subject.model})
        for option, value in subject.numbers.items():
            client.log_param(made.info.run_id, option, value)
        return str(made.info.run_id)

    def points(self, points: Sequence[Point]) -> None:
        from mlflow.entities import Metric

        now = int(time.time() * 1000)
        metrics = [Metric(curve, value, now, step) for curve, step, value in points]
        for start in range(0, len(metrics), MOST_AT_ONCE):
            self._client.log_batch(self._run, metrics=metrics[start : start + MOST_AT_ONCE])

    def end(self, results: Mapping[str, float], *, done: bool) -> None:
        for name, value in results.items() if done else ():
            self._client.log_metric(self._run, f"result {name}", value)
        self._client.set_terminated(self._run, "FINISHED" if done else "KILLED")


class MLflow(Sink):
    program = "MLflow"
    library = "mlflow"

    def begin(self, subject: Subject) -> Report:
        return Tracked(subject)


SINK = MLflow()
