"""Scores of metrics that were computed elsewhere: imported like judgements, beside ours, and out again."""

import io
import json
import zipfile

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from support import campaigns
from support.clients import as_person, with_token

from accounts.models import AuditEntry
from accounts.permissions import Role
from corpora.actions.undo_removal import undo_removal
from corpora.formats import TextFile
from corpora.models import Output, Study
from corpora.table_parser import understand
from evaluation.actions.bring_in_judgements import bring_in_judgements
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.make_report import make_report
from evaluation.actions.remove_scores import remove_scores
from evaluation.imported_judgements.judgement_plan import guess_meanings
from evaluation.models import ImportedMetric, MetricScore
from evaluation.report_freshness import inputs_of
from study_file.actions.apply_study import apply_study
from study_file.actions.export_study import export_study
from study_file.study_archive import opened_archive, written_table

pytestmark = pytest.mark.django_db
ITEMS = 6
SYSTEMS = campaigns.SYSTEMS
COMET = {system: [round(0.5 + 0.1 * place + 0.01 * n, 4) for n in range(ITEMS)] for place, system in enumerate(SYSTEMS)}
TABLE = "number,system,COMET\n" + "".join(
    f"{n},{system},{score}\n" for system, scores in COMET.items() for n, score in enumerate(scores, 1)
)
ANSWERS = {"better-COMET": "higher"}
VERSION = {"version": "2.2.2", "signature": "Unbabel/wmt22-comet-da|src:yes"}


@pytest.fixture(scope="module")
def made_once(kept_for_the_file):
    made = campaigns.study(items=ITEMS, systems=3, references=1)
    rows = [
        f"ann,{n},{system},{1 + (place + n) % 5}\n" for place, system in enumerate(SYSTEMS) for n in range(1, ITEMS + 1)
    ]
    with understand(TextFile(("rater,number,system,fluency\n" + "".join(rows)).encode(), "ratings.csv")) as table:
        mapping = guess_meanings(made, table, {})
        bring_in_judgements(study=made, table=table, mapping=mapping, answers={"scale-fluency": "fluency_5"})
    choose_metrics(study=made, metrics={"bleu": {}})
    return made.pk


@pytest.fixture
def study(made_once):
    return Study.objects.get(pk=made_once)


def sent(study, text, answers=None, settings=None, mapping=None, name="comet.csv", **more):
    lead = campaigns.person(Role.RESEARCHER, study)
    given = {"target": "scores", "file": SimpleUploadedFile(name, text.encode()), **more}
    given |= {"answers": json.dumps(answers)} if answers else {}
    given |= {"settings": json.dumps(settings)} if settings else {}
    client, address = with_token(lead), reverse("api:table-import", args=[study.slug])
    if mapping is None and "dry_run" not in more:
        dry = client.post(address, {**given, "file": SimpleUploadedFile(name, text.encode()), "dry_run": "true"})
        mapping = dry.json().get("mapping", {})
    given |= {"mapping": json.dumps(mapping)} if mapping else {}
    return client.post(address, given)


def stored(study):
    rows = MetricScore.objects.filter(system__study=study, metric__startswith="imported/")
    return {(row.metric, row.system.name): row.sentences for row in rows.select_related("system")}


def test_scores_come_in_with_what_was_said_of_the_metric(study):
    dry = sent(study, TABLE, settings=VERSION, dry_run="true").json()
    assert dry["mapping"] == {"number": "number", "system": "system", "COMET": "score: COMET"}
    assert [(one["name"], one["answer"]) for one in dry["questions"]] == [("better-COMET", "")]
    assert dry["numbers"]["Rows read"] == 3 * ITEMS
    refused = sent(study, TABLE, settings=VERSION)
    assert refused.status_code == 400
    assert "Which scores of COMET are the better ones?" in refused.json()["detail"]
    assert not study.imported_metrics.exists()
    made = sent(study, TABLE, ANSWERS, VERSION)
    assert (made.status_code, made.json()["brought"]) == (201, "18 scores are imported."), made.json()
    assert stored(study) == {("imported/COMET", system): scores for system, scores in COMET.items()}
    metric = ImportedMetric.with_sizes(study.imported_metrics.all()).get()
    assert (metric.version, metric.signature, metric.higher_is_better, metric.size) == (
        *VERSION.values(), True, 3 * ITEMS,
    )  # fmt: skip
    assert AuditEntry.objects.filter(action="import_scores", study_slug=study.slug).exists()


