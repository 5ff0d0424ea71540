"""A language model as a judge: its scores as a metric, what it is asked and paid, its bias card, and who may ask it."""

import json

import numpy as np
import pytest
from django.urls import reverse
from support import campaigns
from support.clients import as_person, with_token
from support.language_model_server import completion, served

from accounts.permissions import Role
from corpora.formats import TextFile
from corpora.models import Output, Study
from corpora.table_parser import understand
from evaluation.actions.bring_in_judgements import bring_in_judgements
from evaluation.actions.import_scores import GivenScores, import_scores
from evaluation.actions.make_report import make_report
from evaluation.actions.start_judging import start_judging
from evaluation.imported_judgements.judgement_plan import guess_meanings
from evaluation.models import JudgeRun, MetricScore
from evaluation.tasks import judge as judge_task
from foundation.errors import UserError
from jobs.models import Job

pytestmark = pytest.mark.django_db
ITEMS = 6
SYSTEMS = campaigns.SYSTEMS
ASKED = {"criterion": "fluency", "endpoint": "lab", "model": "tiny"}


def value_of(prompt):
    """What the server answers: a value from 1 to 5 that follows from the judged text."""
    return valued(prompt.partition("Rewritten: ")[2].partition("\n")[0])


def valued(text):
    return 1 + sum(map(ord, text)) % 5


def answer(request, text):
    body = json.loads(completion(request))
    body["choices"][0]["message"]["content"] = text
    return 200, {}, json.dumps(body).encode()


def judge(request):
    prompt = request["messages"][-1]["content"]
    return answer(request, f"Score: {value_of(prompt)}" if "Rewritten: " in prompt else "A")


@pytest.fixture
def server(monkeypatch):
    with served(behave=judge) as one:
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODELS", f"lab={one.url} models=tiny local=1; far={one.url} models=tiny")
        yield one


@pytest.fixture(scope="module")
def made_once(kept_for_the_file):
    made = campaigns.study(items=ITEMS, systems=3, references=1)
    rows = [
        f"ann,{n},{system},{1 + (place + n) % 5}\n" for place, system in enumerate(SYSTEMS) for n in range(1, ITEMS + 1)
    ]
    with understand(TextFile(("rater,number,system,fluency\n" + "".join(rows)).encode(), "ratings.csv")) as table:
        mapping = guess_meanings(made, table, {})
        bring_in_judgements(study=made, table=table, mapping=mapping, answers={"scale-fluency": "fluency_5"})
    return made.pk


@pytest.fixture
def study(server, made_once):
    return Study.objects.get(pk=made_once)


def judged(study, **given):
    run = start_judging(study=study, by=None, **{**ASKED, **given})
    judge_task(run.job_id)
    return JudgeRun.objects.select_related("job", "metric").get(pk=run.pk)


def test_its_scores_are_those_of_a_metric_that_is_marked(study, server):
    run = judged(study)
    assert run.job.state == Job.State.DONE, run.job.error
    outputs = {(row.system.name, row.sentence_id): row.text for row in Output.objects.select_related("system")}
    for stored in MetricScore.objects.filter(metric=run.metric.key).select_related("system"):
        expected = [valued(outputs[stored.system.name, pk]) for pk in stored.sentence_ids]
        assert stored.sentences == expected
    assert run.counts["outputs"] == 3 * ITEMS
    assert run.metric.version == "tiny"
    assert run.metric.signature.startswith("judge:scale|criterion:fluency|model:tiny|prompt:")
    report = make_report(study=study).content
    row = next(one for one in report["trust"]["criteria"]["fluency"]["sentence"] if one["metric"] == run.metric.key)
    people = np.array([1 + (place + n) % 5 for place in range(3) for n in range(1, ITEMS + 1)])
    scores = MetricScore.objects.filter(metric=run.metric.key).order_by("system__pk")
    given = np.concatenate([one.sentences for one in scores])
    assert row["value"] == pytest.approx(np.corrcoef(given, people)[0, 1], abs=1e-12)
    assert run.card["agreement"]["value"] == pytest.approx(row["value"], abs=1e-12)
    page = as_person(campaigns.person(Role.RESEARCHER, study)).get(reverse("study_trust", args=[study.slug]))
    assert "(language model, uncorrected)" in page.content.decode()


