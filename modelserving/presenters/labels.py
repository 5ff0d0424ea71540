"""Names and numbers of models in words, the facts of trainings and checkpoints, and the changes of a text."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.template.defaultfilters import filesizeformat
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import gettext_noop, ngettext

from accounts.option_fields import written
from evaluation.metrics import METRICS
from foundation.errors import UserError
from foundation.key_labels import label_of_key
from foundation.options import Value, list_options, number_in_words
from foundation.papers import Paper
from foundation.translation import grouped
from foundation.word_diff import Piece, word_diff
from modelserving.models import Checkpoint, TrainingRun
from modelserving.outside_services import RESTRICTED
from modelserving.training.recipe import ALIGNMENT, ENTROPY, ON_ONE_PLACE
from modelserving.training_runs.silver import silver_in_words
from modelserving.transfer import TRANSFERS

MOST_MARKED = 20_000  # characters of both; beyond it nothing is marked


def marked_changes(before: str, after: str) -> list[Piece]:
    """The pieces in order."""
    if not before or not after or len(before) + len(after) > MOST_MARKED:
        return [Piece("same", after)] if after else []
    return word_diff(before, after)


NEEDS = {
    "parallel": gettext_noop("trained on sources with their references"),
    "styles": gettext_noop("trained on texts of two styles, which need not be pairs"),
    "dictionary": gettext_noop("made from the dictionary of abbreviations; references show which full form is usual"),
    "nothing": gettext_noop("needs no training"),
    "optional": gettext_noop("needs no training; takes examples from sources with references, if there are any"),
}


def label_of(model: str) -> str:
    """The label of a kind; its bare name if this installation no longer has it."""
    return _(TRANSFERS[model].label) if model in TRANSFERS else model


BETTER = {"higher": _l("higher is better"), "lower": _l("lower is better")}


CURVES = {
    "loss": _l("Loss (nats per token)"),
    "loss a pair": _l("Loss (nats per judged pair)"),
    "preference_accuracy": _l("Held-out pairs in the order of people"),
    "reward_margin": _l("Reward of the better text minus that of the worse one, for held-out pairs"),
    "distance a token": _l("Distance to the model of the start (nats per token)"),
    "reward_wins": _l("Held-out rewrites that are better than those of the start (share)"),
    "tokens a second": _l("Tokens per second"),
    ENTROPY: _l("Attention's entropy (nats a word)"),
    ALIGNMENT: _l("Attention at the same word of the source"),
    ON_ONE_PLACE: _l("Attention at one place of the source"),
}
REWARDS = {
    "reward: ": _l("%(metric)s of the rewrites that it learns from"),
    "held-out reward: ": _l("%(metric)s of held-out rewrites"),
}


def curve_label(name: str, better: str = "") -> str:
    """A curve in words: a tune score, which has a better end, goes by its metric's label."""
    if name in CURVES:
        return str(CURVES[name])
    for start, label in REWARDS.items():
        if name.startswith(start):
            return label % {"metric": metric_label(name.removeprefix(start))}
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
    """A score or a loss with about four digits, as the reader writes it."""
    return number_format(value, 2 if abs(value) < 1000 else 0, use_l10n=True, force_grouping=True)


def precise(value: float) -> str:
    """A score with four digits, as equal ones are told from one another, as the reader writes it."""
    return written(float(f"{value:.4g}"))


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


# A checkpoint's manifest as facts. An imported one may say anything: only values of the right form are shown.

LONGEST = 200  # characters of a fact


@dataclass(frozen=True)
class Changed:
    """An option that is not as the paper has it."""

    name: str
    value: str
    usual: str


@dataclass(frozen=True)
class Facts:
    model: str
    paper: Paper | None
    directions: list[tuple[str, str]]
    trained: list[tuple[str, str]]
    changed: list[Changed]
    versions: list[tuple[str, str]]
    files: list[tuple[str, str]]


