"""The figure of a whole report: ten systems, four criteria, five judgements of each output, and twenty metrics."""

from functools import partial
from random import Random

from accounts.models import Person
from annotation.campaigns.criteria import keep_criteria
from annotation.models import Criterion
from corpora.actions.add_direction import add_direction
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.database import copy_rows
from corpora.models import Sentence, Study
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.make_report import make_report
from evaluation.metrics import METRICS
from evaluation.models import Judgement, RatingsImport
from evaluation.snapshot_builder.build import snapshot_of
from evaluation.table_building import tables_json
from foundation.text_keys import text_key
from tools.bench.bench_study import sentences
from tools.bench.clock import Took, timed
from tools.bench.measurement_sizes import Sizes

SYSTEMS, RATERS = 10, 5
# By name, so that another commit with other metrics is measured with these; none needs a model.
LIGHT = (
    "ascore", "bleu", "bleu_1", "bleu_2", "bleu_3", "bleu_mean", "chrf", "cider", "coleman_liau", "cwr",
    "edit_distance", "fkgl", "gunning_fog", "hit", "meteor", "pinc", "readability", "rouge_1", "rouge_2", "rouge_l",
)  # fmt: skip
CRITERIA = {
    "formality": ("formality_7", "style"),
    "fluency": ("fluency_5", "fluency"),
    "meaning": ("meaning_6", "meaning"),
    "overall": ("likert_5", "overall"),
}


def reporting(sizes: Sizes, by: Person) -> dict[str, Took]:
    """A study of as many sentences, rated by simulated people, reported three times: each figure by its words."""
    study, outputs = _study(sizes.reported, by)
    judgements = _rate(study, outputs, by)
    chosen = {name: {"synonyms": False} if METRICS[name].unavailable() else {} for name in LIGHT}
    choose_metrics(study=study, metrics=chosen)
    of = f"report of {SYSTEMS} systems x {sizes.reported:,} sentences, {judgements:,} judgements, {len(LIGHT)} metrics"
    first = timed(partial(make_report, study=study))
    study.report.delete()
    again = timed(partial(make_report, study=study))
    _judge_once_more(study, outputs, by)
    more = timed(partial(make_report, study=study))
    snapshot = snapshot_of(study)
    return {
        f"{of}: scores and all": first,
        f"{of}: from stored scores": again,
        f"{of}: from stored scores, after another judgement": more,
        f"{of}: its tables and figures": timed(lambda: tables_json(snapshot)),
    }


def _study(count: int, by: Person) -> tuple[Study, list[list[str]]]:
    study = create_study(slug="bench-report", title="Bench report", styles=["informal", "formal"], by=by)
    direction = add_direction(study=study, source_style="informal", target_style="formal")
    sources = sentences(count, 1)
    add_sources(direction=direction, texts=sources)
    add_references(direction=direction, texts=_changed(sources, 0.3, 2), origin="bench")
    outputs = [_changed(sources, place / SYSTEMS, 3 + place) for place in range(SYSTEMS)]
    for place, texts in enumerate(outputs):
        add_system(study=study, name=f"System {place}", outputs={direction: texts}, origin="bench", by=by)
    rows = [
        {"name": name, "scale": scale, "aspect": aspect, "beside": "source"}
        for name, (scale, aspect) in CRITERIA.items()
    ]
    keep_criteria(study, rows)
    return study, outputs


def _changed(texts: list[str], part: float, seed: int) -> list[str]:
    """The texts with so large a part of their words replaced."""
    random = Random(seed)  # noqa: S311
    return [" ".join(f"{word}{seed}" if random.random() < part else word for word in text.split()) for text in texts]


def _rate(study: Study, outputs: list[list[str]], by: Person) -> int:
    random = Random(5)  # noqa: S311
    made = RatingsImport.objects.create(study=study, number=1, format="mturk", file_name="tools.bench.csv", made_by=by)
    ids = list(Sentence.objects.filter(direction__study=study).order_by("number").values_list("pk", flat=True))
    criteria = dict(Criterion.objects.filter(study=study).values_list("name", "pk"))
    rows = [
        (made.pk, sentence, pk, text_key(texts[at]), f"W{random.randrange(200)}-{rater}", _value(random, place), None)
        for at, sentence in enumerate(ids)
        for place, texts in enumerate(outputs)
        for rater in range(RATERS)
        for pk in criteria.values()
    ]
    fields = ["ratings_import", "sentence", "criterion", "text_key", "worker", "value", "seconds"]
    copy_rows(Judgement, fields, rows)
    return len(rows)


def _judge_once_more(study: Study, outputs: list[list[str]], by: Person) -> None:
    """One further judgement, so that nothing that follows from judgements stands."""
    made = RatingsImport.objects.create(study=study, number=2, format="mturk", file_name="another.csv", made_by=by)
    first = Sentence.objects.filter(direction__study=study).order_by("number")[0]
    for criterion in Criterion.objects.filter(study=study):
        Judgement.objects.create(
            ratings_import=made, sentence=first, criterion=criterion, text_key=text_key(outputs[0][0]),
            worker="W-another", value=1.0,
        )  # fmt: skip


def _value(random: Random, place: int) -> float:
    return float(max(1, min(5, round(random.gauss(5 - place / 4, 1)))))
