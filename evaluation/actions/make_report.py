from collections.abc import Callable

import orjson
from django.utils import timezone

from corpora.models import Study
from evaluation.models import Report
from evaluation.reporting import build_report
from evaluation.scoring import score
from evaluation.state import state_key
from evaluation.texts import texts_of


def make_report(*, study: Study, step: Callable[[int, int, str], object] = lambda done, total, line: None) -> Report:
    """Work out what scores are lacking, then the report; `step(done, total, line)` follows it, and may raise to stop.

    Every score is stored as soon as it is there, so that stopped work goes on where it was. What changes meanwhile
    makes the report out of date, since its key is taken first.
    """
    key = state_key(study)
    texts, choices = texts_of(study), list(study.metric_choices.all())
    total, done = len(texts.systems) * len(choices) + 1, 0
    for system in texts.systems:
        for choice in choices:
            step(done, total, f"{choice.metric} of {system.name}")
            score(texts, system, choice)
            done += 1
    step(done, total, "agreement and correlations")
    content = orjson.dumps(build_report(study, texts)).decode()
    report, _ = Report.objects.update_or_create(
        study=study, defaults={"key": key, "text": content, "made_at": timezone.now()}
    )
    step(total, total, "The report is ready.")
    return report
