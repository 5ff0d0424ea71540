"""What is known of raters, joined by their ids: Prolific's list of participants beside the judgements of a survey.

The list's columns are those of Prolific's export of demographic data (researcher-help.prolific.com).
"""

import io
import json
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from support import campaigns
from support.clients import as_person, with_token

from accounts.actions.erase_person import erase_person
from accounts.permissions import Role
from corpora.formats import TextFile
from corpora.table_parser import understand
from evaluation.actions.bring_in_judgements import bring_in_judgements
from evaluation.imported_judgements.judgement_plan import guess_meanings
from evaluation.models import RaterTraits
from study_file.actions.export_study import export_study
from study_file.study_archive import written_table

pytestmark = pytest.mark.django_db
ADA, BOB, CY = (f"5f0c1d2e3a4b5c6d7e8f9a0{n}" for n in "abc")
RATINGS = f"PROLIFIC_PID,item,system,fluency\n{ADA},1,RuleBasedSecret,5\n{BOB},2,RuleBasedSecret,2\n"
LIST = (
    "Submission id,Participant id,Status,Custom study tncs accepted at,Started at,Completed at,Reviewed at,Archived at,"
    "Time taken,Completion code,Total approvals,Age,Sex,Language,Country of birth\n"
    f"s1,{ADA},APPROVED,Not Applicable,2026-01-01,2026-01-01,2026-01-02,2026-01-02,300,C1,12,34,Female,English,Malta\n"
    f"s2,{BOB},APPROVED,Not Applicable,2026-01-01,2026-01-01,2026-01-02,2026-01-02,250,C1,7,CONSENT_REVOKED,Male,"
    "Maltese,DATA_EXPIRED\n"
    f"s3,{CY},RETURNED,Not Applicable,2026-01-01,,,,,,3,51,Male,English,Malta\n"
)
KNOWN = {
    ADA: {"Age": "34", "Sex": "Female", "Language": "English", "Country of birth": "Malta"},
    BOB: {"Sex": "Male", "Language": "Maltese"},
}


@pytest.fixture
def study():
    made = campaigns.study(items=2, systems=1)
    with understand(TextFile(RATINGS.encode(), "survey.csv")) as table:
        answers = {"scale-fluency": "fluency_5"}
        bring_in_judgements(study=made, table=table, mapping=guess_meanings(made, table, {}), answers=answers)
    return made


def lead(study):
    return campaigns.person(Role.RESEARCHER, study)


def sent(study, text, answers=None, name="prolific_export.csv", mapping=None, **more):
    given = {"target": "raters", "file": SimpleUploadedFile(name, text), **more}
    given |= {"answers": json.dumps(answers)} if answers else {}
    given |= {"mapping": json.dumps(mapping)} if mapping else {}
    return with_token(lead(study)).post(reverse("api:table-import", args=[study.slug]), given)


def known(study):
    return dict(study.rater_traits.values_list("worker", "traits"))


def test_a_list_of_prolific_is_joined_by_its_ids(study):
    dry = sent(study, LIST.encode(), dry_run="true").json()
    assert dry["mapping"]["Participant id"] == "rater"
    assert dry["mapping"]["Completion code"] == ""
    assert dry["mapping"]["Country of birth"] == "trait: Country of birth"
    assert dry["numbers"] == {"Rows read": 3, "People": 3, "Raters of this study": 2}
    assert [(one["name"], one["answer"]) for one in dry["questions"]] == [("strangers", "leave_out")]
    assert any("no longer share" in str(note) for note in dry["notes"])
    assert not RaterTraits.objects.exists()
    made = sent(study, LIST.encode(), mapping=dry["mapping"])
    assert made.json()["brought"] == "2 raters have new facts."
    assert known(study) == KNOWN
    page = as_person(lead(study)).get(reverse("study_ratings", args=[study.slug])).content.decode()
    assert "Facts about 2 raters: " in page


def test_the_page_brings_it_in_and_it_goes_out_as_it_came(study):
    client = as_person(lead(study))
    given = {"target": "raters", "file": SimpleUploadedFile("prolific_export.csv", LIST.encode())}
    address = client.post(reverse("table_new", args=[study.slug]), given)["Location"]
    assert client.get(address).context["plan"].open == []
    assert client.post(address, {"target": "raters", "act": "bring"})["Location"] == reverse(
        "study_ratings", args=[study.slug]
    )
    assert known(study) == KNOWN
    out = b"".join(written_table(study, "raters", "csv"))
    RaterTraits.objects.all().delete()
    dry = sent(study, out, name="raters.csv", dry_run="true").json()
    assert sent(study, out, name="raters.csv", mapping=dry["mapping"]).status_code == 201
    assert known(study) == KNOWN


def test_two_rows_that_differ_are_asked_about_and_strangers_kept_where_that_is_said(study):
    text = f"rater,Age\n{ADA},34\n{ADA},35\n{CY},51\n".encode()
    mapping = {"rater": "rater", "Age": "trait: Age"}
    refused = sent(study, text, mapping=mapping)
    assert refused.status_code == 400
    assert ADA in refused.json()["detail"]
    assert sent(study, text, {"twice": "last", "strangers": "keep"}, mapping=mapping).status_code == 201
    assert known(study) == {ADA: {"Age": "35"}, CY: {"Age": "51"}}


def test_without_judgements_nothing_comes_in():
    bare = campaigns.study(items=1, systems=1)
    dry = sent(bare, LIST.encode(), dry_run="true").json()
    assert "import the judgements first" in json.dumps(dry)


def test_an_archive_holds_what_is_known(study):
    sent(study, LIST.encode(), mapping={"Participant id": "rater", "Age": "trait: Age"})
    with zipfile.ZipFile(io.BytesIO(b"".join(export_study(study=study)))) as archive:
        assert json.loads(archive.read("raters.jsonl")) == {"rater": ADA, "trait Age": "34"}
        assert '"trait Age" = "trait: Age"' in archive.read("study.toml").decode()


def test_a_reason_forgets_the_name_of_somebody_who_is_erased(study):
    """The reasons of a study that was imported again are copies of those that people wrote by hand."""
    person = campaigns.person(Role.CROWD_ANNOTATOR, study, name="Wilhelmina Ostrowski")
    RaterTraits.objects.create(study=study, worker=ADA, left_out="Left out by hand: Ostrowski wrote the outputs.")
    erase_person(person=person, by=campaigns.person(Role.ADMIN))
    assert "Ostrowski" not in study.rater_traits.get().left_out
