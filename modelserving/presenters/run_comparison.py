"""Runs of models beside each other: what is told of each, in rows, and in which rows they differ."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from corpora.models import Study
from foundation.errors import UserError
from foundation.translation import grouped
from modelserving.models import TrainingRun, TransferRun
from modelserving.presenters.checkpoint_facts import shown_value, training_facts
from modelserving.presenters.labels import better_in_words, duration, label_of, score_in_words

MOST = 8  # runs at a time: more columns are no table, and more lines no chart
NONE = "–"


@dataclass(frozen=True)
class ComparedRun:
    """A training or a transfer run: its name, its page, the facts and the options by name."""

    name: str
    url: str
    state: str
    state_label: str
    facts: Mapping[str, str]
    options: Mapping[str, str]
    tags: Sequence[str] = ()
    notes: str = ""


@dataclass(frozen=True)
class Row:
    """A fact or an option, with what each run has of it, and whether they differ."""

    name: str
    values: Sequence[str]
    differs: bool


def trainings_asked_for(study: Study, keys: Iterable[str]) -> list[TrainingRun]:
    """The trainings of these keys, in their order. UserError where one is none of the study, or there are too many."""
    wanted = [key for key in dict.fromkeys(keys) if key]
    runs = study.trainings.select_related("job", "direction").prefetch_related("curves").defer("samples", "job__log")
    return _found({str(run.pk): run for run in runs.filter(pk__in=_numbers(wanted))}, wanted, _("training"))


def transfers_asked_for(study: Study, keys: Iterable[str]) -> list[TransferRun]:
    """Likewise the transfer runs."""
    wanted = [key for key in dict.fromkeys(keys) if key]
    runs = study.transfer_runs.select_related("job", "direction", "system", "checkpoint").defer("job__log")
    return _found({str(run.pk): run for run in runs.filter(pk__in=_numbers(wanted))}, wanted, _("run"))


def _numbers(keys: Sequence[str]) -> list[int]:
    return [int(key) for key in keys if key.isdecimal() and len(key) < 19]


def _found(known: Mapping[str, Any], wanted: Sequence[str], kind: str) -> list[Any]:
    if len(wanted) > MOST:
        raise UserError("Choose at most {most} runs: more lines cannot be told from one another.", most=MOST)
    missing = [key for key in wanted if key not in known]
    if missing:
        raise UserError("The study has no {kind} {missing}.", kind=kind, missing=missing[0][:20])
    return [known[key] for key in wanted]


def compared_runs(trainings: Sequence[TrainingRun], transfers: Sequence[TransferRun]) -> list[ComparedRun]:
    return [*map(_of_training, trainings), *map(_of_transfer, transfers)]


def fact_rows(runs: Sequence[ComparedRun]) -> list[Row]:
    return _rows([run.facts for run in runs])


def option_rows(runs: Sequence[ComparedRun]) -> list[Row]:
    return _rows([run.options for run in runs])


def _rows(given: Sequence[Mapping[str, str]]) -> list[Row]:
    names = dict.fromkeys(name for one in given for name in one)
    rows = [(name, [one.get(name) or NONE for one in given]) for name in names]
    return [Row(name, values, len(set(values)) > 1) for name, values in rows]


def _of_training(run: TrainingRun) -> ComparedRun:
    best = score_in_words(run.best)
    better = better_in_words(run.best)
    facts = {
        _("Best score"): f"{best} ({better})" if best and better else best,
        _("Model"): label_of(run.model),
        _("Direction"): run.direction.name if run.direction else " ↔ ".join(run.styles),
        **dict(training_facts(run)),
        _("Steps"): grouped(run.job.done) if run.job.done else "",
        _("Time"): duration(run.seconds) if run.seconds else "",
    }
    url = reverse("training", args=[run.study.slug, run.pk])
    return ComparedRun(
        run.name, url, run.job.state, run.job.get_state_display(), facts, _shown(run.options), run.tags, run.notes
    )


def _of_transfer(run: TransferRun) -> ComparedRun:
    facts = {
        _("Model"): label_of(run.model),
        _("Direction"): run.direction.name if run.direction else _("all"),
        _("Checkpoint"): run.checkpoint.name if run.checkpoint else "",
        _("Split"): run.get_split_display() if run.system else "",
        _("Outputs"): grouped(run.job.done) if run.job.done else "",
        _("Calls"): run.used,
    }
    if run.system:
        url, name = reverse("system", args=[run.study.slug, run.system_id]), run.system.name
    else:
        url, name = reverse("job", args=[run.study.slug, run.job_id]), run.file_name
    return ComparedRun(name, url, run.job.state, run.job.get_state_display(), facts, _shown(run.settings))


def _shown(options: Mapping[str, Any]) -> dict[str, str]:
    return {name: shown_value(value) for name, value in options.items()}