def test_scores_of_its_name_that_came_in_with_a_file_are_not_replaced(study, server):
    system, name = study.systems.first(), "judge: tiny, fluency"
    values = {system.pk: dict.fromkeys(system.outputs.values_list("sentence", flat=True), 2.0)}
    late = start_judging(study=study, by=None, **ASKED)
    assert late.name == name
    given = GivenScores(name, True, values, version="of another site")
    import_scores(study=study, file_name="scores.csv", metrics=[given])
    judge_task(late.job_id)
    late.job.refresh_from_db()
    with pytest.raises(UserError, match="came in with a file") as refused:
        judged(study)
    assert (refused.value.where, late.job.state) == ("name", Job.State.FAILED)
    assert "came in with a file" in late.job.error
    (row,) = MetricScore.objects.filter(metric=f"imported/{name}")
    assert set(row.sentences) == {2.0}
    assert judged(study, name="mine").metric.name == "judge: mine"


def test_equal_outputs_are_asked_about_once_and_an_answer_is_paid_once(study, server):
    first, second = study.systems.all()[:2]
    for row in first.outputs.all():
        second.outputs.filter(sentence=row.sentence_id).update(text=row.text)
    run = judged(study, contrast=0)
    assert len(server.requests) == run.counts["questions"] == 2 * ITEMS
    assert run.counts["outputs"] == 3 * ITEMS
    again = judged(study, contrast=0)
    assert len(server.requests) == 2 * ITEMS
    assert (again.usage["calls"], again.usage["kept"]) == (0, 2 * ITEMS)
    assert again.metric == run.metric
    assert study.imported_metrics.count() == 1


def test_pairs_are_asked_in_both_orders(study, server):
    run = judged(study, way="pairs", name="pairs")
    assert len(server.requests) == 2 * 3 * ITEMS
    assert (run.card["position"]["value"], run.card["first"]["value"]) == (1.0, 1.0)  # it always says A
    assert {score for row in MetricScore.objects.filter(metric=run.metric.key) for score in row.sentences} == {0.5}


def test_degenerate_outputs_are_judged_beside(study, server):
    run = judged(study, contrast=3)
    copied = run.card["contrast"]["copied_source"]
    assert (copied["n"], copied["undefined"]) == (3, "there are fewer than 10 of them")
    sources = set(study.directions.get().sentences.order_by("number").values_list("text", flat=True)[:3])
    assert {f"Rewritten: {text}\n" for text in sources} <= {
        f"Rewritten: {prompt.partition('Rewritten: ')[2].partition(chr(10))[0]}\n" for prompt in server.prompts
    }


def test_answers_that_say_nothing_are_counted_and_leave_no_score(study, server):
    server.behave = lambda request: answer(request, "I cannot say.")
    run = judged(study)
    assert run.job.state == Job.State.FAILED
    assert "hold no judgement" in run.job.error
    assert not study.imported_metrics.exists()


def test_texts_that_may_not_leave_do_not(study, server):
    Study.objects.filter(pk=study.pk).update(restricted=True)
    study.refresh_from_db()
    with pytest.raises(UserError, match="The texts of this study are restricted, so they may not go to far"):
        start_judging(study=study, by=None, **{**ASKED, "endpoint": "far"})
    assert judged(study).job.state == Job.State.DONE, "the lab's own endpoint may have them"


@pytest.mark.parametrize(("given", "sentence"), [
    ({"criterion": "charm"}, "There is no criterion 'charm'; there are fluency"),
    ({"model": "huge"}, "The endpoint lab has no model 'huge'"),
    ({"endpoint": ""}, "Name an endpoint of this site"),
    ({"name": "a (b)"}, "The name of a metric has no"),
    ({"message": "{output"}, "The message has no {output}"),
])  # fmt: skip
def test_what_cannot_be_judged_is_refused_and_changes_nothing(study, given, sentence):
    client = with_token(campaigns.person(Role.RESEARCHER, study))
    sent = client.post(reverse("api:judge-run-list", args=[study.slug]), {**ASKED, **given}, "application/json")
    assert sent.status_code == 400
    assert sentence in sent.json()["detail"]
    assert not study.judge_runs.exists()


def test_the_page_and_the_api_ask_and_show_the_same(study, server):
    lead = as_person(campaigns.person(Role.RESEARCHER, study))
    address = reverse("study_judges", args=[study.slug])
    page = lead.get(address)
    assert "fluency" in page.content.decode()
    fields = {name: field.initial for name, field in page.context["form"].fields.items() if field.initial is not None}
    sent = lead.post(address, {**fields, **ASKED, "way": "scale"})
    run = study.judge_runs.get()
    assert sent.url == reverse("judge_run", args=[study.slug, run.pk])
    judge_task(run.job_id)
    shown = lead.get(sent.url).content.decode()
    assert "Bias card" in shown
    client = with_token(campaigns.person(Role.RESEARCHER, study))
    told = client.get(reverse("api:judge-run-detail", args=[study.slug, run.pk])).json()
    assert (told["state"], told["metric"]) == ("done", "imported/judge: tiny, fluency")
    assert f"{told['card']['agreement']['value']:.2f}" in shown
