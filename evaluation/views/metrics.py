"""The page on which a study chooses its metrics."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_POST

from accounts.option_fields import form_field
from accounts.telling import telling
from corpora.models import Direction, ReferenceSet, Study
from corpora.views.trash import tell_removed
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.remove_scores import remove_scores
from evaluation.actions.start_metrics import start_metrics
from evaluation.metric_selection import PRESETS, Preset, language_of, why_no_score
from evaluation.metrics import METRICS, Metric
from evaluation.models import ImportedMetric
from foundation.aspects import ASPECTS
from foundation.polarity import Poles, better_end

NEEDS = {
    "references": gettext_noop("references"),
    "sources": gettext_noop("the sources"),
    "styles": gettext_noop("the target style"),
    "terms": gettext_noop("full forms in brackets"),
    "link": gettext_noop("concepts"),
    "texts": gettext_noop("texts to learn from"),
    "rated": gettext_noop("judgements to learn from"),
    "preferences": gettext_noop("judgements to learn from"),
    "style_words": gettext_noop("style words, if the study has them"),
}
COSTS = {
    "counts": gettext_noop("counts"), "learns": gettext_noop("learns first"), "network": gettext_noop("neural network"),
    "program": gettext_noop("another program"),
}  # fmt: skip
FITTING = "fitting"  # the set that is made for the study at hand
JUDGES = frozenset({"style", "fluency", "meaning"})  # aspects of which a metric that learns is worth its time
ENDS = {
    True: gettext_noop("higher is better"), False: gettext_noop("lower is better"),
    None: gettext_noop("neither end is the better one"),
}  # fmt: skip


class StudyData:
    """A study's data that metrics need, looked up once."""

    def __init__(self, study: Study) -> None:
        self.study, self.directions = study, list(study.directions.all())
        self.chosen: dict[str, Any] = dict(study.metric_choices.values_list("metric", "settings"))
        self.marks = list(ReferenceSet.objects.filter(direction__study=study).values_list("marks", flat=True))
        self.judged = set(study.criteria.values_list("aspect", flat=True))
        self.silent, self.language = _silent_styles(study, self.directions), language_of(study)

    def why_not(self, name: str) -> tuple[str, str]:
        """Why a metric will have no score here: by the language or the machine, and by the data; "" where it will."""
        metric = METRICS[name]
        known = {key: value for key, value in self.chosen.get(name, {}).items() if key in metric.defaults}
        return why_no_score(name, known, self.language), _lacking(metric, self.marks, self.judged, self.silent)


class MetricsForm(forms.Form):
    """A box for each metric, and its settings: `bleu`, `bleu.tokenize`, `bleu.lowercase`.

    The boxes are those that the study chose, or those of a `preset`, with the settings of its paper; others stay.
    """

    def __init__(
        self, data: Any = None, *, study: Study, preset: Preset | None = None, there: StudyData | None = None
    ) -> None:  # fmt: skip
        super().__init__(data)
        self.study, self.there = study, there or StudyData(study)
        self.chosen = self.there.chosen
        boxes = self.chosen if preset is None else preset.metrics
        for name, metric in METRICS.items():
            self.fields[name] = forms.BooleanField(label=metric.label, required=False, initial=name in boxes)
            own = {} if preset is None else preset.settings.get(name, {})
            for key, default in metric.defaults.items():
                first = own.get(key, self.chosen.get(name, {}).get(key, default))
                self.fields[f"{name}.{key}"] = form_field(metric.option(key), required=False, initial=first)

    def aspects(self) -> list[tuple[str, list[dict[str, Any]]]]:
        """The metrics by their aspects."""
        return _by_aspect(self.rows)

    def available(self) -> list[tuple[str, list[dict[str, Any]]]]:
        """Those that can have a score in the study, by their aspects."""
        return _by_aspect([row for row in self.rows if not row["idle"]])

    def idle(self) -> list[dict[str, Any]]:
        """Those that cannot, each with its reason."""
        return [row for row in self.rows if row["idle"]]

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """Each metric's box with the fields of its settings, its needs, and the reason if it may have no score."""
        return list(self._rows())

    def metrics(self) -> dict[str, dict[str, Any]]:
        """The chosen metrics with their settings, as `choose_metrics` takes them.

        One that is left out has its default: a metric may be newer than the page or the script that sends the form.
        """
        given = {name: value for name, value in self.cleaned_data.items() if value not in ("", None)}
        return {
            name: {key: given.get(f"{name}.{key}", default) for key, default in metric.defaults.items()}
            for name, metric in METRICS.items()
            if given[name]
        }

    def _rows(self) -> Iterator[dict[str, Any]]:
        for name, metric in METRICS.items():
            own = [self[f"{name}.{key}"] for key in metric.defaults]
            unavailable, lacking = self.there.why_not(name)
            row = {
                "name": name, "metric": metric, "box": self[name], "settings": own, "needs": _needs(metric),
                "ends": _ends(metric, self.study, self.there.directions), "cost": _(COSTS[metric.cost]),
                "unavailable": unavailable, "lacking": lacking, "wrong": any(field.errors for field in own),
            }  # fmt: skip
            yield {**row, "idle": bool(row["unavailable"] or row["lacking"])}


def _by_aspect(rows: Sequence[dict[str, Any]]) -> list[tuple[str, list[dict[str, Any]]]]:
    by_aspect = [(_(name.capitalize()), [row for row in rows if row["metric"].aspect == name]) for name in ASPECTS]
    return [(str(label), of) for label, of in by_aspect if of]