def test_they_stand_beside_ours_in_the_report_marked_as_imported(study):
    sent(study, TABLE, ANSWERS, VERSION)
    report = make_report(study=study).content
    of_system = {system["name"]: system["metrics"]["imported/COMET"] for system in report["systems"]}
    for system, scores in COMET.items():
        assert of_system[system]["score"] == pytest.approx(np.mean(scores), abs=1e-12)
        assert of_system[system]["signature"] == (
            "metric:COMET|imported:yes|version:2.2.2|signature:Unbabel/wmt22-comet-da|src:yes"
        )
    ranked = report["trust"]["criteria"]["fluency"]["sentence"]
    assert {row["metric"] for row in ranked} == {"bleu", "imported/COMET"}
    people = np.array([1 + (place + n) % 5 for place in range(3) for n in range(1, ITEMS + 1)])
    own = next(row for row in ranked if row["metric"] == "imported/COMET")
    assert own["value"] == pytest.approx(np.corrcoef(np.concatenate(list(COMET.values())), people)[0, 1], abs=1e-12)
    assert own["better"] is True
    assert [board["better"] for name, board in report["leaderboard"]["metrics"].items() if "COMET" in name] == [True]
    assert report["trust"]["imported"] == [
        {"metric": "imported/COMET", "name": "COMET", "better": True, "file": "comet.csv", "outputs": 18, **VERSION}
    ]
    client = as_person(campaigns.person(Role.RESEARCHER, study))
    page = client.get(reverse("study_trust", args=[study.slug])).content.decode()
    assert "COMET (imported)" in page
    assert "Unbabel/wmt22-comet-da" in page
    rows = client.get(reverse("study_rows", args=[study.slug]), {"metric": "imported/COMET", "system": SYSTEMS[0]})
    assert "COMET (imported)" in rows.content.decode()
    shown = client.get(reverse("study_compare", args=[study.slug]), {"view": "numbers"})
    assert shown.status_code == 200


def test_a_lower_end_turns_the_agreement_round(study):
    sent(study, TABLE, {"better-COMET": "lower"}, VERSION)
    ranked = make_report(study=study).content["trust"]["criteria"]["fluency"]["sentence"]
    people = np.array([1 + (place + n) % 5 for place in range(3) for n in range(1, ITEMS + 1)])
    own = next(row for row in ranked if row["metric"] == "imported/COMET")
    assert own["value"] == pytest.approx(-np.corrcoef(np.concatenate(list(COMET.values())), people)[0, 1], abs=1e-12)


def test_what_cannot_be_used_is_asked_about_by_line_and_changes_nothing(study):
    lines = TABLE.splitlines()
    odd = "\n".join([*lines[:3], "3,RuleBasedSecret,", "4,RuleBasedSecret,high", "99,RuleBasedSecret,0.5",
                     "5,Nobody,0.5", "1,RuleBasedSecret,0.9"]) + "\n"  # fmt: skip
    asked = {
        one["name"]: one["sentence"] for one in sent(study, odd, settings=VERSION, dry_run="true").json()["questions"]
    }
    assert asked["missing-COMET"] == "Cells without a score of COMET, 1: it has no score (line 4)."
    assert "“high” (line 5)" in asked["off-COMET"]
    assert "its source is not in the study (line 6); the study has no system “Nobody” (line 7)" in asked["unmatched"]
    assert "COMET (line 8)" in asked["repeated"]
    answers = dict.fromkeys(("missing-COMET", "off-COMET", "unmatched"), "leave_out")
    assert sent(study, odd, {**ANSWERS, **answers}, VERSION).status_code == 400
    assert not study.imported_metrics.exists()
    assert sent(study, odd, {**ANSWERS, **answers, "repeated": "last"}, VERSION).status_code == 201
    assert stored(study) == {("imported/COMET", SYSTEMS[0]): [0.9, 0.51]}


def test_a_version_that_nobody_gave_is_asked_about_and_said_to_be_unknown(study):
    asked = [one["name"] for one in sent(study, TABLE, ANSWERS, dry_run="true").json()["questions"]]
    assert asked == ["version-COMET", "better-COMET"]
    assert sent(study, TABLE, {**ANSWERS, "version-COMET": "unknown"}).status_code == 201
    assert study.imported_metrics.get().described.signed == "metric:COMET|imported:yes|version:unknown"


