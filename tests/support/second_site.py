"""Run in a process of its own on the empty database of a second site: pull, apply, release, as JSON.

It gets {"target", "model", "token", "archive", "folder"} and writes the files of its release into the folder.
"""

import json
import sys
from pathlib import Path

import django

django.setup()

from django.core.management import call_command  # noqa: E402

from accounts.models import Person  # noqa: E402
from annotation.actions.make_release import make_release  # noqa: E402
from annotation.actions.start_gold_import import bring_gold_in  # noqa: E402
from annotation.gold.release.downloads import checked_pieces  # noqa: E402
from annotation.models import GoldImport  # noqa: E402
from annotation.tasks import import_gold  # noqa: E402
from corpora.actions.create_study import create_study  # noqa: E402
from corpora.models import Study  # noqa: E402
from evaluation.models import MetricScore  # noqa: E402
from integrations.publishing.actions.start_pull import start_pull  # noqa: E402
from integrations.publishing.tasks import publish  # noqa: E402
from modelserving.models import Checkpoint  # noqa: E402

FILES = ("gold.jsonl", "gold.csv")


def pulled(study, target, token, **fields):
    made = start_pull(study=study, by=None, target=target, access_token=token, **fields)
    publish(made.job_id)
    made.refresh_from_db()
    made.job.refresh_from_db()
    assert made.job.state == "done", made.job.error
    return made.result


def released(study, came, folder):
    gold = GoldImport.objects.get(pk=came["gold_import"])
    import_gold(gold.job_id)
    gold.refresh_from_db()
    import_gold(bring_gold_in(gold_import=gold, by=None).job_id)
    release = make_release(study=study, settings={"forms": ["jsonl", "csv"], "from": "imported"})
    for name in FILES:
        (folder / name).write_bytes(b"".join(checked_pieces(release.files.get(name=name))))


def scores_of(study):
    metrics = {one.key: (one.name, one.version, one.signature) for one in study.imported_metrics.all()}
    rows = MetricScore.objects.filter(system__study=study, metric__in=metrics).order_by("metric", "system__number")
    numbers = dict(study.directions.get().sentences.values_list("pk", "number"))
    return [
        [*metrics[row.metric], row.system.name, [[numbers[pk], value] for pk, value in zip(row.sentence_ids,
         row.sentences, strict=True)]]
        for row in rows.select_related("system")
    ]  # fmt: skip


def main(given):
    call_command("migrate", verbosity=0, interactive=False)
    here = {"people": Person.objects.count(), "studies": Study.objects.count()}
    folder = Path(given["folder"])
    empty = create_study(slug="empty", title="Empty", styles=["informal", "formal"])
    released(empty, pulled(empty, given["target"], given["token"]), folder)
    model = pulled(empty, given["model"], given["token"], model=True)
    call_command("apply_study", given["archive"], stdout=sys.stderr)
    applied = Study.objects.exclude(pk=empty.pk).get()
    return {**here, "model": Checkpoint.objects.get(pk=model["checkpoint"]).sha256, "scores": scores_of(applied)}


if __name__ == "__main__":
    print(json.dumps(main(json.load(sys.stdin))))  # noqa: T201
