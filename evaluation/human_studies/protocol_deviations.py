"""Protocol deviations: what of a human study is not as it was preregistered, each difference in a sentence."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from annotation.actions.settle_annotator import REASON
from annotation.models import Campaign, Review
from annotation.progress.counts import progress_of_all
from evaluation.human_studies.plan_validation import EXCLUSION_WORDS
from evaluation.human_studies.preregistration import campaign_rules, digests_of, is_unaltered
from evaluation.models import HumanStudy
from foundation.translation import isolated

WORDS = {
    "task_type": gettext_noop("kind of work"), "overlap": gettext_noop("people per item"),
    "crew": gettext_noop("eligibility rules"), "guideline_version": gettext_noop("guideline"),
    "size": gettext_noop("number of items"), "criteria": gettext_noop("criteria"),
}  # fmt: skip

COMPARED = {
    "baseline": gettext_noop("baseline"), "systems": gettext_noop("systems"), "criterion": gettext_noop("criterion"),
    "test": gettext_noop("test"), "correction": gettext_noop("correction"), "alpha": gettext_noop("level"),
}  # fmt: skip


def protocol_deviations(human_study: HumanStudy) -> list[str]:
    """Every difference between the frozen plan and what is; none before it opened."""
    return list(_all(human_study)) if human_study.frozen else []


def _all(human_study: HumanStudy) -> Iterator[str]:
    rules = human_study.frozen["rules"]
    if not is_unaltered(human_study.frozen):
        yield _("The frozen plan does not have the hash that was made of it.")
    campaigns = list(human_study.campaigns.all())
    yield from _short(human_study, campaigns)
    yield from _again(human_study, campaigns)
    yield from _amended(human_study, rules)
    yield from _campaigns(campaigns, rules)
    yield from _people(campaigns)
    yield from _texts(human_study, rules)


def _short(human_study: HumanStudy, campaigns: list[Campaign]) -> Iterator[str]:
    progress = progress_of_all(campaigns).values()
    done, planned = (
        sum(campaign_progress.done for campaign_progress in progress),
        human_study.frozen["rules"]["planned"]["answers"],
    )
    if done < planned:
        closed = human_study.state == HumanStudy.State.CLOSED
        early = ngettext(
            "It was closed early: {n} of {planned} planned answers is there.",
            "It was closed early: {n} of {planned} planned answers are there.",
            done,
        )
        unfinished = ngettext(
            "It is not over: {n} of {planned} planned answers is there.",
            "It is not over: {n} of {planned} planned answers are there.",
            done,
        )
        yield (early if closed else unfinished).format(n=done, planned=planned)
    elif done > planned:
        more = ngettext(
            "{n} answer is there, and {planned} were planned.",
            "{n} answers are there, and {planned} were planned.",
            done,
        )
        yield more.format(n=done, planned=planned)


def _again(human_study: HumanStudy, campaigns: list[Campaign]) -> Iterator[str]:
    for campaign in campaigns:
        if human_study.state == HumanStudy.State.CLOSED and campaign.state != Campaign.State.CLOSED:
            yield _("The campaign {name} was opened again after the study was closed.").format(
                name=isolated(campaign.name)
            )


def _amended(human_study: HumanStudy, rules: dict[str, Any]) -> Iterator[str]:
    if human_study.exclusions != rules["exclusions"]:
        was, now = _bounds(rules["exclusions"]), _bounds(human_study.exclusions)
        yield _("The rules of exclusion were {was}, and are now {now}.").format(was=was, now=now)
    if human_study.use_controls != rules["use_controls"]:
        yield (
            _("The attention checks are now used to leave workers out.")
            if human_study.use_controls
            else _("The attention checks are no longer used to leave workers out.")
        )
    for exclusion in human_study.excluded:
        yield _("One person was left out by hand: {reason}").format(reason=isolated(exclusion["reason"]))
    yield from _compared(rules["comparison"], human_study.comparison)


def _compared(was: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    if bool(was) != bool(now):
        yield (
            _("There is a main comparison, and none was planned.") if now else _("The main comparison was taken back.")
        )
        return
    for name, word in COMPARED.items():
        if was.get(name) != now.get(name):
            values = {"was": isolated(_plain(was[name])), "now": isolated(_plain(now[name]))}
            yield _("The {what} of the main comparison was {was}, and is now {now}.").format(what=_(word), **values)


def _campaigns(campaigns: list[Campaign], rules: dict[str, Any]) -> Iterator[str]:
    by_slug = {campaign.slug: campaign for campaign in campaigns}
    for slug, was in rules["campaigns"].items():
        if slug not in by_slug:
            yield _("The campaign {name} is gone.").format(name=isolated(slug))
            continue
        now = campaign_rules(by_slug[slug])
        for name, word in WORDS.items():
            if now[name] != was[name]:
                plain = name not in ("crew", "criteria")
                changed = (
                    _("The {what} of the campaign {name} changed: {was}, and now {now}.")
                    if plain
                    else _("The {what} of the campaign {name} changed.")
                )
                said = {"what": _(word), "name": isolated(by_slug[slug].name), "was": was[name], "now": now[name]}
                yield changed.format(**said)


def _people(campaigns: list[Campaign]) -> Iterator[str]:
    rejected = Review.objects.filter(answer__campaign__in=campaigns, answer__pilot=False, verdict="rejected")
    by_hand = rejected.filter(reason=REASON).aggregate(n=Count("answer__person", distinct=True))["n"]
    if by_hand:
        whose = ngettext(
            "All work of {n} person was set aside by hand.", "All work of {n} people was set aside by hand.", by_hand
        )
        yield whose.format(n=by_hand)
    single = rejected.exclude(reason=REASON).aggregate(n=Count("answer", distinct=True))["n"]
    if single:
        which = ngettext("{n} answer was rejected by reviewers.", "{n} answers were rejected by reviewers.", single)
        yield which.format(n=single)


def _texts(human_study: HumanStudy, rules: dict[str, Any]) -> Iterator[str]:
    systems = list(human_study.systems.all())
    names = [system.name for system in systems]
    for name in rules["systems"]:
        if name not in names:
            yield _("The system {name} was removed.").format(name=isolated(name))
    later = human_study.study.systems.exclude(name__in=[*rules["systems"], *rules["others"]])
    for name in later.values_list("name", flat=True):
        said = _("The system {name} was added to the study later, and is not judged here.")
        yield said.format(name=isolated(name))
    now = digests_of(human_study, systems)
    if now[""] != rules["texts"][""]:
        yield _("The sources have changed since.")
    for name in names:
        if name in rules["texts"] and now[name] != rules["texts"][name]:
            yield _("Outputs of the system {name} have changed since.").format(name=isolated(name))


def _bounds(exclusions: dict[str, float]) -> str:
    """`at least 2 seconds an answer, p of the attention test at most 0.05`, or "none"."""
    bounded = {name: words for name, words in EXCLUSION_WORDS.items() if name in exclusions}
    return _(", ").join(_(words) % f"{exclusions[name]:g}" for name, words in bounded.items()) or _("none")


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(value) or "all others"
    return f"{value:g}" if isinstance(value, float) else str(value)
