"""The kinds of model that can be trained, by their needs, each with what it reached and the data that a study lacks."""

import difflib
import inspect
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from corpora.models import Direction, Output, Sentence, Study
from foundation.errors import UserError
from foundation.options import Value
from foundation.papers import Paper
from foundation.translation import grouped
from modelserving.models import TrainingRun
from modelserving.presenters.labels import NEEDS, score_in_words
from modelserving.training_runs.requirements import LengthCount, check_needs, count_lengths
from modelserving.transfer import TRANSFERS, Transfer

USUAL = ("t5", "seq2seq", "delete_and_retrieve")
MOST_RUNS = 500  # newest trainings, among which are the scores that a study's models reached

# How many texts are too long for a model, in words.


def length_sentences(kind: Transfer, options: object, study: Study, direction: Direction | None) -> list[str]:
    """The sentences for a training with these options; none if it cannot be started, or if any length will do."""
    limit = kind.length_limit(options)
    if limit is None:
        return []
    try:
        taken, styles = check_needs(kind, study, direction)
    except UserError:
        return []
    return [in_words(counted) for counted in count_lengths(limit, study, taken, styles) if counted.total]


def lengths_of_training(run: TrainingRun) -> list[str]:
    """The sentences for a training that is queued."""
    kind = TRANSFERS[run.model]
    return length_sentences(kind, kind.choose_options(run.options), run.study, run.direction)


def in_words(counted: LengthCount) -> str:
    """'312 of 411 pairs are longer than 100 words and would be left out.'"""
    limit, long = counted.limit, grouped(counted.long)
    given = {"all": _all(counted), "most": _most(counted), "long": _("At least %s") % long if limit.at_least else long}
    if not counted.long:
        return _("None of %(all)s is longer than %(most)s.") % given
    if limit.cuts:
        said = ngettext(
            "%(long)s of %(all)s is longer than %(most)s and would be cut off there.",
            "%(long)s of %(all)s are longer than %(most)s and would be cut off there.", counted.long,
        )  # fmt: skip
    else:
        said = ngettext(
            "%(long)s of %(all)s is longer than %(most)s and would be left out.",
            "%(long)s of %(all)s are longer than %(most)s and would be left out.", counted.long,
        )  # fmt: skip
    return said % given


def _all(counted: LengthCount) -> str:
    given = {"count": grouped(counted.total), "style": counted.style}
    if counted.style:
        return (
            _("%(count)s texts in %(style)s, sampled at random,")
            if counted.drawn
            else _("%(count)s texts in %(style)s")
        ) % given
    return (_("%(count)s pairs, sampled at random,") if counted.drawn else _("%(count)s pairs")) % given


def _most(counted: LengthCount) -> str:
    limit = counted.limit
    given = {"source": grouped(limit.source), "target": grouped(limit.target), "unit": _(limit.unit)}
    if limit.at_least:
        return _("%(source)s %(unit)s (counted in words)") % given
    if limit.together:
        return _("%(source)s %(unit)s (source and reference together)") % given
    if limit.source == limit.target or counted.style:
        return f"{given['source']} {given['unit']}"
    return _("%(source)s %(unit)s in the source or %(target)s in the reference") % given


@dataclass(frozen=True)
class Way:
    """How a study can train a kind: options to begin with, or pairs of a model (`silver`), and that in words.

    `lacks` is the sentence about data that the study lacks for it, "" if it has all.
    """

    lacks: str = ""
    options: Mapping[str, Value] = field(default_factory=dict)
    silver: bool = False

    @property
    def instead(self) -> str:
        """The sentence about its training data where these are not its kind's usual ones."""
        if self.silver:
            return _("No train source has a reference: choose a system below, whose outputs become its pairs.")
        if self.options:
            return _("No train source has a reference: it learns from people's judgements, so its options say that.")
        return ""


@dataclass(frozen=True)
class Kind:
    """A kind of model, how the study can train it, and the best score of its trainings so far, in words."""

    name: str
    kind: Transfer
    way: Way
    reached: str = ""

    @property
    def lacks(self) -> str:
        return self.way.lacks

    @property
    def label(self) -> str:
        return _(self.kind.label)

    @property
    def about(self) -> str:
        """The first line of its file."""
        said = inspect.getdoc(sys.modules[type(self.kind).__module__]) or ""
        return _(said.partition("\n")[0])

    @property
    def needs(self) -> str:
        return _(NEEDS[self.kind.needs])

    @property
    def words(self) -> str:
        """The words that find it, besides those of its row."""
        paper = self.kind.paper
        return " ".join([self.name, self.about, self.needs, paper.title if paper else ""])


@dataclass(frozen=True)
class Group:
    """The kinds that need the same, or those that cannot be trained here (`needs` is "")."""

    needs: str
    kinds: list[Kind]

    @property
    def label(self) -> str:
        return capfirst(_(NEEDS[self.needs])) if self.needs else _("Not possible in this study so far")


@dataclass(frozen=True)
class PresetButton:
    """A preset that a form can be filled with, "" for the defaults."""

    name: str
    label: str
    paper: Paper | None
    chosen: bool


def presets_of(model: str, chosen: str | None) -> list[PresetButton]:
    """The defaults and the presets of a kind, none if it has only the defaults; `chosen` is None for neither."""
    kind = TRANSFERS[model]
    if not kind.presets:
        return []
    usual = PresetButton("", _("Defaults"), kind.paper, chosen is not None and chosen not in kind.presets)
    named = [PresetButton(name, _(one.label), one.paper, name == chosen) for name, one in kind.presets.items()]
    return [usual, *named]


