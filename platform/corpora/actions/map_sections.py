from collections.abc import Iterable
from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import SectionElement, Study
from corpora.studies import check_style
from foundation.errors import UserError


@audited
@transaction.atomic
def map_sections(*, study: Study, rows: Iterable[tuple[str, str, str]], by: Any = None) -> int:
    """Say for (style, section) which element it stands for; an empty element takes the row away. Others stay.

    Answers how many sections are mapped now. Groups are made of it by `make_groups`, again after a change.
    """
    lock_study(study)
    for style, section, element in rows:
        element = element.strip()
        check_style(study, style, "style")
        if len(section) > 200 or len(element) > 100:
            raise UserError("A section's title has at most 200 characters, an element at most 100.", where=section[:60])
        row: dict[str, Any] = {"study": study, "style": style, "section": section}
        if element:
            SectionElement.objects.update_or_create(**row, defaults={"element": element})
        else:
            SectionElement.objects.filter(**row).delete()
    return study.section_elements.count()
