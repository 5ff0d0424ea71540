from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.database import copy_rows
from corpora.documents import Version, match_versions
from corpora.models import Document, DocumentLink, Study
from corpora.studies import check_style
from foundation.errors import UserError


@dataclass(frozen=True)
class Linked:
    """How many links were made, how many documents of the two styles fit nothing, and how many fit several."""

    linked: int
    unlinked: int
    ambiguous: int


@audited
@transaction.atomic
def link_documents(*, study: Study, source_style: str, target_style: str, by: Any = None) -> Linked:
    """Link documents of two styles whose titles are equal and whose subject codes agree (MSD, section 3.1).

    Links that stand stay, and a document that has one gets no second.
    """
    lock_study(study)
    check_style(study, source_style, "source_style")
    check_style(study, target_style, "target_style")
    if source_style == target_style:
        raise UserError("A link goes from one style to another.", where="target_style")
    found = match_versions(_unlinked(study, source_style, target_style), _unlinked(study, target_style, source_style))
    copy_rows(DocumentLink, ["study", "source", "target"], ((study.pk, *pair) for pair in found.pairs))
    return Linked(len(found.pairs), len(found.unlinked), len(found.ambiguous))


def _unlinked(study: Study, style: str, other: str) -> list[Version]:
    linked = DocumentLink.objects.filter(
        Q(source__style=style, target__style=other) | Q(source__style=other, target__style=style), study=study
    )
    taken = {pk for pair in linked.values_list("source_id", "target_id") for pk in pair}
    rows = Document.objects.filter(study=study, style=style).order_by("number").values_list("pk", "title", "codes")
    return [Version(pk, title, frozenset(codes)) for pk, title, codes in rows if pk not in taken]
