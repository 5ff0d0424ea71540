"""Preregistration: the plan of a human study as it was when it opened, with a hash that shows it unaltered."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from statistics import median
from typing import Any

import orjson
from django.db.models import Count, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from annotation.actions.settle_annotator import REASON
from annotation.models import Campaign, Review
from annotation.progress.counts import answers_by_version, progress_of_all
from corpora.models import Output, Study, System
from evaluation.human_studies.any_looks import decision, is_any_time
from evaluation.human_studies.cost import Cost
from evaluation.human_studies.main_comparison import main_comparison
from evaluation.human_studies.plan_validation import EXCLUSION_WORDS, exclusion_in_words
from evaluation.human_studies.repeated import beside_the_first
from evaluation.human_studies.sample import material_drawn
from evaluation.human_studies.workers import (
    Worker,
    agreements_in,
    exclusions_of,
    missed_checks,
    opened_studies,
    straightness,
    tests_of_workers,
    workers_of,
)
from evaluation.models import HumanStudy
from foundation.translation import isolated

PLAIN = (
    *("name", "splits", "rate_source", "rate_reference", "sampling", "size", "seed", "criteria", "ranks"),
    *("best_worst", "judgements", "outputs_per_item", "crew", "costs", "controls", "use_controls", "exclusions"),
    *("comparison", "shows_comparison", "guideline", "sentence_ids"),
)
RENAMED = {"crew": "eligibility"}  # fields by the names that kept plans have for them
OF_CAMPAIGN = ("slug", "task_type", "overlap", "crew", "guideline_version", "size")


def preregistered_plan(
    human_study: HumanStudy, systems: Sequence[System], campaigns: Sequence[Campaign], cost: Cost
) -> Any:
    """`{"rules": {...}, "sha256": ...}`; the hash is over the rules as JSON with sorted keys.

    The rules hold only digests of texts, so that the page can show the rules to everybody who runs the study.
    """
    rules = {
        **plain_rules(human_study),
        "direction": human_study.direction.name if human_study.direction else None,
        "systems": [system.name for system in systems],
        "others": sorted(
            set(human_study.study.systems.values_list("name", flat=True)) - {system.name for system in systems}
        ),
        "texts": digests_of(human_study, systems),
        "control_texts": sha256(human_study.control_texts),
        "campaigns": {campaign.slug: campaign_rules(campaign) for campaign in campaigns},
        "planned": {"sentences": cost.sentences, "answers": cost.answers, "judgements": cost.judgements},
    }
    return {"rules": rules, "sha256": sha256(rules)}


def plain_rules(human_study: HumanStudy) -> dict[str, Any]:
    """The fields of its plan that are kept as they are."""
    return {name: _kept(human_study, name) for name in PLAIN}


def campaign_rules(campaign: Campaign) -> dict[str, Any]:
    """The fields of a campaign that must not change."""
    return {name: _kept(campaign, name) for name in OF_CAMPAIGN} | {"criteria": campaign.settings.get("criteria", [])}


def _kept(row: HumanStudy | Campaign, name: str) -> Any:
    return getattr(row, RENAMED.get(name, name))


def digests_of(human_study: HumanStudy, systems: Iterable[System]) -> dict[str, str]:
    """The SHA-256 of the judged texts: of the sources, and of each system's outputs for the drawn sentences."""
    chosen = list(systems)
    rows = list(material_drawn(human_study, chosen))
    digests = {"": sha256([[row.sentence_id, row.source] for row in rows])}
    return digests | {
        system.name: sha256([[row.sentence_id, row.outputs[place]] for row in rows])
        for place, system in enumerate(chosen)
    }


def sha256(value: Any) -> str:
    return hashlib.sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS)).hexdigest()


def is_unaltered(frozen: Mapping[str, Any]) -> bool:
    """Whether the kept rules still have the hash that was made of them."""
    return sha256(frozen["rules"]) == str(frozen["sha256"])


# Protocol deviations: the differences of a human study from its preregistration, each in a sentence.

