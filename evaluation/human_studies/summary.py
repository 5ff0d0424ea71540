"""What the report says of a study's human studies."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from statistics import median
from typing import Any

from annotation.progress.counts import progress_of_all
from corpora.models import Study
from evaluation.human_studies.attention_check_tests import missed_checks, tests_of_workers
from evaluation.human_studies.exclusions import agreements_in, exclusions_of, opened_studies, straightness
from evaluation.human_studies.main_comparison import main_comparison
from evaluation.human_studies.protocol_deviations import protocol_deviations
from evaluation.human_studies.workers import Worker, workers_of
from evaluation.models import HumanStudy


def summary(study: Study, people: Sequence[str]) -> list[dict[str, Any]]:
    """Each human study that opened: its plan and hash, how far it came, its workers, its main comparison, departures.

    Workers have their numbers among `people` (pseudonyms), as in all of the report, which names nobody; who judged
    attention checks alone comes after them.
    """
    numbers = {person: number for number, person in enumerate(people, 1)}
    return [summary_of(human_study, numbers) for human_study in opened_studies(study)]


def summary_of(human_study: HumanStudy, numbers: dict[str, int] | None = None) -> dict[str, Any]:
    """Whoever has none yet gets the next of the `numbers`; without them workers are numbered by themselves.

    Where the comparison is `withheld`, the study being open, nothing is `compared`.
    """
    rules = human_study.frozen["rules"]
    workers = workers_of(human_study)
    out = exclusions_of(human_study, workers)
    progress = progress_of_all(human_study.campaigns.all()).values()
    compared = [] if human_study.withholds else main_comparison(human_study, out, workers)
    return {
        "name": human_study.name,
        "slug": human_study.slug,
        "state": human_study.state,
        "opened_at": human_study.opened_at.isoformat(),
        "closed_at": human_study.closed_at.isoformat() if human_study.closed_at else None,
        "sha256": human_study.frozen["sha256"],
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
        "compared": [
            {
                "system": comparison.system, "mean": comparison.mean, "baseline": comparison.baseline,
                "p": comparison.test.p, "corrected": comparison.corrected, "effect": comparison.test.effect,
                "n": comparison.test.n,
                "undefined": comparison.test.undefined, "note": comparison.test.note,
                "differs": comparison.differs(human_study.comparison["alpha"]),
            }
            for comparison in compared
        ],
        "departures": protocol_deviations(human_study),
    }  # fmt: skip


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