@pytest.mark.parametrize(("head", "named"), [("number,system,a(b)", "a(b)"), (f"number,system,{'x' * 51}", "x" * 51)])
def test_a_name_that_no_metric_can_have_is_refused(study, head, named):
    refused = sent(study, head + "\n1,RuleBasedSecret,0.5\n", settings=VERSION, dry_run="true")
    assert refused.status_code == 400
    assert f"“{named}” is not a name of a metric" in refused.json()["detail"]


def test_scores_have_a_decimal_comma_or_point(study):
    text = f"number;system;COMET\n1;{SYSTEMS[0]};0,875\n2;{SYSTEMS[0]};-1,5\n3;{SYSTEMS[0]};1,234\n"
    asked = {
        one["name"]: one["sentence"] for one in sent(study, text, settings=VERSION, dry_run="true").json()["questions"]
    }
    assert "“1,234” (line 4)" in asked["off-COMET"], "a thousand, or one and a quarter"
    sent(study, text, {**ANSWERS, "off-COMET": "leave_out"}, VERSION)
    assert stored(study) == {("imported/COMET", SYSTEMS[0]): [0.875, -1.5]}


def test_scores_by_text_belong_to_every_system_that_wrote_it(study):
    same = Output.objects.filter(system__study=study, sentence__number=1)
    same.filter(system__name__in=SYSTEMS[:2]).update(text="The same.")
    text = (
        'source,output,QE\n"gotta see number 1 , u know",The same.,0.25\n"gotta see number 1 , u know",THE SAME.,0.5\n'
    )
    answers = {"better-QE": "higher", "unmatched": "leave_out"}
    dry = sent(study, text, settings=VERSION, dry_run="true").json()
    assert any("other capitals (line 3)" in one["sentence"] for one in dry["questions"])
    assert sent(study, text, answers, VERSION).status_code == 201
    assert stored(study) == {("imported/QE", system): [0.25] for system in SYSTEMS[:2]}


def test_a_column_a_system_and_a_row_a_metric(study):
    wide = f"number,{SYSTEMS[0]},{SYSTEMS[1]}\n1,0.1,0.2\n2,0.3,0.4\n"
    assert sent(study, wide, {"better-QE": "neither"}, {**VERSION, "metric": "QE"}).status_code == 201
    long = f"metric,number,system,score,version\nA,1,{SYSTEMS[0]},1,v1\nB,1,{SYSTEMS[0]},2,v2\n"
    assert sent(study, long, {"better-A": "higher", "better-B": "lower"}).status_code == 201
    assert stored(study) == {
        ("imported/QE", SYSTEMS[0]): [0.1, 0.3], ("imported/QE", SYSTEMS[1]): [0.2, 0.4],
        ("imported/A", SYSTEMS[0]): [1.0], ("imported/B", SYSTEMS[0]): [2.0],
    }  # fmt: skip
    assert list(study.imported_metrics.values_list("name", "version", "higher_is_better")) == [
        ("QE", "2.2.2", None), ("A", "v1", True), ("B", "v2", False),
    ]  # fmt: skip


def test_scores_again_replace_or_are_added_and_the_report_is_out_of_date(study):
    sent(study, TABLE, ANSWERS, VERSION)
    make_report(study=study)
    before = inputs_of(study)
    more = f"number,system,COMET\n1,{SYSTEMS[0]},0.9\n"
    asked = [one["name"] for one in sent(study, more, settings=VERSION, dry_run="true").json()["questions"]]
    assert asked == ["there-COMET", "better-COMET"]
    assert sent(study, more, {"there-COMET": "add"}, VERSION).json()["brought"] == "0 scores are imported."
    assert stored(study)["imported/COMET", SYSTEMS[0]] == COMET[SYSTEMS[0]]
    other = sent(study, more, {"there-COMET": "add"}, {"version": "3"})
    assert (other.status_code, "another version" in other.json()["detail"]) == (400, True)
    assert sent(study, more, {"there-COMET": "replace"}, VERSION).status_code == 201
    assert stored(study) == {("imported/COMET", SYSTEMS[0]): [0.9]}
    assert "imported_scores" in inputs_of(study).changed(before.parts)


