"""How many texts are too long for a model, in words."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from corpora.models import Direction, Study
from foundation.errors import UserError
from foundation.translation import grouped
from modelserving.models import TrainingRun
from modelserving.training_runs.length_counts import LengthCount, count_lengths
from modelserving.training_runs.requirements import check_needs
from modelserving.transfer import TRANSFERS, Transfer


def length_sentences(kind: Transfer, options: object, study: Study, direction: Direction | None) -> list[str]:
    """The sentences for a training with these options; none where it cannot be started, or any length will do."""
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
