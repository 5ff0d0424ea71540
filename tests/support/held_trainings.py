"""Trainings by real workers that a lock of the test's holds at a place, so that 'the middle' is no luck."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.db import connection
from support.processes import wait_until

from jobs.models import Job
from modelserving.actions.start_training import start_training
from modelserving.models import TrainingRun

OPTIONS = {
    "seq2seq": {"hidden": 8, "embedding": 8, "batch": 4, "epochs": 25, "patience": 0, "keep_every": 7},
    "transformer": {
        "hidden": 8, "layers": 1, "heads": 2, "feedforward": 16, "subwords": 200, "warmup": 9, "batch": 4, "epochs": 12,
        "patience": 0, "keep_every": 5,
    },
    "controlled_gen": {  # held when all of its losses count
        "hidden": 8, "embedding": 8, "content": 4, "style": 4, "filters": 4, "pretraining": 2, "kl_warmup": 5,
        "batch": 4, "epochs": 8, "patience": 0, "keep_every": 5,
    },
    "unts": {  # likewise
        "hidden": 8, "embedding": 8, "layers": 1, "filters": 2, "rate": 0.001, "adversarial_begin": 4, "batch": 8,
        "epochs": 8, "keep_every": 5,
    },
    "style_transformer": {  # likewise: behind the pretraining
        "hidden": 8, "layers": 1, "heads": 2, "feedforward": 16, "pretrain": 6, "discriminator_updates": 2,
        "generator_updates": 2, "batch": 4, "epochs": 8, "patience": 0, "keep_every": 5,
    },
    "delete_and_retrieve": {
        "hidden": 8, "embedding": 8, "threshold": 1.5, "least_content": 0, "batch": 4, "epochs": 8, "patience": 0,
        "keep_every": 5,
    },
}  # fmt: skip
HELD = 4711
HOLD = """
    CREATE FUNCTION wait_for_the_test() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock({held}); RETURN NEW; END $$;
    CREATE TRIGGER wait_for_the_test BEFORE UPDATE OF samples ON modelserving_trainingrun FOR EACH ROW
        WHEN (jsonb_array_length(NEW.samples) = {looks}) EXECUTE FUNCTION wait_for_the_test();
"""
# pg_locks has the locks of all databases of the server, those of the tests that run beside this one among them.
WAITING = """
    SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = %s
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
PATIENCE = 240  # seconds: a worker imports PyTorch


@contextmanager
def held(looks: int = 3) -> Iterator[None]:
    """Trainings cannot go on behind that look at the tune set until the block ends."""
    options = {key: value for key, value in connection.get_connection_params().items() if key != "context"}
    options.pop("cursor_factory", None)
    with psycopg.connect(**options, autocommit=True) as other:
        other.execute("SELECT pg_advisory_lock(%s)", [HELD])
        other.execute(HOLD.format(held=HELD, looks=looks))
        try:
            yield
        finally:
            other.execute("SELECT pg_advisory_unlock(%s)", [HELD])
            other.execute("DROP FUNCTION wait_for_the_test CASCADE")


def start(study, model="seq2seq", **given) -> TrainingRun:
    return start_training(study=study, model=model, options={**OPTIONS[model], **given}, device="cpu", by=None)


def row(run) -> Job:
    return Job.objects.get(pk=run.job_id)


def wait_for(run, state) -> TrainingRun:
    wait_until(lambda: row(run).state == state or row(run).is_over, lambda: _instead(row(run), state), PATIENCE)
    assert row(run).state == state, _instead(row(run), state)
    return TrainingRun.objects.get(pk=run.pk)


def _instead(job: Job, state: str) -> str:
    return f"The job did not become {state} but {job.state}, at {job.done} of {job.total}, {job.process}: {job.log}"


def wait_for_the_middle(run):
    """Something was kept, and more is to come."""
    wait_until(lambda: run.checkpoints.filter(kind="last").exists(), "Nothing was kept", PATIENCE)


def wait_until_held():
    """A training stands at the look that is held: the epochs before it are in storage, and more are to come."""

    def waits() -> bool:
        with connection.cursor() as cursor:
            cursor.execute(WAITING, [HELD])
            return cursor.fetchone()[0] == 1

    wait_until(waits, "The training did not come to the look that is held", PATIENCE)


def weights(run) -> dict[str, str]:
    """The digests of all tensors that were kept, those of the optimizer among them, by checkpoint and file."""
    kept = {f"{one.kind}/{name}": file["sha256"] for one in run.checkpoints.all()
            for name, file in one.manifest["files"].items() if name.endswith(".safetensors")}  # fmt: skip
    assert {one.partition("/")[0] for one in kept} == {"best", "last"}
    assert "last/optimizer.safetensors" in kept
    return kept


def curves(run) -> list[tuple[str, list]]:
    """But for the speed, which is never the same twice."""
    return [(curve.name, curve.values) for curve in run.curves.exclude(name="tokens a second").order_by("name")]
