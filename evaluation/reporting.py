"""The report of a study: systems by human means and metrics, agreement, and how far each metric agrees with people."""

from dataclasses import asdict

from corpora.models import Study, System
from evaluation.agreeing import correlations
from evaluation.assembly import Assembly, Json
from evaluation.judged import RANK, CriterionJudgements
from evaluation.metrics import METRICS
from evaluation.scoring import REFERENCES
from evaluation.statistics import STATISTICS, Mean
from evaluation.texts import StudyTexts

ALPHA = "krippendorff_alpha"
NO_RANK = Mean(None, None, None, 0, "There are no judgements.")


def build_report(study: Study, texts: StudyTexts | None = None) -> Json:
    """The report as one JSON object; its form is in `docs/report.md`."""
    made = Assembly(study, texts)
    human = {name: _human(made, criterion) for name, criterion in made.criteria.items()}
    systems = [_system(made, system, human) for system in made.systems()]
    return {
        "study": study.slug,
        "systems": systems,
        "agreement": [_agreement(criterion) for criterion in made.criteria.values()],
        "correlations": correlations(made),
    }


def _system(made: Assembly, system: System, human: dict[str, dict[int, Mean]]) -> Json:
    outputs = sum(text is not None for text in made.texts.outputs[system.pk])
    return {
        "name": system.name,
        "outputs": outputs,
        "missing": len(made.texts.ids) - outputs,
        "human": {name: asdict(means[system.pk]) for name, means in human.items()},
        "metrics": {name: _metric(made, system, name) for name in made.metrics},
    }


def _human(made: Assembly, criterion: CriterionJudgements) -> dict[int, Mean]:
    """The mean of each system, by its key; identical outputs are judged once and count for every system."""
    if criterion.name == RANK:
        return _ranks(made, criterion)
    return {system.pk: _mean(made, system, criterion) for system in made.systems()}


def _mean(made: Assembly, system: System, criterion: CriterionJudgements) -> Mean:
    pairs = [
        (source, value)
        for source, key in made.texts.points(system)
        for value in criterion.values.get((source, key), {}).values()
    ]
    return STATISTICS["mean_interval"].mean([value for _, value in pairs], [source for source, _ in pairs])


def _ranks(made: Assembly, criterion: CriterionJudgements) -> dict[int, Mean]:
    found = STATISTICS["mean_rank"].ranks(*made.places(criterion))
    return {system.pk: found.get(system.pk, NO_RANK) for system in made.systems()}


def _metric(made: Assembly, system: System, name: str) -> Json:
    found = made.scores.get((system.pk, name))
    if found is not None:
        return {
            "score": found.corpus,
            "signature": found.signature,
            "undefined": found.undefined,
            "n": len(found.sentences),
        }
    return {"score": None, "signature": "", "undefined": _why_no_score(made, system, name), "n": 0}


def _why_no_score(made: Assembly, system: System, name: str) -> str:
    if not any(made.texts.outputs[system.pk]):
        return "It has no outputs yet."
    if REFERENCES in METRICS[name].needs:
        if made.texts.are_references(system):
            return "Its outputs are the references themselves."
        return "No source that it has an output for has a reference."
    return "It has not been worked out yet."


def _agreement(criterion: CriterionJudgements) -> Json:
    raters, points, values = criterion.rows()
    items = {point: number for number, point in enumerate(criterion.values)}
    alpha = STATISTICS[ALPHA].agree(raters, [items[point] for point in points], values, criterion.measurement)
    return {
        "criterion": criterion.name,
        "coefficient": ALPHA,
        "measurement": criterion.measurement,
        **asdict(alpha),
    }
