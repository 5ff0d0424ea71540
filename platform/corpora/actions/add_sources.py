from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.database import copy_rows
from corpora.models import Direction, Sentence
from corpora.splits import HeldOut, held_places, left_out_message
from foundation.errors import UserError, first_five


@dataclass(frozen=True)
class Added:
    """How many sources came in; the places (from 0) of those that did not, and a sentence about them."""

    count: int
    left_out: frozenset[int] = frozenset()
    said: str = ""


@audited
@transaction.atomic
def add_sources(
    *,
    direction: Direction,
    texts: Sequence[str],
    split: str | Sequence[str] = Sentence.Split.TEST,
    domain: str | Sequence[str] = "",
    origins: Sequence[int | None] = (),
    hold_out: bool = True,
) -> Added:
    """Add source sentences behind those that a direction has; `split` and `domain` hold for all, or are one for each.

    To train or tune on, texts that are held out (`corpora.splits`) are left out and counted, unless not
    `hold_out`; those that come in at once to test on hold out too. `origins` are the keys of the documents' sentences
    that they are, one for each.
    """
    lock_study(direction.study)
    empty = [number for number, text in enumerate(texts, 1) if not text.strip()]
    if empty:
        raise UserError(
            "Sources cannot be empty; these lines are empty: {empty}.", empty=first_five(empty), where="sources"
        )
    splits = [split] * len(texts) if isinstance(split, str) else split
    domains = [domain] * len(texts) if isinstance(domain, str) else domain
    distinct = [split] if isinstance(split, str) else list(dict.fromkeys(splits))
    places = _held(direction, texts, splits, distinct) if hold_out else [""] * len(texts)
    said = left_out_message(Counter(filter(None, places)), "sentences")
    rows = zip(texts, splits, domains, origins or [None] * len(texts), strict=True)
    kept = [row for row, place in zip(rows, places, strict=True) if not place]
    if texts and not kept:
        raise UserError(
            "No new source is left for training or tuning; {said}",
            said=said[:1].lower() + said[1:],
            where="sources",
        )
    last = direction.sentences.aggregate(last=Max("number"))["last"] or 0
    numbered = ((direction.pk, number, *row) for number, row in enumerate(kept, last + 1))
    copy_rows(Sentence, ["direction", "number", "text", "split", "domain", "origin"], numbered)
    return Added(len(kept), frozenset(n for n, place in enumerate(places) if place), said)


def _held(direction: Direction, texts: Sequence[str], splits: Sequence[str], distinct: Sequence[str]) -> list[str]:
    """For each text held out of its split, the place where it already occurs; "" for the other texts."""
    for one in distinct:
        if one not in Sentence.Split.values:
            raise UserError("'{one}' is not a split; the splits are train, tune and test.", one=one, where="split")
    if len(distinct) < 2:
        return held_places(direction.study, distinct[0] if distinct else "", texts)
    held, places = HeldOut(direction.study), [""] * len(texts)
    by_split = {one: [place for place, split in enumerate(splits) if split == one] for one in distinct}
    for one, own in by_split.items():
        held.add(one, [texts[place] for place in own])
    for one, own in by_split.items():
        for place, where in zip(own, held.places(one, [texts[place] for place in own]), strict=True):
            places[place] = where
    return places