WORDS = {
    "task_type": gettext_noop("kind of work"), "overlap": gettext_noop("people per item"),
    "crew": gettext_noop("eligibility rules"), "guideline_version": gettext_noop("guideline"),
    "size": gettext_noop("number of items"), "criteria": gettext_noop("criteria"),
}  # fmt: skip

COMPARED = {
    "baseline": gettext_noop("baseline"), "systems": gettext_noop("systems"), "criterion": gettext_noop("criterion"),
    "test": gettext_noop("test"), "correction": gettext_noop("correction"), "alpha": gettext_noop("level"),
    "looks": gettext_noop("moment of the decision"), "evidence": gettext_noop("evidence at any moment"),
    "queue": gettext_noop("order of judgements"),
    "proxy": gettext_noop("metric beside people"),
}  # fmt: skip

# The meaning of a kept plan that says nothing of it.
UNSAID = {"looks": "once", "evidence": "betting", "queue": "even", "proxy": ""}


def protocol_deviations(human_study: HumanStudy) -> list[str]:
    """Every difference between the frozen plan and the study as it is; none before it opened."""
    return list(_all(human_study)) if human_study.frozen else []


def _all(human_study: HumanStudy) -> Iterator[str]:
    rules = human_study.plan_at_opening["rules"]
    if not is_unaltered(human_study.plan_at_opening):
        yield _("The frozen plan does not match its recorded hash.")
    campaigns = list(human_study.campaigns.all())
    yield from _short(human_study, campaigns)
    yield from _again(human_study, campaigns)
    yield from _amended(human_study, rules)
    yield from _campaigns(campaigns, rules)
    yield from _by_version(campaigns)
    yield from _people(campaigns)
    yield from _texts(human_study, rules)


def _short(human_study: HumanStudy, campaigns: list[Campaign]) -> Iterator[str]:
    progress = progress_of_all(campaigns).values()
    done, planned = (
        sum(campaign_progress.done for campaign_progress in progress),
        human_study.plan_at_opening["rules"]["planned"]["answers"],
    )
    if done < planned and not _is_decided(human_study):
        closed = human_study.state == HumanStudy.State.CLOSED
        early = ngettext(
            "The study was closed early: it has {n} of {planned} planned answers.",
            "The study was closed early: it has {n} of {planned} planned answers.",
            done,
        )
        unfinished = ngettext(
            "The study is not over: it has {n} of {planned} planned answers.",
            "The study is not over: it has {n} of {planned} planned answers.",
            done,
        )
        yield (early if closed else unfinished).format(n=done, planned=planned)
    elif done > planned:
        more = ngettext(
            "The study has {n} answer; {planned} were planned.",
            "The study has {n} answers; {planned} were planned.",
            done,
        )
        yield more.format(n=done, planned=planned)


def _is_decided(human_study: HumanStudy) -> bool:
    """Whether it was planned to end with its decision, and is decided."""
    if not is_any_time(human_study):
        return False
    return decision(human_study, exclusions_of(human_study, workers_of(human_study))).is_made


def _again(human_study: HumanStudy, campaigns: list[Campaign]) -> Iterator[str]:
    for campaign in campaigns:
        if human_study.state == HumanStudy.State.CLOSED and campaign.state != Campaign.State.CLOSED:
            yield _("The campaign {name} was opened again after the study was closed.").format(
                name=isolated(campaign.name)
            )


AMENDABLE = ("exclusions", "use_controls", "comparison")


