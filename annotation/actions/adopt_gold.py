"""Make texts of the study from the work of a campaign, to train, tune and test with."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef

from accounts.audit import audited
from annotation.gold.adoption import LocatedRow, ReferenceLine, group_rows, write_texts
from annotation.gold.imports import TUNED
from annotation.gold.release.rows import produced_rows, unpaired_rows
from annotation.models import AdoptedReference, AdoptedSource, Campaign, Item
from corpora.actions.lock_study import lock_study
from corpora.database import copy_rows
from corpora.models import Output, Reference, ReferenceSet, Sentence
from foundation.errors import UserError
from foundation.options import option, validate_options

KINDS = ("rewrite", "align", "rephrase_simplify", "adapt", "verify")


@dataclass(frozen=True)
class AdoptionFields:
    """The fields of `adopt_gold`."""

    alone: bool = option(
        False, "Each sentence becomes a training source without a reference, as the unpaired half of MSD.",
        label="Include sentences that nobody was asked to work on",
    )  # fmt: skip
    tune: float = option(
        0.0, "The sample is drawn once and stays. MSD took 20.", label="Share of these for tuning, in per cent", **TUNED
    )


class Adopted(NamedTuple):
    """The sets of references, how many are in them, how many sources are new, how many were taken back, how many
    stay without a reference since something builds on them, the texts left out by where they stand, and how many
    references were taken back."""

    sets: list[ReferenceSet]
    references: int
    sources: int
    taken_back: int
    stay: int
    left: Counter[str]
    references_taken_back: int = 0


@audited
@transaction.atomic
def adopt_gold(*, campaign: Campaign, by: Any, **fields: Any) -> Adopted:
    """Make sources and references of the work that stands in a campaign and in the stages that check or redo it.

    Rewrites and MedLane's forms become references of their sources; pairs, adapted sentences and the way back become
    sources too, each in the split of the text that it comes from. With `alone` the sentences of documents that nobody
    was asked to work on are sources without a reference; `tune` per cent of those become the tune split. Only work that
    counts is taken: no pilot, nothing rejected. A further adoption writes only what has changed since, and takes back
    what does not stand any more.
    """
    if not adoptable(campaign):
        raise UserError("Only campaigns that make texts give sources and references.")
    asked = validate_options(AdoptionFields, fields)
    stages = stages_of(campaign)
    study, first = campaign.study, stages[0]
    lock_study(study)
    gold = group_rows(_given(stages, asked.alone), asked.tune)
    if not gold.sources and not _sets(first).exists():
        raise UserError("There is no gold to adopt yet.")
    known = dict(_known(first))
    texts = write_texts(study, gold, f"campaign {first.slug}", known=known, written=_keep_hands)
    copy_rows(AdoptedSource, ["campaign", "sentence", "key"], ((first.pk, *source) for source in texts.new_sentences))
    back = _take_back_references(first, texts.sentences)
    gone, stay = _take_back_sources(first, texts.in_use)
    return Adopted(texts.sets, texts.references, len(texts.new_sentences), gone, stay, texts.left_out, back)


@audited
@transaction.atomic
def take_back_gold(*, campaign: Campaign, by: Any) -> Adopted:
    """Take all adopted gold of a campaign and its stages out of the study again; the work itself stays."""
    first = stages_of(campaign)[0]
    lock_study(campaign.study)
    if not _sets(first).exists() and not first.adopted_sources.exists():
        raise UserError("Nothing was adopted from this campaign.")
    count = Reference.objects.filter(set__in=_sets(first)).count()
    _sets(first).delete()
    gone, stay = _take_back_sources(first, set())
    return Adopted([], count, 0, gone, stay, Counter(), count)


def adoptable(campaign: Campaign) -> bool:
    """Whether the products of a campaign can become texts."""
    return campaign.purpose == Campaign.Purpose.WORK and stages_of(campaign)[0].task_type in KINDS


def stages_of(campaign: Campaign) -> list[Campaign]:
    """The stages that one piece of work goes through, the first one first; the way back begins anew."""
    first = campaign
    while first.after and first.takes != Campaign.Takes.FARTHEST:
        first = first.after
    stages = [first]
    for stage in stages:
        followers = stage.followers.filter(purpose=Campaign.Purpose.WORK).exclude(takes=Campaign.Takes.FARTHEST)
        stages += [follower for follower in followers if follower not in stages]
    return stages


def _given(stages: Sequence[Campaign], alone: bool) -> Iterator[LocatedRow]:
    """The rows in the order of a release, so that an import of that release gives the same."""
    study, people = stages[0].study, Names()
    produced = [
        product_row for batch in produced_rows(study, [stage.slug for stage in stages], people) for product_row in batch
    ]
    for row, product, _ in sorted(produced, key=lambda product_row: product_row.place.order):
        yield LocatedRow(row, product.sentence_id, product.document_id, product.answer_id, tuple(product.people))
    for release_row in unpaired_rows(study) if alone else ():
        yield LocatedRow(release_row.row, ids=(int(release_row.identity.rpartition("/")[2]),))


class Names(dict[int, str]):
    """No names: gold that stays in the study needs no pseudonyms."""

    def __missing__(self, person: int) -> str:
        return ""


def _known(first: Campaign) -> Iterator[tuple[tuple[int, str], int]]:
    rows = first.adopted_sources.values_list("sentence__direction_id", "key", "sentence_id")
    yield from (((direction, key), sentence) for direction, key, sentence in rows.iterator())


def _sets(first: Campaign) -> Any:
    """The reference sets that its gold became so far."""
    return ReferenceSet.objects.filter(direction__study=first.study_id, origin__startswith=f"campaign {first.slug}, ")


def _keep_hands(rows: Iterable[tuple[int, ReferenceLine]]) -> None:
    """Store the people who had a hand in each reference: nobody judges their own."""
    rows_of_hands = ((pk, line.answer, list(line.people)) for pk, line in rows if line.answer)
    copy_rows(AdoptedReference, ["reference", "answer", "people"], rows_of_hands)


def _take_back_references(first: Campaign, sentences: Mapping[int, set[int]]) -> int:
    """Take back the references that do not stand any more: a text rejected since must not stay one. How many."""
    rows = Reference.objects.filter(set__in=_sets(first)).values_list("pk", "set_id", "sentence_id")
    gone = [pk for pk, of, sentence in rows if sentence not in sentences.get(of, ())]
    Reference.objects.filter(pk__in=gone).delete()
    return len(gone)


def _take_back_sources(first: Campaign, in_use: set[int]) -> tuple[int, int]:
    """Take back the sources that the gold lacks now, unless an output or work builds on them: how many of both."""
    adopted = first.adopted_sources.values_list("sentence_id", flat=True)
    rows = Sentence.objects.filter(pk__in=[pk for pk in adopted if pk not in in_use])
    used = rows.filter(
        Exists(Output.objects.filter(sentence=OuterRef("pk"))) | Exists(Item.objects.filter(sentence=OuterRef("pk")))
    )
    stay = set(used.values_list("pk", flat=True))
    gone = rows.exclude(pk__in=stay)
    count = gone.count()
    gone.delete()
    return count, len(stay)
