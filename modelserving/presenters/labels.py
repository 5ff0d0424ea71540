"""Names and numbers of models in words."""

from collections.abc import Mapping
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import gettext_noop, ngettext

from evaluation.metrics import METRICS
from foundation.key_labels import label_of_key
from modelserving.transfer import TRANSFERS

NEEDS = {
    "parallel": gettext_noop("trained on sources with their references"),
    "styles": gettext_noop("trained on texts of two styles that need not be pairs"),
    "dictionary": gettext_noop(
        "made from the dictionary of abbreviations; references tell it which full form is usual"
    ),
    "nothing": gettext_noop("needs no training"),
    "optional": gettext_noop("learns nothing; takes examples from sources with their references, where there are"),
}


def label_of(model: str) -> str:
    """The label of a kind; its bare name where this installation knows it no more."""
    return _(TRANSFERS[model].label) if model in TRANSFERS else model


BETTER = {"higher": _l("higher is better"), "lower": _l("lower is better")}


def curve_label(name: str, better: str = "") -> str:
    """A curve in words: a tune score, which has a better end, goes by its metric's label."""
    if name == "loss":
        return _("Loss (nats a token)")
    if name == "tokens a second":
        return _("Tokens a second")
    if better not in BETTER:
        return metric_label(name)
    return _("%(metric)s on the tune set, %(better)s") % {"metric": metric_label(name), "better": BETTER[better]}


def metric_label(name: str) -> str:
    return METRICS[name].label if name in METRICS else label_of_key(name)


def score_in_words(best: Any) -> str:
    """'BLEU 31.2', or nothing; a manifest from elsewhere may hold anything."""
    if not isinstance(best, Mapping) or not isinstance(best.get("value"), int | float):
        return ""
    return f"{metric_label(str(best.get('curve', ''))[:60])} {number(float(best['value']))}"


def better_in_words(best: Any) -> str:
    """'lower is better', or nothing where that is not known."""
    return str(BETTER.get(str(best.get("better", "")), "")) if isinstance(best, Mapping) else ""


def number(value: float) -> str:
    """A score or a loss with about four digits."""
    return f"{value:,.2f}" if abs(value) < 1000 else f"{value:,.0f}"


def duration(seconds: float) -> str:
    """'40 seconds', '12 minutes', '3 h 20 min'."""
    if seconds < 90:
        return ngettext("%(n)d second", "%(n)d seconds", n := max(1, round(seconds))) % {"n": n}
    minutes = round(seconds / 60)
    if minutes < 90:
        return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
    return _("%(hours)d h %(minutes)d min") % {"hours": minutes // 60, "minutes": minutes % 60}


def moment(seconds: float) -> str:
    """'35 ms', '2.4 s'."""
    return f"{number_format(round(seconds, 1), 1)} s" if seconds >= 1 else f"{max(1, round(seconds * 1000))} ms"
