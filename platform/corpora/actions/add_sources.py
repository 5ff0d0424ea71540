from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import Max

from accounts.trail import recorded
from corpora.actions.lock_study import lock_study
from corpora.bulk import copy_rows
from corpora.heldout import held_places, told
from corpora.models import Direction, Sentence
from foundation.errors import UserError, first_five


class Added(NamedTuple):
    """How many sources came in; the places (from 0) of those that did not, and a sentence about them."""

    count: int
    left_out: frozenset[int] = frozenset()
    said: str = ""


@recorded
@transaction.atomic
def add_sources(
    *, direction: Direction, texts: Sequence[str], split: str = Sentence.Split.TEST, domain: str = ""
) -> Added:
    """Add source sentences behind those that a direction has.

    To train or tune on, texts that are held out (`corpora.heldout`) are left out and counted.
    """
    lock_study(direction.study)
    empty = [number for number, text in enumerate(texts, 1) if not text.strip()]
    if empty:
        raise UserError(f"Sources may not be empty; these lines are: {first_five(empty)}.", where="sources")
    if split not in Sentence.Split.values:
        raise UserError(f"'{split}' is no split; it is train, tune or test.", where="split")
    places = held_places(direction.study, split, texts)
    said = told(Counter(filter(None, places)), "sentences")
    kept = [text for text, place in zip(texts, places, strict=True) if not place]
    if texts and not kept:
        raise UserError(f"No source is new to train or tune on; {said[:1].lower()}{said[1:]}", where="sources")
    last = direction.sentences.aggregate(last=Max("number"))["last"] or 0
    rows = ((direction.pk, number, text, split, domain) for number, text in enumerate(kept, last + 1))
    copy_rows(Sentence, ["direction", "number", "text", "split", "domain"], rows)
    return Added(len(kept), frozenset(n for n, place in enumerate(places) if place), said)