def facts_of(one: Checkpoint) -> Facts:
    """The facts on the checkpoint's page."""
    manifest = one.manifest
    kind = TRANSFERS.get(one.model)
    return Facts(
        label_of(one.model), kind.paper if kind else None, one.directions, list(_trained(manifest["trained"])),
        changed_of(one.model, manifest["options"]),
        [(_short(name), _short(version)) for name, version in manifest["versions"].items()],
        [(name, filesizeformat(about["size"])) for name, about in manifest["files"].items()],
    )  # fmt: skip


def changed_of(model: str, options: Mapping[str, Value]) -> list[Changed]:
    """The options that differ from their defaults."""
    if model not in TRANSFERS:
        return [Changed(name, shown_value(value), "") for name, value in options.items()]
    usual = {one.name: one.default for one in list_options(TRANSFERS[model].Options)}
    return [
        Changed(name, shown_value(value), shown_value(usual[name]))
        for name, value in options.items()
        if name in usual and value != usual[name]
    ]


def prompt_version(model: str, options: Mapping[str, Any]) -> str:
    """The version of the prompt in a model's options; "" where it has none, or the options are those of long ago."""
    if model not in TRANSFERS or not TRANSFERS[model].prompts:
        return ""
    try:
        return TRANSFERS[model].prompt_version(options)
    except UserError:
        return ""


def training_facts(run: TrainingRun) -> list[tuple[str, str]]:
    """The data, seed and device of a training, in words."""
    counts = run.counts
    facts = [(_("Seed"), str(run.seed)), (_("Device"), run.device_used or run.get_device_display())]
    if version := prompt_version(run.model, run.options):
        facts.append((_("Version of the prompt"), version))
    if counts:
        pairs, tune = counts.get("pairs", 0), counts.get("tune", 0)
        if run.direction_id:
            facts.append((_("Pairs to train on"), grouped(pairs)))
        if silver := counts.get("silver"):
            facts.append((_("Machine-made among them"), grouped(silver)))
        if judged := counts.get("preferences"):
            held_out = grouped(counts.get("held_out_preferences", 0))
            facts.append((_("Judged pairs"), _("%(learnt)s to learn from, %(held_out)s held out")
                          % {"learnt": grouped(judged), "held_out": held_out}))  # fmt: skip
        facts += [(_("Texts, %(style)s") % {"style": style}, grouped(counts.get(style, 0))) for style in run.styles]
        facts.append((_("Sources to tune on"), grouped(tune)))
    if run.silver:
        facts.append((_("Machine-made pairs"), silver_in_words(run.silver)))
    if run.data_digest:
        facts.append((_("Data"), run.data_digest[:12]))
    return facts


def _trained(trained: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield from _given(trained, "study", _("Study"))
    if trained.get(RESTRICTED):
        yield _("Made of"), _("restricted texts: nothing may go to an outside service")
    if isinstance(trained.get("silver"), dict):
        yield _("Machine-made pairs"), silver_in_words(trained["silver"])
    yield from _given(trained, "name", _("Training"))
    yield from _given(trained, "seed", _("Seed"))
    yield from _given(trained, "steps", _("Steps"))
    if score := score_in_words(trained.get("score")):
        better = better_in_words(trained.get("score"))
        yield _("Score on the tune set"), f"{score}, {better}" if better else score
    if isinstance(seconds := trained.get("seconds"), int | float) and 0 < seconds < 1e9:
        yield _("Time"), duration(seconds)
    yield from _given(trained, "device", _("Device"))
    yield from _given(trained, "data", _("Data (SHA-256)"))


def _given(trained: Mapping[str, Any], key: str, label: str) -> Iterator[tuple[str, str]]:
    if isinstance(value := trained.get(key), str | int) and value != "":
        yield label, grouped(value) if isinstance(value, int) and key == "steps" else _short(value)


def _short(value: Any) -> str:
    return str(value)[:LONGEST]


def shown_value(value: Any) -> str:
    """An option's value as people read it."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return number_in_words(value) if isinstance(value, int | float) and abs(value) < 1e15 else _short(value)
