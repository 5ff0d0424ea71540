from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max

from accounts.trail import recorded
from corpora.actions.lock_study import lock_study
from corpora.bulk import copy_rows
from corpora.models import Direction, Sentence
from foundation.errors import UserError, first_five


@recorded
@transaction.atomic
def add_sources(
    *, direction: Direction, texts: Sequence[str], split: str = Sentence.Split.TEST, domain: str = ""
) -> int:
    """Add source sentences behind those that a direction has; answers how many."""
    lock_study(direction.study)
    empty = [number for number, text in enumerate(texts, 1) if not text.strip()]
    if empty:
        raise UserError(f"Sources may not be empty; these lines are: {first_five(empty)}.", where="sources")
    if split not in Sentence.Split.values:
        raise UserError(f"'{split}' is no split; it is train, tune or test.", where="split")
    last = direction.sentences.aggregate(last=Max("number"))["last"] or 0
    rows = ((direction.pk, number, text, split, domain) for number, text in enumerate(texts, last + 1))
    copy_rows(Sentence, ["direction", "number", "text", "split", "domain"], rows)
    return len(texts)
