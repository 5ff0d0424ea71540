"""A study file that is uploaded with its files: how they are matched, and who may."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from support.study_files import beginning

from accounts.models import Person
from accounts.permissions import Role
from corpora.actions.remove_references import remove_references
from corpora.actions.remove_system import remove_system
from corpora.models import Output, ReferenceSet, Study, System
from foundation.errors import UserError

STUDY = (
    beginning("../data/informal.txt")
    + """
[[systems]]
name = "Rules"
outputs = [{ direction = "informal-formal", file = "C:\\\\out\\\\rules.txt" }]
"""
)


@pytest.fixture
def lead(db: None) -> Person:
    return Person.objects.create_user("lead@example.org", "a long enough password", role=Role.RESEARCHER)


def files(**contents: str) -> list[SimpleUploadedFile]:
    named = {"informal": "hi\nu ok?\n", "rules": "Hi.\nAre you OK?\n", **contents}
    return [SimpleUploadedFile(f"{name}.txt", text.encode()) for name, text in named.items() if text]


def post(person: Person, study: str = STUDY, uploads: list[SimpleUploadedFile] | None = None) -> Any:
    client = Client()
    client.force_login(person)
    form = {"study": SimpleUploadedFile("tone.toml", study.encode()), "files": files() if uploads is None else uploads}
    return client.post(reverse("study_apply"), form)


def fault(answer: Any) -> str:
    assert answer.status_code == 422
    return " ".join(answer.context["form"].errors["study"])


def test_names_are_matched_by_their_last_part(lead: Person) -> None:
    assert post(lead).headers["Location"] == reverse("study", args=["tone"])
    assert list(Output.objects.order_by("pk").values_list("text", flat=True)) == ["Hi.", "Are you OK?"]
    assert System.objects.get().origin == "rules.txt"


def test_every_missing_file_is_named_with_its_line(lead: Person) -> None:
    assert fault(post(lead, uploads=[])) == (
        "tone.toml, line 10: ../data/informal.txt: No file 'informal.txt' was uploaded. "
        "tone.toml, line 14: C:\\out\\rules.txt: No file 'rules.txt' was uploaded."
    )
    assert not Study.objects.exists()


def test_a_name_that_could_be_two_files_is_refused(lead: Person) -> None:
    assert "'rules.txt' could be more than one file" in fault(post(lead, uploads=[*files(), *files(informal="")]))
    two = STUDY.replace("../data/informal.txt", "other/rules.txt")
    assert "'rules.txt' could be more than one file" in fault(post(lead, two))


@pytest.mark.parametrize("name", ["/etc/passwd", "../../etc/passwd", "C:\\\\etc\\\\passwd"])
def test_a_path_never_touches_the_servers_disk(lead: Person, name: str) -> None:
    assert "No file 'passwd' was uploaded." in fault(post(lead, STUDY.replace("../data/informal.txt", name)))


def test_a_fault_within_a_file_names_it(lead: Person) -> None:
    said = fault(post(lead, uploads=files(rules="Hi.\n")))
    assert said.endswith("rules.txt: the file has 1 lines for 2 sources; sources without a line: 2.")
    assert not Study.objects.exists()


def test_a_study_file_that_is_no_toml(lead: Person) -> None:
    assert fault(post(lead, "[study\n")).startswith("tone.toml, line 1: this is not TOML")


def test_somebody_elses_study_is_not_changed(lead: Person) -> None:
    post(lead)
    other = Person.objects.create_user("other@example.org", "a long enough password", role=Role.RESEARCHER)
    more = STUDY + '[[systems]]\nname = "More"\noutputs = [{ direction = "informal-formal", file = "rules.txt" }]\n'
    more = more.replace("C:\\\\out\\\\rules.txt", "rules.txt")
    assert post(other, more).status_code == 403
    assert System.objects.count() == 1
    assert post(lead, more).status_code == 302
    assert System.objects.count() == 2


def test_an_annotator_may_not(db: None) -> None:
    crowd = Person.objects.create_user("crowd@example.org", "a long enough password", role=Role.CROWD_ANNOTATOR)
    assert post(crowd).status_code == 403


def test_a_system_that_was_removed_is_added_again(lead: Person) -> None:
    post(lead)
    remove_system(system=System.objects.get())
    assert post(lead).status_code == 302
    assert Output.objects.count() == 2


def test_declared_references_stay(lead: Person) -> None:
    post(lead, STUDY + '[[references]]\ndirection = "informal-formal"\nfile = "ref.txt"\n', files(ref="Hello.\nOK?\n"))
    with pytest.raises(UserError, match="come from the study file"):
        remove_references(references=ReferenceSet.objects.get())
