"""Put a scale of a study's own on its list."""

from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.models import StudyScale
from annotation.scales import canonical_line, own_scale, short_name
from corpora.actions.lock_study import lock_study
from corpora.models import Study
from foundation.errors import UserError

MOST = 100


@audited
@transaction.atomic
def add_scale(*, study: Study, line: str, by: Any = None) -> StudyScale:
    """Keep a scale that is written in one line (`annotation/rating_scales.py`)."""
    lock_study(study)
    own_scale(line)
    line = canonical_line(line)
    name = short_name(line)
    if study.scales.filter(name__iexact=name).exists():
        raise UserError("The study has a scale '{name}'; give this one another name.", name=name, where="name")
    if study.scales.count() >= MOST:
        raise UserError("A study lists at most {most} scales of its own.", most=MOST, where="name")
    return StudyScale.objects.create(study=study, name=name, line=line)
