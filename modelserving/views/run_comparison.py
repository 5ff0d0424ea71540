"""Trainings and transfer runs beside each other: curves over one another, and their differences."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from django.views.decorators.http import require_safe

from corpora.models import Study
from foundation.errors import UserError
from foundation.translation import grouped
from modelserving.models import TrainingCurve, TrainingRun, TransferRun
from modelserving.presenters.charts import HEIGHT, LOSS, SCHEMA, SPEED, WIDTH, thinned
from modelserving.presenters.labels import (
    better_in_words,
    curve_label,
    duration,
    label_of,
    prompt_version,
    score_in_words,
    shown_value,
    training_facts,
)

# Runs of models beside each other: their facts in rows, and the rows in which they differ.

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
    """A fact or an option, with its value in each run, and whether the values differ."""

    name: str
    values: Sequence[str]
    differs: bool


def trainings_asked_for(study: Study, keys: Iterable[str]) -> list[TrainingRun]:
    """The trainings of these keys, in their order. UserError where one is none of the study, or there are too many."""
    wanted = [key for key in dict.fromkeys(keys) if key]
    runs = study.trainings.select_related("job", "direction").prefetch_related("curves").defer("samples", "job__log")
    return _found({str(run.pk): run for run in runs.filter(pk__in=_numbers(wanted))}, wanted, _("training"))


def transfers_asked_for(study: Study, keys: Iterable[str]) -> list[TransferRun]:
    """The transfer runs of these keys, likewise."""
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
    over = _over(texts_scored(run)) if best else ""
    beside = ", ".join(part for part in (better_in_words(run.best), over) if part)
    facts = {
        _("Best score"): f"{best} ({beside})" if beside else best,
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
        _("Version of the prompt"): (
            prompt_version(run.model, run.checkpoint.manifest["options"]) if run.checkpoint else ""
        ),
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


# Okabe and Ito's, without the yellow, which is not seen on light, and the black, which is not seen on dark.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
DASHES = ([1, 0], [6, 3], [2, 2])  # a line is told by its dashes too, so that colour is never the only sign


STEP, EXAMPLES, TIME = AXES = ("step", "examples", "time")


def texts_scored(run: TrainingRun) -> int | None:
    """The number of tune texts behind a tune score: all that there are, up to the model's most; None if unknown."""
    there, most = run.counts.get("tune"), run.options.get("tune_most")
    if not isinstance(there, int) or not there:
        return None
    return min(there, most) if isinstance(most, int) else there


def _over(texts: int | None) -> str:
    if texts is None:
        return _("over an unknown number of texts")
    return ngettext("over %(n)s text", "over %(n)s texts", texts) % {"n": grouped(texts)}


def _batch(run: TrainingRun) -> int | None:
    """Texts per step; None of a model whose steps are no batches."""
    batch = run.options.get("batch")
    return batch if isinstance(batch, int) and batch > 0 else None


def _pace(run: TrainingRun) -> float | None:
    """Minutes per step, on average; None before the first one."""
    last = max((curve.steps[-1] for curve in run.curves.all() if curve.steps), default=0)
    return run.seconds / 60 / last if run.seconds and last else None


def shared_axes(runs: Sequence[TrainingRun]) -> list[str]:
    """The axes that mean the same for all runs: steps of as many texts (or of one model), examples, or time."""
    drawn = [run for run in runs if run.curves.all()]
    steps = {_batch(run) or run.model for run in drawn}
    return [
        *([STEP] if len(steps) <= 1 else []),
        *([EXAMPLES] if all(map(_batch, drawn)) else []),
        *([TIME] if all(map(_pace, drawn)) else []),
    ]


def chosen_axis(runs: Sequence[TrainingRun], asked: str) -> str:
    """The axis that is asked for, where the runs share it; else the first that they share, "" where there is none."""
    shared = shared_axes(runs)
    return asked if asked in shared else next(iter(shared), "")


def _axis_title(axis: str) -> str:
    return {EXAMPLES: _("Texts read"), TIME: _("Minutes, at the mean pace of each training")}.get(axis, _("Step"))


def _factor(run: TrainingRun, axis: str) -> float:
    """The length of a step on the axis."""
    return {EXAMPLES: _batch(run), TIME: _pace(run)}.get(axis) or 1


def _panels(runs: Sequence[TrainingRun], axis: str) -> Iterator[tuple[str, TrainingRun, TrainingCurve]]:
    """Each curve with the label of its panel; scores over different numbers of texts are never in one.

    Without an axis that they share each run has panels of its own.
    """
    curves = [(run, curve) for run in runs for curve in run.curves.all() if curve.name != SPEED]
    curves.sort(key=lambda one: (one[1].name != LOSS, one[1].name))
    known = any(texts_scored(run) is not None for run, curve in curves if curve.better)
    for run, curve in curves:
        over = [_over(texts_scored(run))] if curve.better and known else []
        yield ", ".join([curve_label(curve.name, curve.better), *over, *([] if axis else [run.name])]), run, curve


