"""Documents that came after a release: they take the split of what they belong to, or are drawn as the others were."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from django.db.models import Q

from corpora.models import DocumentSentence, HeldOutText, Sentence, Study
from corpora.splits import BATCH, SPLITS, connected_components
from foundation.seeds import generator
from foundation.text_keys import text_digest

STRICTEST = tuple(reversed(SPLITS))
"""Where two splits would do, the one that keeps a text out of training."""


def late_splits(study: Study, rule: str, proportions: Mapping[str, float], seed: int) -> dict[int, str]:
    """The split of each document that has none.

    A document keeps the split in which its text was released or stands (most of its sentences), then that of its
    sources, of its versions, and of its question. Other groups are drawn, so that the whole study comes nearest to the
    proportions. Questions count by any rule but where earlier documents of one are in several splits.
    """
    rows = list(study.documents.order_by("number").values_list("pk", "question_id", "split"))
    kept = {pk: split for pk, _, split in rows if split}
    new = [pk for pk, _, split in rows if not split]
    own = _of_sources(new) | _of_texts(study, new)
    whole = rule == "question" or _questions_are_whole(rows)
    units = _together(study, [(pk, question if whole else None) for pk, question, _ in rows])
    placed: dict[int, set[str]] = defaultdict(set)
    for pk, split in (kept | own).items():
        placed[units[pk]].add(split)
    taken = {unit: _strictest(splits) for unit, splits in placed.items()}
    fresh = sorted({units[pk] for pk in new} - set(taken))
    taken |= _drawn(fresh, proportions, Counter(taken.values()), rule, seed)
    return {pk: own.get(pk) or taken[units[pk]] for pk in new}


def _strictest(splits: set[str]) -> str:
    return next(split for split in STRICTEST if split in splits)


def _questions_are_whole(rows: Sequence[tuple[int, int | None, str]]) -> bool:
    """Whether no question is in two splits."""
    pairs = {(question, split) for _, question, split in rows if question and split}
    return len(pairs) == len({question for question, _ in pairs})


def _together(study: Study, rows: Sequence[tuple[int, int | None]]) -> dict[int, int]:
    """For each document the unit that it goes with: versions of one text, and the documents of one question."""
    first: dict[int, int] = {}
    ties = list(study.document_links.values_list("source_id", "target_id"))
    ties += [(first.setdefault(question, pk), pk) for pk, question in rows if question]
    return connected_components((pk for pk, _ in rows), ties)


def _of_sources(new: Sequence[int]) -> dict[int, str]:
    """The split of each document whose sentences are sources already."""
    found: dict[int, set[str]] = defaultdict(set)
    asked = Sentence.objects.filter(origin__document__in=new).order_by()
    for document, split in asked.values_list("origin__document_id", "split").distinct():
        found[document].add(split)
    return {document: _strictest(splits) for document, splits in found.items()}


def _of_texts(study: Study, new: Sequence[int]) -> dict[int, str]:
    """The split of each document of which most sentences stand in a release, or in documents of that split."""
    keys: dict[int, list[int]] = defaultdict(list)
    stored = DocumentSentence.objects.filter(document__study=study, dropped=False).order_by("document", "number")
    for document, text in stored.filter(document__in=new).values_list("document_id", "text").iterator(BATCH):
        keys[document].append(text_digest(text))
    wanted = {key for listed in keys.values() for key in listed}
    places: dict[str, set[int]] = {split: set() for split in SPLITS}
    for split, text in stored.exclude(document__split="").values_list("document__split", "text").iterator(BATCH):
        if (key := text_digest(text)) in wanted:
            places[split].add(key)
    released = HeldOutText.objects.filter(Q(split="test") | Q(study=study), key__in=wanted).order_by()
    for split, key in released.values_list("split", "key").iterator(BATCH):
        places[split].add(key)
    return {document: split for document, listed in keys.items() if (split := _most(listed, places))}


def _most(keys: Sequence[int], places: Mapping[str, set[int]]) -> str:
    counts = {split: sum(key in places[split] for key in keys) for split in STRICTEST}
    return next((split for split in STRICTEST if 2 * counts[split] > len(keys)), "")


def _drawn(
    units: Sequence[int], proportions: Mapping[str, float], have: Counter[str], rule: str, seed: int
) -> dict[int, str]:
    """The split of each unit, in an order drawn by `seed`: each goes where most is missing."""
    drawn: dict[int, str] = {}
    for place in generator(seed, "splits", rule, "late documents").permutation(len(units)):
        total = have.total() + 1
        split = max(SPLITS, key=lambda name: proportions[name] * total / 100 - have[name])
        have[split] += 1
        drawn[units[place]] = split
    return drawn
