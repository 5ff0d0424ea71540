"""The kinds of model that can be trained, grouped by their paper, each with what the study lacks for it."""

import difflib
import inspect
import sys
from dataclasses import dataclass

from django.utils.translation import gettext as _

from corpora.models import Direction, Study
from foundation.errors import UserError
from foundation.papers import Paper
from modelserving.presenters.labels import NEEDS
from modelserving.training_runs.requirements import check_needs
from modelserving.transfer import TRANSFERS, Transfer


@dataclass(frozen=True)
class Kind:
    """A kind of model; `lacks` is the sentence of what the study lacks for it, "" where it has all."""

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
    """The defaults and the presets of a kind, none where it has the defaults alone; `chosen` is None for neither."""
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
    """What is said of a model that cannot be trained: that it needs no training, or those of about its name."""
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
    """What the study lacks for any of the kinds, each sentence once."""
    return list(dict.fromkeys(kind.lacks for group in groups for kind in group.kinds if kind.lacks))


class _Lacking:
    """Asks what a study lacks, once for all kinds that need the same."""

    def __init__(self, study: Study) -> None:
        self.study, self.directions = study, list(study.directions.order_by("number"))
        self._known: dict[tuple[str, int], str] = {}

    def of(self, kind: Transfer) -> str:
        """Nothing where the kind can be trained in some direction; else what the first that it serves lacks."""
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