def overlaid_chart(runs: Sequence[TrainingRun], asked: str = "") -> dict[str, Any]:
    """A panel for each loss and tune score of any of the trainings.

    Args:
        runs: The trainings.
        asked: The axis that is asked for, one of `AXES`.
    """
    axis = chosen_axis(runs, asked)
    panels = list(_panels(runs, axis))
    labels = list(dict.fromkeys(label for label, _run, _curve in panels))
    names = [run.name for run in runs]
    rows = [
        {"run": run.name, "curve": label, "step": step, "at": step * _factor(run, axis), "value": value}
        for label, run, curve in panels
        for step, value in thinned(list(zip(curve.steps, curve.values, strict=True)))
    ]
    look = [COLOURS[place % len(COLOURS)] for place in range(len(names))]
    dashes = [DASHES[place // len(COLOURS) % len(DASHES)] for place in range(len(names))]
    legend = {"orient": "top", "title": None, "columns": 2, "labelLimit": 300}
    marks = {"format": ",.1~f"} if axis == TIME else {"tickMinStep": 1, "format": ",d"}
    return {
        "$schema": SCHEMA,
        "data": {"name": "curves", "values": rows},
        "facet": {"field": "curve", "type": "nominal", "title": None, "sort": labels},
        "columns": 2,
        "spec": {
            "width": WIDTH, "height": HEIGHT,
            "mark": {"type": "line", "strokeWidth": 2, "strokeJoin": "round", "point": {"size": 14}},
            "encoding": {
                "x": {
                    "field": "at", "type": "quantitative", "title": _axis_title(axis), "scale": {"nice": False},
                    "axis": marks,
                },
                "y": {"field": "value", "type": "quantitative", "title": None, "scale": {"zero": False}},
                "color": {"field": "run", "type": "nominal", "sort": names, "legend": legend,
                          "scale": {"domain": names, "range": look}},
                "strokeDash": {"field": "run", "type": "nominal", "sort": names, "legend": legend,
                               "scale": {"domain": names, "range": dashes}},
                "tooltip": [{"field": "run", "title": _("Training")}, {"field": "step", "title": _("Step")},
                            {"field": "at", "title": _axis_title(axis), "format": ",.4~r"},
                            {"field": "value", "format": ".4~f"}],
            },
        },
        "resolve": {"scale": {"y": "independent"}, "axis": {"x": "independent"}},
    }  # fmt: skip


AXIS_NAMES = {STEP: gettext_noop("Steps"), EXAMPLES: gettext_noop("Texts read"), TIME: gettext_noop("Time")}


def _axes(runs: Sequence[TrainingRun], asked: str) -> dict[str, Any]:
    """The axes to choose from, and what the page says of those that the runs do not share."""
    shared, axis = shared_axes(runs), chosen_axis(runs, asked)
    drawn = [run for run in runs if run.curves.all()]
    return {
        "axis": axis,
        "axes": [(name, _(AXIS_NAMES[name])) for name in shared],
        "steps_differ": STEP not in shared,
        "texts_differ": len({texts_scored(run) for run in drawn}) > 1,
    }


MOST_LISTED = 100  # runs of each kind that the list of this page offers


@require_safe
def runs_compare(request: Any, study: str) -> HttpResponse:
    """The runs of the address, `?training=` and `?run=` each as often as wanted; `?all=1` shows equal rows too."""
    asked = {"training": request.GET.getlist("training"), "run": request.GET.getlist("run")}
    context: dict[str, Any] = {"asked": asked, "most": MOST, **_offered(request.study)}
    try:
        trainings = trainings_asked_for(request.study, asked["training"])
        transfers = transfers_asked_for(request.study, asked["run"])
        if len(trainings) + len(transfers) > MOST:
            raise UserError(_("Choose at most %(most)d runs.") % {"most": MOST})
    except UserError as error:
        return render(request, "modelserving/compare.html", {**context, "error": str(error)}, status=422)
    runs = compared_runs(trainings, transfers)
    rows = {"facts": fact_rows(runs), "options": option_rows(runs)}
    everything = request.GET.get("all") == "1" or len(runs) < 2
    context |= {
        "runs": runs,
        "with_curves": any(run.curves.all() for run in trainings),
        "curves": "&".join(f"training={run.pk}" for run in trainings),
        **_axes(trainings, request.GET.get("axis", "")),
        "equal": sum(not row.differs for of in rows.values() for row in of),
        "all_rows": everything,
        **{name: [row for row in of if everything or row.differs] for name, of in rows.items()},
    }
    return render(request, "modelserving/compare.html", context)


@require_safe
def runs_curves(request: Any, study: str) -> JsonResponse:
    """The curves over one another, as a Vega-Lite chart."""
    try:
        runs = trainings_asked_for(request.study, request.GET.getlist("training"))
    except UserError as error:
        return JsonResponse({"detail": str(error)}, status=422)
    return JsonResponse(overlaid_chart(runs, request.GET.get("axis", "")))


def _offered(study: Any) -> dict[str, Any]:
    """The runs that the list of the page offers, newest first."""
    transfers = study.transfer_runs.select_related("system").defer("signature", "usage")
    return {
        "trainings": study.trainings.only("pk", "name", "tags", "study_id")[:MOST_LISTED],
        "transfers": transfers[:MOST_LISTED],
    }