@dataclass(frozen=True)
class SetOfMetrics:
    """A set that can be chosen, with the numbers of its metrics, and of those that can have a score in the study."""

    name: str
    preset: Preset
    of: int
    able: int


def sets_of(there: StudyData) -> list[SetOfMetrics]:
    """The set that is made for the study, then the others: first those of which the most can have a score."""
    able = {name for name in METRICS if not any(there.why_not(name))}
    counted = [
        SetOfMetrics(name, preset, len(preset.metrics), sum(one in able for one in preset.metrics))
        for name, preset in PRESETS.items()
    ]
    fitting = fitting_set(there, able)
    first = SetOfMetrics(FITTING, fitting, len(fitting.metrics), len(fitting.metrics))
    return [first, *sorted(counted, key=lambda one: -one.able / one.of)]


def fitting_set(there: StudyData, able: Collection[str]) -> Preset:
    """The metrics that suit the study's language, styles and data, and ask no network: of those that measure one style
    against another only those whose styles are the study's."""
    chosen = [
        name
        for name, metric in METRICS.items()
        if name in able
        and not metric.asks
        and (metric.poles is None or _measured(metric.poles, there.study, there.directions))
        and (name in PRESETS["no_model"].metrics or metric.aspect in JUDGES)
    ]
    return Preset(gettext_noop("Suits this study"), tuple(chosen))


def _measured(poles: Poles, study: Study, directions: Sequence[Direction]) -> list[str]:
    """The target styles of which it is known at which pole they are."""
    targets = dict.fromkeys(direction.target_style for direction in directions)
    return [target for target in targets if better_end(poles, target, study.poles) is not None]


def _ends(metric: Metric, study: Study, directions: Sequence[Direction]) -> str:
    """Which end is the better one: of a metric of style, by direction."""
    if metric.poles is None:
        return _(ENDS[metric.higher_is_better])
    low, high = metric.poles
    known = _measured(metric.poles, study, directions)
    if not known:
        given = {"low": low, "high": high}
        return _("low is %(low)s, high is %(high)s: not styles of this study, unless Edit the study says so") % given
    sides = {True: _("high"), False: _("low")}
    said = [f"{sides[bool(better_end(metric.poles, shown, study.poles))]} ({shown})" for shown in known]
    return _("better end, the style that a direction goes to: %(ends)s") % {"ends": ", ".join(said)}


def _needs(metric: Metric) -> str:
    return ", ".join(_(word) for name, word in NEEDS.items() if name in metric.needs)


def _lacking(metric: Metric, marks: list[str], judged: set[str], silent: list[str]) -> str:
    """The data that the study lacks for a metric, as far as known before anything is scored."""
    if "references" in metric.needs and not marks:
        return _("The study has no references.")
    if "terms" in metric.needs and not any(marks):
        return _("The study has no references with full forms of terms in brackets.")
    if "rated" in metric.needs and metric.aspect not in judged:
        return _(
            "The metric learns from judgements, and the study has none of its aspect; a model or a file can "
            "replace them."
        )
    if {"styles", "texts"} <= metric.needs and silent:
        return _("The metric learns from texts of each style, and the study has none of: %(styles)s.") % {
            "styles": ", ".join(silent)
        }
    return ""


def _silent_styles(study: Study, directions: Sequence[Direction]) -> list[str]:
    """Styles of the study's directions without a text that a metric could learn from."""
    of = study.directions.order_by()
    sources = of.filter(sentences__isnull=False).values_list("source_style", flat=True)
    targets = of.filter(reference_sets__references__isnull=False).values_list("target_style", flat=True)
    documents = study.documents.order_by().filter(split__in=("train", "tune")).values_list("style", flat=True)
    heard = set(sources.union(targets, documents))
    styles = dict.fromkeys(
        style for direction in directions for style in (direction.source_style, direction.target_style)
    )
    return [style for style in styles if style not in heard]


@require_http_methods(["GET", "HEAD", "POST"])
def metrics_choose(request: Any, study: str) -> HttpResponse:
    """`?preset=` checks the boxes of a preset; nothing is chosen until the form is sent."""
    data, asked = request.POST if request.method == "POST" else None, request.GET.get("preset", "")
    there = StudyData(request.study)
    sets = {} if data is not None else {one.name: one for one in sets_of(there)}
    form = MetricsForm(data, study=request.study, preset=sets[asked].preset if asked in sets else None, there=there)
    if form.is_bound and form.is_valid():
        with telling(form):
            choose_metrics(study=request.study, metrics=form.metrics())
            if "run" in request.POST:
                start_metrics(study=request.study, by=request.user)
            return redirect("study_report", study=study)
    imported = request.study.imported_metrics.all()
    context = {
        "form": form,
        "sets": sets.values(),
        "asked": asked if asked in sets else "",
        "imported": [(one, _(ENDS[one.higher_is_better])) for one in ImportedMetric.with_sizes(imported)],
    }
    return render(request, "evaluation/metrics.html", context, status=422 if form.is_bound else 200)


@require_POST
def scores_remove(request: Any, study: str, number: int) -> HttpResponse:
    """Remove an imported metric with its scores."""
    metric = get_object_or_404(request.study.imported_metrics, number=number)
    with telling(request):
        tell_removed(request, remove_scores(metric=metric, by=request.user))
    return redirect("metrics_choose", study=study)
