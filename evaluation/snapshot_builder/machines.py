"""Judgements of language models as raters, read apart from people's, and among these only where asked by name."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotation.effective_annotations import judged_answers
from annotation.models import MachineRater
from corpora.models import Study
from evaluation.models import HumanStudy, ReportChoice
from evaluation.snapshot import CriterionJudgements
from evaluation.snapshot_builder.compared_sets import ComparedSet, compared_sets, names_by_campaign
from evaluation.snapshot_builder.judgements import (
    AFTER_IMPORTS,
    JudgementTable,
    Row,
    criterion_scales,
    judged_outputs,
    judgements_by_criterion,
    table_of_rows,
    withheld_campaigns,
)
from evaluation.snapshot_builder.texts import StudyTexts
from foundation.text_keys import text_key


@dataclass(frozen=True)
class MachineReading:
    """A machine by the name that marks it, the signature of its answers, and its judgements: as they were given, and by
    criterion as those of systems. `counted`: it was asked for by name, and counts among people."""

    name: str
    signature: str
    judgement_table: JudgementTable
    judgements: Mapping[str, CriterionJudgements]
    counted: bool


def machines_of(study: Study) -> list[MachineRater]:
    """The machines whose answers may be read: without those beside an open human study that withholds comparison."""
    open_ones = study.human_studies.filter(state=HumanStudy.State.OPEN).prefetch_related("campaigns")
    withheld = {campaign.pk for one in open_ones if one.withholds for campaign in one.campaigns.all()}
    rows = MachineRater.objects.filter(of__study=study).select_related("campaign", "of")
    return [machine for machine in rows if machine.of_id not in withheld]


def counted_machines(study: Study) -> list[MachineRater]:
    """Those that the study counts among people, since somebody named them."""
    chosen = ReportChoice.objects.filter(study=study).values_list("machines", flat=True).first() or []
    return [machine for machine in machines_of(study) if machine.name in chosen]


def rows_of(machine: MachineRater, sets: Mapping[int, ComparedSet]) -> Iterator[Row]:
    """Its judgements, as rows of a table of judgements; `sets` names what campaigns compare, by theirs."""
    compared = sets.get(machine.of_id)
    names = {} if compared is None else {compared.kind: compared.criterion}
    for answer in judged_answers([machine.campaign]):
        for text, criterion, value in answer.said:
            name = names.get(criterion, criterion)
            yield AFTER_IMPORTS, answer.sentence, text_key(text), name, machine.shown, float(value)


def read_machines(
    study: Study, texts: StudyTexts, machines: Sequence[MachineRater], counted: Sequence[MachineRater]
) -> Sequence[MachineReading]:
    """Each of the machines that has judged something; `counted` are those among people."""
    sets = names_by_campaign(compared_sets(study, withheld_campaigns(study)))
    return [
        _reading(study, texts, machine, rows, machine in counted)
        for machine in machines
        if (rows := list(rows_of(machine, sets)))
    ]


def _reading(
    study: Study, texts: StudyTexts, machine: MachineRater, rows: list[Row], counted: bool
) -> MachineReading:  # fmt: skip
    given = table_of_rows([rows], texts.unit_of)
    shown = judged_outputs(texts, given)
    scales = criterion_scales(study, given)
    judgements = judgements_by_criterion(scales, given, lambda _: shown, texts.units.home)
    return MachineReading(machine.shown, machine.signature, given, judgements, counted)
