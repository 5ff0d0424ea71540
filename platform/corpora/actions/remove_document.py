from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Document, Removal, Sentence
from corpora.trash import move_to_trash
from foundation.errors import UserError


@audited
@transaction.atomic
def remove_document(*, document: Document, by: Any = None) -> Removal:
    """Take a document out of the study with its sentences, links and groups.

    A UserError where sources were selected from it, or a campaign asks about it.
    """
    study = document.study
    lock_study(study)
    if Sentence.objects.filter(origin__document=document).exists():
        raise UserError("Sources were selected from this document; remove them first.")
    rows = {Document: [document.pk]}
    return move_to_trash(study=study, kind=Removal.Kind.DOCUMENT, name=str(document), rows=rows, by=by)
