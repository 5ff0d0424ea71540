"""The pages and endpoints of reports: the same figures, by the same actions."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from support import campaigns

from accounts.permissions import Role
from corpora.models import Sentence, Study
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.make_report import make_report
from evaluation.metrics import METRICS
from evaluation.models import MetricRun, Report, ReportChoice
from evaluation.report_files import file_of_report

HEAD = "WorkerId,WorkTimeInSeconds,Input.origs,Input.mods,Answer.responses\n"
COLUMNS = {"worker": "WorkerId", "source": "Input.origs", "output": "Input.mods", "response": "Answer.responses"}
CRITERIA = {"topic": {"scale": "likert_5", "aspect": "meaning"}}

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return campaigns.study(items=6, systems=3, references=1)


@pytest.fixture
def lead(study, client):
    person = campaigns.person(Role.RESEARCHER, study)
    client.force_login(person)
    return person


def file(*rows):
    return SimpleUploadedFile("ratings.csv", (HEAD + "\n".join(rows)).encode())


def row(number, system, value, worker="w1"):
    return f'{worker},30,"gotta see number {number} , u know",You should see {number} in manner {system}.,topic={value}'


def upload(client, study, *rows, **changes):
    data = {**COLUMNS, "file": file(*rows), "criteria": json.dumps(CRITERIA), **changes}
    return client.post(f"/api/studies/{study.slug}/ratings/", data)


def judged(client, study):
    rows = [row(n, k, 1 + (n * k) % 5, worker) for n in range(1, 7) for k in (1, 2, 3) for worker in ("w1", "w2")]
    assert upload(client, study, *rows).status_code == 201


def test_empty_states_lead_on(client, lead, study):
    page = client.get(f"/studies/{study.slug}/report/").content.decode()
    assert f"/studies/{study.slug}/report/metrics/" in page
    assert "No metric chosen yet" in page
    judged(client, study)
    page = client.get(f"/studies/{study.slug}/report/").content.decode()
    assert "without a metric the report has their means and agreement" in page
    assert "Compute the report" in page
    study.systems.all().delete()
    assert "No system yet" in client.get(f"/studies/{study.slug}/report/").content.decode()


def test_metrics_are_chosen_with_their_settings(client, lead, study, django_capture_on_commit_callbacks):
    address = f"/studies/{study.slug}/report/metrics/"
    assert client.get(address).status_code == 200
    form = {"bleu": "on", "bleu.tokenize": "none", "bleu.lowercase": "on", "self_bleu.tokenize": "13a", "pinc": "on",
            "pinc.tokenize": "13a", "sari.tokenize": "13a"}  # fmt: skip
    assert client.post(address, form).status_code == 302
    assert dict(study.metric_choices.values_list("metric", "settings")) == {
        "bleu": {"like": "sacrebleu", "tokenize": "none", "lowercase": True},
        "pinc": {"tokenize": "13a", "lowercase": False},
    }
    assert not MetricRun.objects.exists()
    assert client.post(address, {**form, "bleu.tokenize": "words"}).status_code == 422
    assert client.post(address, {**form, "run": "1"}).status_code == 302
    assert MetricRun.objects.get().job.queue == "metrics"
    page = client.get(f"/studies/{study.slug}/report/").content.decode()
    assert 'id="metrics-progress"' in page
    client.post(f"/studies/{study.slug}/report/run/")
    assert MetricRun.objects.count() == 1, "one at a time"


def reported(client, study):
    judged(client, study)
    choose_metrics(study=study, metrics={"bleu": {}, "pinc": {}, "self_bleu": {}})
    return make_report(study=study).content


def test_the_first_page_says_who_leads_and_what_has_changed_since(client, lead, study):
    report = reported(client, study)
    page = client.get(f"/studies/{study.slug}/report/").content.decode()
    for system in report["systems"]:
        assert system["name"] in page
        assert f"{system['human']['topic']['mean']:.2f}" in page
        assert f"{system['metrics']['bleu']['score']:.2f}" in page
    assert "topic: undecided between" in page
    assert "For topic, by sentence" in page
    assert (
        "Stars: significantly different from <bdi>RuleBasedSecret</bdi> at the level 0.05, corrected after Holm."
        in page
    )
    assert "Out of date" not in page
    choose_metrics(study=study, metrics={"bleu": {}})
    page = client.get(f"/studies/{study.slug}/report/").content.decode()
    assert "Changed since this report was computed: the chosen metrics." in page


def test_a_choice_on_the_page_is_kept_refused_and_worked_out(client, lead, study):
    reported(client, study)
    address = f"/studies/{study.slug}/report/choice/"
    form = {"baseline": "NeuralSecret", "alpha": "0.01", "correction": "none", "variant": "z"}
    wrong = client.post(address, {**form, "alpha": "0.9", "baseline": "Nobody"})
    assert wrong.status_code == 422
    assert "Select a valid choice. That choice is not one" in wrong.content.decode()
    assert client.post(address, form).status_code == 302
    chosen = ReportChoice.objects.get(study=study)
    assert (chosen.baseline.name, chosen.alpha, chosen.correction, chosen.variant) == (
        "NeuralSecret",
        0.01,
        "none",
        "z",
    )
    assert not MetricRun.objects.exists()
    page = client.get(f"/studies/{study.slug}/report/").content.decode()
    assert "Changed since this report was computed: how systems are compared." in page
    assert client.post(address, {**form, "run": "1"}).status_code == 302
    assert MetricRun.objects.get().job.queue == "metrics"


def test_a_report_of_an_earlier_version_is_shown_and_asks_to_be_made_anew(client, lead, study):
    """It had systems, agreement and correlations, and no stored tables."""
    content = reported(client, study)
    old = {name: content[name] for name in ("study", "systems", "agreement", "correlations")}
    Report.objects.filter(study=study).update(text=json.dumps(old), tables="{}", made_from={}, key="old")
    for address in ("report/", "report/trust/"):
        page = client.get(f"/studies/{study.slug}/{address}").content.decode()
        assert "computed by an earlier version" in page
        assert "Texts, judgements or metrics have changed" in page


def test_the_page_of_trust_ranks_metrics_and_says_what_fools_them(client, lead, study):
    report = reported(client, study)
    page = client.get(f"/studies/{study.slug}/report/trust/").content.decode()
    found = report["trust"]["criteria"]["topic"]
    assert f"on {found['judgements']} judgements of {found['outputs']} outputs by {found['raters']} people." in page
    assert "Few outputs were judged" in page
    assert "ranks it 1st of 4" in page
    assert page.count('class="name"') == 3, "a point a system in the plot"
    by_system = client.get(f"/studies/{study.slug}/report/trust/?level=system").content.decode()
    assert "For topic, by system" in by_system
    assert "no metric can be ranked" in by_system, "all systems have the same mean"
    assert "of the first variable are the same" in by_system, "why there is no correlation is said"


def test_htmx_gets_the_part_it_asks_for(client, lead, study):
    reported(client, study)
    address = f"/studies/{study.slug}/report/trust/?metric=pinc&criterion=topic&level=sentence&coefficient=kendall"
    for target, word in (("plot", "PINC"), ("correlations", "Kendall")):
        part = client.get(address, headers={"HX-Request": "true", "HX-Target": target}).content.decode()
        assert "<html" not in part
        assert f'id="{target}"' in part
        assert word in part
    report = f"/studies/{study.slug}/report/"
    done = client.get(report, headers={"HX-Request": "true", "HX-Target": "metrics-progress"})
    assert done.headers["HX-Refresh"] == "true"
    strange = client.get(f"{report}trust/?metric=nonsense&criterion=%00&level=x&coefficient=y")
    assert strange.status_code == 200


def test_metrics_say_what_they_lack_and_a_preset_checks_their_boxes(client, lead, study):
    address = f"/studies/{study.slug}/report/metrics/"
    page = client.get(f"{address}?preset=fu")
    boxes = page.context["form"].fields
    assert {name for name in METRICS if boxes[name].initial} == {"transfer_strength", "content_preservation"}
    assert not study.metric_choices.exists(), "a preset chooses nothing by itself"
    assert "Not available in this study" in page.content.decode()
    paper = client.get(f"{address}?preset=msd").context["form"].fields
    assert (paper["sari.like"].initial, paper["bleu.tokenize"].initial) == ("xu", "none")
    assert client.get(address).context["form"].fields["sari.like"].initial == "easse"
    study.directions.get().reference_sets.all().delete()
    by_name = {one["name"]: one for _, of in client.get(address).context["form"].aspects() for one in of}
    assert by_name["bleu"]["lacking"] == "The study has no references."
    assert by_name["hit"]["lacking"].startswith("The study has no references with full forms")
    assert by_name["grammaticality"]["lacking"].startswith("The metric learns from judgements")
    assert by_name["self_bleu"]["lacking"] == ""


def ticked_in(client, address):
    fields = client.get(address).context["form"].fields
    return {name for name in METRICS if fields[name].initial}


def test_the_set_of_the_study_has_what_suits_its_styles_and_data_and_asks_no_network(client, lead, study):
    address = f"/studies/{study.slug}/report/metrics/"
    ticked = ticked_in(client, f"{address}?preset=fitting")
    idle = {one["name"] for one in client.get(address).context["form"].idle()}
    assert {"bleu", "sari", "self_bleu", "pinc"} <= ticked
    assert not ticked & idle
    assert not ticked & {name for name, metric in METRICS.items() if metric.asks}
    assert "fkgl" not in ticked, "easy and hard are not its styles"
    study.directions.get().reference_sets.all().delete()
    ticked = ticked_in(client, f"{address}?preset=fitting")
    assert {"self_bleu", "pinc"} <= ticked
    assert not ticked & {"bleu", "sari"}


def test_sets_come_first_of_which_the_most_can_be_computed_and_say_how_many(client, lead, study):
    sets = list(client.get(f"/studies/{study.slug}/report/metrics/").context["sets"])
    assert sets[0].name == "fitting"
    shares = [one.able / one.of for one in sets[1:]]
    assert shares == sorted(shares, reverse=True)
    medlane = next(one for one in sets if one.name == "medlane")
    assert (medlane.of, medlane.able < 14) == (14, True), "no reference has full forms in brackets"


def test_every_metric_is_shown_once_and_those_without_a_score_below(client, lead, study):
    form = client.get(f"/studies/{study.slug}/report/metrics/").context["form"]
    above = [one["name"] for _label, group in form.available() for one in group]
    below = [one["name"] for one in form.idle()]
    assert sorted(above + below) == sorted(METRICS)
    assert all(one["unavailable"] or one["lacking"] for one in form.idle())


@pytest.mark.parametrize("form", ["json", "csv", "markdown", "latex"])
def test_page_and_endpoint_give_the_same_file(client, lead, study, form):
    assert client.get(f"/api/studies/{study.slug}/report/?format={form}").status_code == 404
    judged(client, study)
    choose_metrics(study=study, metrics={"bleu": {}})
    report = make_report(study=study)
    page = client.get(f"/studies/{study.slug}/report/file/{form}/")
    endpoint = client.get(f"/api/studies/{study.slug}/report/?format={form}")
    assert page.content == endpoint.content
    assert "attachment" in page["Content-Disposition"]
    assert endpoint["Restyle-Out-Of-Date"] == "no"
    if form == "json":
        assert endpoint.json() == report.content
        assert {"study", "systems", "agreement", "correlations"} <= set(endpoint.json())


def test_an_unknown_form_is_an_error_in_words(client, lead, study):
    answer = client.get(f"/api/studies/{study.slug}/report/?format=docx")
    assert (answer.status_code, answer.json()) == (
        400, {"detail": "format: There is no format 'docx'; the formats are csv, json, latex, markdown."}
    )  # fmt: skip


def test_metrics_through_the_api(client, lead, study):
    address = f"/api/studies/{study.slug}/metrics/"
    assert client.get(address).json() == {"metrics": {}, "undefined": {}}
    put = client.put(address, {"metrics": {"bleu": {"lowercase": True}}}, content_type="application/json")
    assert put.json() == {
        "metrics": {"bleu": {"like": "sacrebleu", "tokenize": "language", "lowercase": True}}, "undefined": {},
    }  # fmt: skip
    wrong = client.put(address, {"metrics": {"blue": {}}}, content_type="application/json")
    assert wrong.status_code == 400
    assert "bleu" in wrong.json()["detail"]
    runs = f"/api/studies/{study.slug}/metric-runs/"
    assert client.post(runs).status_code == 201
    assert client.get(runs).json()["results"][0]["state"] == "queued"
    assert client.post(runs).status_code == 400


def test_rows_behind_a_metric_of_another_language_say_why_there_is_no_number(client, lead, study):
    Study.objects.filter(pk=study.pk).update(language="de")
    choose_metrics(study=Study.objects.get(pk=study.pk), metrics={"meteor": {"synonyms": False}, "fkgl": {}})
    report = make_report(study=Study.objects.get(pk=study.pk))
    for name, because in (("meteor", "stems"), ("fkgl", "fitted to English")):
        asked = f"?system=RuleBasedSecret&metric={name}"
        told = client.get(f"/api/studies/{study.slug}/rows/{asked}").json()
        assert (told["value"], because in told["undefined"]) == (None, True)
        page = client.get(f"/studies/{study.slug}/report/rows/{asked}").content.decode()
        assert "Undefined, because: " in page
        assert because in page
    german = client.get(f"/studies/{study.slug}/report/rows/{asked}", HTTP_ACCEPT_LANGUAGE="de").content.decode()
    assert "Nicht definiert, weil: FKGL ist für die Sprache der Studie, de, nicht definiert, sondern für en: " in german
    assert "die Formel wurde an Englisch angepasst" in german
    whole = file_of_report(report, "markdown").content.decode()
    table = whole.partition("\n| FKGL | – |")[2].partition("## ")[0]
    assert "FKGL is not defined" in table, "a dash has its reason below it"


def test_the_api_says_why_a_metric_has_no_score_as_the_page_does(client, lead, study):
    Study.objects.filter(pk=study.pk).update(language="zh")
    address = f"/api/studies/{study.slug}/metrics/"
    put = client.put(address, {"metrics": {"bleu": {}, "fkgl": {}}}, content_type="application/json").json()
    assert list(put["undefined"]) == ["fkgl"]
    assert "is not defined for the study's language, zh" in put["undefined"]["fkgl"]
    Study.objects.filter(pk=study.pk).update(language="")
    Sentence.objects.filter(direction__study=study).update(text="У больного жар.")
    said = client.get(address).json()["undefined"]
    assert list(said) == ["bleu", "fkgl"]
    assert "names no language" in said["bleu"]
    page = client.get(f"/studies/{study.slug}/report/metrics/").content.decode()
    assert "The study names no language" in page
    refused = client.put(address, {"metrics": {}, "undefined": {}}, content_type="application/json")
    assert refused.status_code == 400


def test_who_may_only_look_changes_nothing(client, lead, study):
    client.force_login(campaigns.person(Role.REVIEWER, study))
    assert client.get(f"/studies/{study.slug}/report/").status_code == 200
    assert (
        client.put(f"/api/studies/{study.slug}/metrics/", {"metrics": {}}, content_type="application/json").status_code
        == 403
    )
    assert client.post(f"/api/studies/{study.slug}/metric-runs/").status_code == 403
    assert client.post(f"/studies/{study.slug}/report/run/").status_code == 403
    assert client.get(f"/studies/{study.slug}/report/ratings/").status_code == 403
    assert not MetricRun.objects.exists()


def test_ratings_come_in_through_the_page_and_go_again(client, lead, study):
    address = f"/studies/{study.slug}/report/ratings/"
    assert client.get(address).status_code == 200
    form = {
        **COLUMNS,
        "format": "mturk",
        "separator": "tab",
        "name0": "topic",
        "scale0": "likert_5",
        "aspect0": "meaning",
    }
    assert client.post(address, {**form, "file": file(row(1, 1, 4), row(2, 1, 5))}).status_code == 302
    assert study.ratings_imports.get().judgements.count() == 2
    assert "ratings.csv" in client.get(address).content.decode()
    assert client.post(f"{address}1/remove/").status_code == 302
    assert not study.ratings_imports.exists()


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([row(1, 1, 4), row(2, 1, 9)], "ratings.csv, line 3, output 1: '9' is not on the scale of 'topic'"),
        ([row(1, 1, 4), row(77, 1, 3)], "ratings.csv: The study has no such source in that direction; see lines 3."),
    ],
)
def test_a_wrong_file_is_refused_whole(client, lead, study, rows, sentence):
    answer = upload(client, study, *rows)
    assert answer.status_code == 400
    assert sentence in answer.json()["detail"]
    form = {**COLUMNS, "format": "mturk", "separator": "tab", "name0": "topic", "scale0": "likert_5"}
    page = client.post(f"/studies/{study.slug}/report/ratings/", {**form, "file": file(*rows)})
    assert page.status_code == 422
    assert not study.ratings_imports.exists()
    assert not study.criteria.exists()


def test_ratings_through_the_api_are_listed_and_removed(client, lead, study):
    made = upload(client, study, row(1, 1, 4)).json()
    assert (made["number"], made["file_name"], made["judgements"]) == (1, "ratings.csv", 1)
    assert client.get(f"/api/studies/{study.slug}/ratings/").json()["count"] == 1
    assert client.get(f"/api/studies/{study.slug}/ratings/1/").json() == made
    assert client.delete(f"/api/studies/{study.slug}/ratings/1/").status_code == 204
    assert client.get(f"/api/studies/{study.slug}/ratings/1/").status_code == 404
    assert upload(client, study, row(1, 1, 4), criteria="[1]").status_code == 400