def trained() -> list[str]:
    """The kinds that are trained at all."""
    return [name for name, kind in TRANSFERS.items() if kind.needs != "nothing"]


def no_such_model(name: str) -> str:
    """The sentence about a model that cannot be trained: that it needs no training, or the models of similar names."""
    if name in TRANSFERS:
        return _("%(model)s needs no training: run it at once.") % {"model": _(TRANSFERS[name].label)}
    near = difflib.get_close_matches(name.casefold(), trained(), n=3) or trained()
    return _("There is no model '%(name)s'; did you mean %(near)s?") % {"name": name[:60], "near": ", ".join(near)}


def groups_of(study: Study) -> list[Group]:
    """The kinds by their needs; those that cannot be trained come last, whatever they need."""
    found: dict[str, list[Kind]] = {needs: [] for needs in (*NEEDS, "")}
    lacking, reached = _Lacking(study), scores_reached(study)
    for name in trained():
        kind = Kind(name, TRANSFERS[name], lacking.of(TRANSFERS[name]), reached.get(name, ""))
        found["" if kind.lacks else kind.kind.needs].append(kind)
    return [Group(needs, sorted(kinds, key=_by_label)) for needs, kinds in found.items() if kinds]


def _by_label(kind: Kind) -> str:
    return kind.label.casefold()


def scores_reached(study: Study) -> dict[str, str]:
    """'BLEU 31.2 on 40 texts' by model: the best of its trainings whose tune score is that of the newest one.

    Scores of other metrics, or over another number of texts, are not compared with it.
    """
    best: dict[str, tuple[Mapping[str, Any], int]] = {}
    rows: Any = study.trainings.filter(best__isnull=False).order_by("-pk")
    for model, score, texts in rows.values_list("model", "best", "counts__tune")[:MOST_RUNS]:
        known, of = best.setdefault(model, (score, texts or 0))
        sign = 1 if score.get("better") == "higher" else -1
        if (score["curve"], texts or 0) == (known["curve"], of) and sign * score["value"] > sign * known["value"]:
            best[model] = score, of
    return {model: _reached(score, texts) for model, (score, texts) in best.items()}


def _reached(score: Mapping[str, Any], texts: int) -> str:
    said = score_in_words(score)
    given = {"score": said, "n": grouped(texts)}
    return ngettext("%(score)s on %(n)s text", "%(score)s on %(n)s texts", texts) % given if texts else said


def usual_kind(study: Study, ready: Mapping[str, Kind]) -> str:
    """The kind that a form begins with: that of the newest training, else one that suits many studies, else the first.

    "" where none can be trained.
    """
    newest = study.trainings.order_by("-pk").values_list("model", flat=True)[:1]
    return next((name for name in (*newest, *USUAL, *ready) if name in ready), "")


def lacks_of(groups: list[Group]) -> list[tuple[str, list[str]]]:
    """The sentences about what the study or the site lacks, each with its models: first that of the most."""
    models: dict[str, list[str]] = {}
    for kind in (kind for group in groups for kind in group.kinds if kind.lacks):
        models.setdefault(kind.lacks, []).append(kind.label)
    return sorted(models.items(), key=lambda lack: -len(lack[1]))


class _Lacking:
    """Finds the way in which a study can train a kind, or the data that it lacks, once for kinds that need the same."""

    def __init__(self, study: Study) -> None:
        self.study, self.directions = study, list(study.directions.order_by("number"))
        self._known: dict[tuple[object, ...], str] = {}

    def of(self, kind: Transfer) -> Way:
        """The first way that is open in some direction; else the sentence for the first that the kind serves."""
        if lacks := kind.why_unavailable():
            return Way(lacks)
        if not self.directions:
            return Way(_("The study has no direction of transfer yet."))
        served = [
            direction for direction in self.directions if kind.serves(direction.source_style, direction.target_style)
        ]
        if not served:
            first = self.directions[0]
            return Way(kind.refuse(first.source_style, first.target_style).sentence)
        reason = ""
        for way in self._ways(kind):
            reasons = [self._why_not(kind, direction, way) for direction in served]
            if "" in reasons:
                return way
            reason = reason or reasons[0]
        return Way(reason)

    def _ways(self, kind: Transfer) -> Iterator[Way]:
        yield Way()
        yield from (Way(options=options) for options in kind.other_ways())
        if kind.needs == "parallel" and self._outputs_of_machines:
            yield Way(silver=True)

    def _why_not(self, kind: Transfer, direction: Direction, way: Way) -> str:
        key = (kind.needs, direction.pk, tuple(way.options.items()), way.silver)
        if key not in self._known:
            try:
                check_needs(kind, self.study, direction, way.options, silver=way.silver)
                self._known[key] = ""
            except UserError as error:
                self._known[key] = error.sentence
        return self._known[key]

    @cached_property
    def _outputs_of_machines(self) -> bool:
        """Whether a model's system has an output for a train source, which may be trained on."""
        machines = Output.objects.filter(system__study=self.study, system__is_human=False)
        split = Sentence.Split.TRAIN
        return self.study.unit == Study.Unit.SENTENCE and machines.filter(sentence__split=split).exists()
