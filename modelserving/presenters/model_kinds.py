"""The kinds of model that can be trained, grouped by their paper, each with the data that a study lacks for it."""

import difflib
import inspect
import sys
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from corpora.models import Direction, Study
from foundation.errors import UserError
from foundation.papers import Paper
from foundation.translation import grouped
from modelserving.models import TrainingRun
from modelserving.presenters.labels import NEEDS
from modelserving.training_runs.requirements import LengthCount, check_needs, count_lengths
from modelserving.transfer import TRANSFERS, Transfer

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
class Kind:
    """A kind of model; `lacks` is the sentence about data that the study lacks for it, "" if it has all."""

    name: str
    kind: Transfer
    lacks: str

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


@dataclass(frozen=True)
class Group:
    """The kinds of a paper."""

    paper: Paper | None
    kinds: list[Kind]


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
    """The kinds, those of a paper together, older papers first."""
    found: dict[Paper | None, list[Kind]] = {}
    lacking = _Lacking(study)
    for name in trained():
        kind = TRANSFERS[name]
        found.setdefault(kind.paper, []).append(Kind(name, kind, lacking.of(kind)))
    papers = sorted(found, key=lambda paper: (paper is None, paper.year if paper else 0))
    return [Group(paper, sorted(found[paper], key=lambda one: (bool(one.lacks), one.label))) for paper in papers]


def lacks_of(groups: list[Group]) -> list[str]:
    """The sentences about data that the study lacks for any of the kinds, each once."""
    return list(dict.fromkeys(kind.lacks for group in groups for kind in group.kinds if kind.lacks))


class _Lacking:
    """Finds the data that a study lacks, once for all kinds that need the same."""

    def __init__(self, study: Study) -> None:
        self.study, self.directions = study, list(study.directions.order_by("number"))
        self._known: dict[tuple[str, int], str] = {}

    def of(self, kind: Transfer) -> str:
        """Nothing if the kind can be trained in some direction; else the sentence for the first that it serves."""
        if lacks := kind.why_unavailable():
            return lacks
        if not self.directions:
            return _("The study has no direction of transfer yet.")
        served = [
            direction for direction in self.directions if kind.serves(direction.source_style, direction.target_style)
        ]
        if not served:
            first = self.directions[0]
            return kind.refuse(first.source_style, first.target_style).sentence
        sentences = [self._of(kind, one) for one in served]
        return "" if "" in sentences else sentences[0]

    def _of(self, kind: Transfer, direction: Direction) -> str:
        key = (kind.needs, direction.pk)
        if key not in self._known:
            try:
                check_needs(kind, self.study, direction)
                self._known[key] = ""
            except UserError as error:
                self._known[key] = error.sentence
        return self._known[key]
