"""Run in a process of its own on the site of test_kills: `prepare` it, or `look` at what became of it. Speaks JSON."""

import json
import sys
from pathlib import Path

import django

sys.path = [place for place in sys.path if Path(place) != Path(__file__).parent]  # whose `launcher` is another one
django.setup()

from django.db import connection, transaction  # noqa: E402
from support import campaigns as make  # noqa: E402
from support.gates import WAIT, output_gate, training_gate  # noqa: E402
from support.processes import wait_until  # noqa: E402
from support.training_studies import training_study  # noqa: E402

from accounts.actions.make_token import make_token  # noqa: E402
from annotation.blinding import Kind, key_of  # noqa: E402
from annotation.models import Answer  # noqa: E402
from corpora.models import Sentence  # noqa: E402
from foundation.options import validate_options  # noqa: E402
from jobs.models import Job  # noqa: E402
from modelserving.actions.start_training import start_training  # noqa: E402
from modelserving.actions.start_transfer import start_transfer  # noqa: E402
from modelserving.models import TrainingRun, TransferRun  # noqa: E402
from modelserving.transfer import TRANSFERS  # noqa: E402

ITEMS, OVERLAP, PEOPLE, SOURCES = 120, 3, 6, 80
AT_LOOKS, AT_SOURCES = (2, 4, 6), (20, 50, 70)  # a look an epoch; a source of each batch of 32
OPTIONS = {"hidden": 8, "embedding": 8, "batch": 4, "epochs": 8, "patience": 0, "keep_every": 3}
STYLES = ("informal", "formal")


def train(study):
    return start_training(study=study, model="seq2seq", options=OPTIONS, device="cpu", by=None)


def work(items=2000):
    """People with work."""
    campaign = make.campaign(make.study(items=items), overlap=OVERLAP)
    people = [make.person(study=campaign.study) for _ in range(PEOPLE)]
    return {
        "campaign": f"/api/studies/{campaign.study.slug}/campaigns/{campaign.slug}/",
        "people": [
            [person.pk, person.email, make_token(person=person, name="test", scopes=["annotate"], days=1)[1]]
            for person in people
        ],
    }


def prepare():
    """People with work, and two jobs, each of which waits at the first of its gates."""
    prepared = work(ITEMS)
    with transaction.atomic():
        training = train(training_study())
        transfer = start_transfer(study=make.study(SOURCES), model="rule_based_formality", name="Rules", by=None)
        shut_gates(training, transfer)
    return {**prepared, "jobs": [training.job_id, transfer.job_id]}


def shut_gates(training, transfer):
    """Gates 100, 101, 102 of the training, and 200, 201, 202 of the transfer."""
    sources = dict(Sentence.objects.filter(direction__study=transfer.study).values_list("number", "pk"))
    with connection.cursor() as cursor:
        cursor.execute(WAIT)
        for stage, (looks, source) in enumerate(zip(AT_LOOKS, AT_SOURCES, strict=True)):
            cursor.execute(training_gate(100 + stage, training.pk, looks))
            cursor.execute(output_gate(200 + stage, transfer.system_id, sources[source]))


def lost():
    """What was acknowledged and is not stored as it was, and how many answers are stored twice."""
    stored = dict(Answer.objects.values_list("pk", "content__text"))
    twice = Answer.objects.count() - Answer.objects.values("item", "person").distinct().count()
    return [text for pk, text in acknowledged_answers().items() if stored.get(pk) != text], twice


def acknowledged_answers():
    return {
        key_of(Kind.ANSWER, handle, int(person)): text
        for person, texts in json.load(sys.stdin).items()
        for handle, text in texts.items()
    }


def look():
    """What is stored, beside what it is to be: of answers what was acknowledged, of jobs what those left alone make."""
    acknowledged = acknowledged_answers()
    killed, transfer = TrainingRun.objects.get(), TransferRun.objects.get()
    left_alone = finished(train(killed.study))
    outputs = transfer.system.outputs.order_by("sentence__number").values_list("sentence__number", "text")
    return {
        "answers": [sorted(Answer.objects.values_list("pk", "content__text")), sorted(acknowledged.items())],
        "interrupted": [[one.job.attempts >= 3 for one in (killed, transfer)], [True, True]],
        "ends": [[one.job.state for one in (killed, transfer, left_alone)], [Job.State.DONE] * 3],
        "training": [made(killed), made(left_alone)],
        "outputs": [list(outputs), list(enumerate(rewritten(transfer), 1))],
    }


def finished(run):
    def job():
        return Job.objects.get(pk=run.job_id)

    wait_until(lambda: job().is_over, lambda: f"The training that is left alone does not end: {job().log}", 240)
    return TrainingRun.objects.get(pk=run.pk)


def made(run):
    """Weights, the optimizer's state, and the curves of scores."""
    kept = {checkpoint.kind: checkpoint.manifest["files"] for checkpoint in run.checkpoints.all()}
    files = [("best", "weights.safetensors"), ("last", "weights.safetensors"), ("last", "optimizer.safetensors")]
    curves = run.curves.exclude(name="tokens a second").order_by("name").values_list("name", "values")
    return [[kept[kind][name]["sha256"] for kind, name in files], list(curves), run.best]


def rewritten(run):
    texts = Sentence.objects.filter(direction__study=run.study).order_by("number").values_list("text", flat=True)
    kind = TRANSFERS[run.model]
    return kind.load(None).transfer(list(texts), STYLES, validate_options(kind.Decoding, run.settings))


print(json.dumps({"work": work, "prepare": prepare, "lost": lost, "look": look}[sys.argv[1]]()))  # noqa: T201
