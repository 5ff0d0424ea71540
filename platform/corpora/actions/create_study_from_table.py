from collections.abc import Sequence
from typing import Any

from django.db import transaction

from corpora.actions.add_direction import add_direction
from corpora.actions.create_study import create_study
from corpora.actions.keep_table import keep_table
from corpora.models import Upload


@transaction.atomic
def create_study_from_table(
    *, slug: str, title: str, styles: Sequence[str], file: Any, by: Any, **further: Any
) -> Upload:
    """Make a study with the direction from its first style to its second, and keep a table for its texts.

    `further` are other fields of `create_study`. The table waits until somebody confirms its columns; then, unless they
    choose otherwise, the report is computed.
    """
    study = create_study(slug=slug, title=title, styles=styles, by=by, **further)
    add_direction(study=study, source_style=study.styles[0], target_style=study.styles[1])
    return keep_table(study=study, target="texts", file=file, settings={"report": "1"}, by=by)