def test_removed_scores_leave_the_report_and_can_be_put_back(study):
    sent(study, TABLE, ANSWERS, VERSION)
    lead = campaigns.person(Role.RESEARCHER, study)
    number = study.imported_metrics.get().number
    client = with_token(lead)
    listed = client.get(reverse("api:imported-scores-list", args=[study.slug])).json()
    one = client.get(reverse("api:imported-scores-detail", args=[study.slug, number])).json()
    rows = listed["results"] if isinstance(listed, dict) else listed
    assert rows == [one]
    assert {key: one[key] for key in ("name", "metric", "better", "scores")} == {
        "name": "COMET", "metric": "imported/COMET", "better": "higher", "scores": 18,
    }  # fmt: skip
    page = as_person(lead).get(reverse("metrics_choose", args=[study.slug])).content.decode()
    assert "Unbabel/wmt22-comet-da" in page
    kept = stored(study)
    assert client.delete(reverse("api:imported-scores-detail", args=[study.slug, number])).status_code == 204
    assert (stored(study), study.imported_metrics.count()) == ({}, 0)
    assert list(make_report(study=study).content["systems"][0]["metrics"]) == ["bleu"]
    undo_removal(removal=study.removals.get(), by=lead)
    assert stored(study) == kept
    as_person(lead).post(reverse("scores_remove", args=[study.slug, number]))
    assert not study.imported_metrics.exists()


def test_a_source_that_goes_takes_its_scores_along_and_brings_them_back(study):
    sent(study, TABLE, ANSWERS, VERSION)
    sentence = study.directions.get().sentences.get(number=1)
    metric = study.imported_metrics.get()
    Output.objects.filter(sentence=sentence).delete()
    study.ratings_imports.all().delete()
    sentence.delete()
    report = make_report(study=study).content
    of_system = report["systems"][0]["metrics"]["imported/COMET"]
    assert of_system["n"] == ITEMS - 1
    assert of_system["score"] == pytest.approx(np.mean(COMET[SYSTEMS[0]][1:]), abs=1e-12)
    assert remove_scores(metric=metric).counts["evaluation.ImportedMetric"] == 1


def test_scores_go_out_and_come_in_as_they_were(study):
    sent(study, TABLE, ANSWERS, VERSION)
    sent(study, TABLE.replace("COMET", "Other, too"), {"better-Other, too": "neither", "version-Other, too": "unknown"},
         mapping={"1": "number", "2": "system", "3": "score: Other, too"})  # fmt: skip
    kept, table = stored(study), b"".join(written_table(study, "scores", "csv")).decode()
    assert len(kept) == 6
    for metric in study.imported_metrics.all():
        remove_scores(metric=metric)
    again = sent(study, table, {"version-Other, too": "unknown"})
    assert again.status_code == 201, again.json()
    assert stored(study) == kept
    archive = b"".join(export_study(study=study))
    with zipfile.ZipFile(io.BytesIO(archive)) as parts:
        assert len(parts.read("scores.jsonl").splitlines()) == 36
    slug = study.slug
    Study.objects.filter(pk=study.pk).update(slug="old", title="Old")
    file, opened = opened_archive(io.BytesIO(archive), "all.zip", 10**7)
    apply_study(file=file, opened=opened)
    back = Study.objects.get(slug=slug)
    assert stored(back) == kept
    told = ("name", "version", "signature", "higher_is_better")
    assert list(back.imported_metrics.values_list(*told)) == list(study.imported_metrics.values_list(*told))


def test_rows_without_a_source_stand_for_the_sources_in_their_order(study):
    """As in files of scores by segment of mt-metrics-eval: a system and a score, None where there is none."""
    rows = [f"{system}\t{score}" for system in SYSTEMS[:2] for score in COMET[system]]
    rows[1] = f"{SYSTEMS[0]}\tNone"
    given = {
        "mapping": {"1": "system", "2": "value"},
        "name": "COMET.seg.score",
        "settings": {**VERSION, "metric": "QE"},
    }
    answers = {"better-QE": "higher", "missing-QE": "leave_out", "header": "no"}
    refused = sent(study, "\n".join(rows[1:]), answers, **given)
    assert refused.status_code == 400
    assert "“RuleBasedSecret” has 5 rows, and the direction has 6 sources" in refused.json()["detail"]
    assert sent(study, "\n".join(rows), answers, **given).status_code == 201
    first = COMET[SYSTEMS[0]]
    assert stored(study) == {
        ("imported/QE", SYSTEMS[0]): [first[0], *first[2:]], ("imported/QE", SYSTEMS[1]): COMET[SYSTEMS[1]],
    }  # fmt: skip