def _amended(human_study: HumanStudy, rules: dict[str, Any]) -> Iterator[str]:
    """Each change of the rules at its moment, also one that was taken back: its result could be read before that."""
    known = {name: rules[name] for name in AMENDABLE}
    for amendment in human_study.amendments:
        if "since" in amendment:
            since, until = _moment(amendment["since"]), _moment(amendment["at"])
            yield _("One person was excluded by hand from {since} to {until} UTC.").format(since=since, until=until)
            continue
        before = known | amendment["was"]
        yield from _changes(known, before)
        known = before | amendment["now"]
        for said in _changes(before, known):
            yield _("Amended on {moment} UTC: {said}").format(moment=_moment(amendment["at"]), said=said)
    for exclusion in human_study.excluded:
        yield _("One person was excluded by hand: {reason}").format(reason=isolated(exclusion["reason"]))
    yield from _changes(known, {name: getattr(human_study, name) for name in AMENDABLE})


def _moment(at: str) -> str:
    return f"{datetime.fromisoformat(at):%Y-%m-%d %H:%M}"


def _changes(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """The differences of the rules that can be amended, of studies from before there were `amendments` as well."""
    if now["exclusions"] != was["exclusions"]:
        bounds = {"was": _bounds(was["exclusions"]), "now": _bounds(now["exclusions"])}
        yield _("The rules of exclusion were {was}, and are now {now}.").format(**bounds)
    if now["use_controls"] != was["use_controls"]:
        yield (
            _("The attention checks now exclude workers.")
            if now["use_controls"]
            else _("The attention checks no longer exclude workers.")
        )
    yield from _compared(was["comparison"], now["comparison"])


def _compared(was: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    if bool(was) != bool(now):
        yield (
            _("The study has a main comparison that was not planned.") if now else _("The main comparison was removed.")
        )
        return
    for name, word in COMPARED.items() if was else ():
        before, after = (of.get(name, UNSAID.get(name)) for of in (was, now))
        if before != after:
            values = {"was": isolated(_plain(before)), "now": isolated(_plain(after))}
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


def _by_version(campaigns: list[Campaign]) -> Iterator[str]:
    """Under which version of the guideline the answers were given, where it is not the same for all."""
    for campaign in campaigns if any(one.guideline_version > 1 for one in campaigns) else []:
        counts = sorted(answers_by_version(campaign).items())
        if len(counts) > 1:
            one = _("version {version}: {n}")
            told = _("; ").join(one.format(version=version, n=n) for version, n in counts)
            yield _(
                "The answers of the campaign {name} were given under several versions of its guideline ({counts})."
            ).format(name=isolated(campaign.name), counts=told)


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
    if human_study.direction:  # one of the other direction alone could not be judged here
        here = Output.objects.filter(sentence__direction=human_study.direction).values("system")
        later = later.filter(Q(outputs=None) | Q(pk__in=here)).distinct()
    for name in later.values_list("name", flat=True):
        said = _("The system {name} was added later, so it is not judged here.")
        yield said.format(name=isolated(name))
    now = digests_of(human_study, systems)
    if now[""] != rules["texts"][""]:
        yield _("The sources have changed since.")
    for name in names:
        if name in rules["texts"] and now[name] != rules["texts"][name]:
            yield _("Outputs of the system {name} have changed since.").format(name=isolated(name))


def _bounds(exclusions: dict[str, float]) -> str:
    """`at least 2 seconds an answer, p of the attention test at most 0.05`, or "none"."""
    named = [name for name in ("least_seconds", *EXCLUSION_WORDS) if name in exclusions]
    return _(", ").join(exclusion_in_words(name, exclusions[name]) for name in named) or _("none")


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(value) or "all others"
    return f"{value:g}" if isinstance(value, float) else str(value)


# A study's human studies in the report.


def summary(study: Study, people: Sequence[str]) -> list[dict[str, Any]]:
    """Each human study that opened: its plan and hash, how far it came, its workers, its main comparison, departures.

    Workers have their numbers among `people` (pseudonyms), as in all of the report, which names nobody. Workers who
    judged attention checks alone come after them.
    """
    numbers = {person: number for number, person in enumerate(people, 1)}
    return [summary_of(human_study, numbers) for human_study in opened_studies(study)]


def summary_of(human_study: HumanStudy, numbers: dict[str, int] | None = None) -> dict[str, Any]:
    """A human study as a report has it; a worker who is not in `numbers` yet gets the next number.

    Without `numbers` the workers are numbered from 1. Nothing is `compared` while the study is open and `withheld`.
    """
    rules = human_study.plan_at_opening["rules"]
    workers = workers_of(human_study)
    out = exclusions_of(human_study, workers)
    progress = progress_of_all(human_study.campaigns.all()).values()
    compared = [] if human_study.withholds else main_comparison(human_study, out, workers)
    return {
        "name": human_study.name,
        "slug": human_study.slug,
        "state": human_study.state,
        "opened_at": human_study.opened_at.isoformat() if human_study.opened_at else None,
        "closed_at": human_study.closed_at.isoformat() if human_study.closed_at else None,
        "sha256": human_study.plan_at_opening["sha256"],
        "sentences": len(human_study.sentence_ids),
        "systems": rules["systems"],
        "judgements_an_output": rules["judgements"],
        "planned": rules["planned"],
        "answers": sum(campaign.done for campaign in progress),
        "controls": dict(Counter(control_text["kind"] for control_text in human_study.control_texts)),
        "exclusions": human_study.exclusions,
        "uses_controls": human_study.use_controls,
        "workers": _numbered(workers_in(human_study, workers, out), {} if numbers is None else numbers),
        "comparison": human_study.comparison,
        "withheld": human_study.withholds,
        "decision": decision_of(human_study, out),
        "settled": human_study.draws.get("settled", {}) if not human_study.withholds else {},
        "repeats": beside_the_first(human_study),
        "compared": [
            {
                "system": comparison.system, "mean": comparison.mean, "baseline": comparison.baseline,
                "p": comparison.test.p, "corrected": comparison.corrected, "effect": comparison.test.effect,
                "n": comparison.test.n,
                "undefined": comparison.test.undefined, "note": comparison.test.note,
                "difference": comparison.difference, "low": comparison.test.low, "high": comparison.test.high,
                "with_metric": comparison.with_metric.as_json if comparison.with_metric else None,
                "win_rate": vars(comparison.win_rate) if comparison.win_rate else None,
                "differs": comparison.differs(human_study.comparison["alpha"]),
            }
            for comparison in compared
        ],
        "departures": protocol_deviations(human_study),
    }  # fmt: skip


def decision_of(human_study: HumanStudy, left_out: Mapping[str, str]) -> dict[str, Any] | None:
    """Whether a comparison that was planned for any moment is decided, and after how many answers; else None.

    This is said while the study is open, too, and nothing of the systems with it.
    """
    if not is_any_time(human_study):
        return None
    found = decision(human_study, left_out)
    return {"decided": found.is_made, "after": found.at, "answers": found.answers, "planned": found.planned}


def _numbered(rows: Sequence[dict[str, Any]], numbers: dict[str, int]) -> list[dict[str, Any]]:
    """The rows by number, which takes the person's place."""
    numbered = [
        {
            "worker": numbers.setdefault(row["person"], len(numbers) + 1),
            **{k: v for k, v in row.items() if k != "person"},
        }
        for row in rows
    ]
    return sorted(numbered, key=lambda row: row["worker"])


def workers_in(
    human_study: HumanStudy, workers: Mapping[str, Worker], left_out: Mapping[str, str]
) -> list[dict[str, Any]]:
    """A row for each person who rated: answers, seconds, the attention test, agreement, and why they are left out."""
    tests, agreements = tests_of_workers([human_study], workers), agreements_in(human_study, workers)
    rows = []
    for person, worker in sorted(workers.items()):
        bad, rated = missed_checks(human_study, worker)
        rows.append(
            {
                "person": person,
                "answers": worker.answers,
                "seconds": median(worker.seconds) if worker.seconds else None,
                "controls": rated,
                "missed": bad,
                "control_test": asdict(tests[person]) if person in tests else None,
                "agreement": agreements.get(person),
                "one_value": straightness(worker),
                "left_out": left_out.get(person, ""),
            }
        )
    return rows
