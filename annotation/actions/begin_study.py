"""Make a study from a template."""

from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.actions.apply_template import apply_template
from annotation.study_templates import TEMPLATES
from corpora.actions.create_study import create_study
from corpora.models import Study


@audited
@transaction.atomic
def begin_study(*, template: str, slug: str, title: str, by: Any = None) -> Study:
    """A study with the template's styles, directions, criteria and planned campaigns, and no texts yet."""
    chosen = TEMPLATES[template]
    study = create_study(slug=slug, title=title, styles=chosen.styles, by=by)
    apply_template(study=study, template=template, by=by)
    return study
