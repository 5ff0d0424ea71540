"""Somebody new makes a study from a table with four references and four systems, and reads its report.

What an action is says `support.counted_actions`.
"""

import csv

from playwright.sync_api import expect
from support.campaigns import person
from support.counted_actions import Hands
from support.demo_site import sign_in

from accounts.permissions import Role
from corpora.models import Output, Reference, Study
from evaluation.models import MetricRun
from evaluation.tasks import score

MOST = 7
SYSTEMS = ("BART", "Rules", "Seq2Seq", "Copy")
SUBJECTS = ("movie", "game", "song", "book", "show", "match", "album", "lesson", "party", "trip", "meal", "story")


def row(subject):
    informal = f"that {subject} was sooo good u should c it"
    references = [f"{start} {subject} was very good." for start in ("That", "The", "I think the", "In my view the")]
    outputs = [f"That {subject} was very good.", f"that {subject} was so good you should see it", f"The {subject}."]
    return [informal, *references, *outputs, informal]


def table(folder):
    path = folder / "outputs.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["informal", *(f"reference {n}" for n in range(1, 5)), *SYSTEMS])
        writer.writerows(row(subject) for subject in SUBJECTS)
    return path


def test_from_a_table_to_its_report(new_page, web_server, tmp_path):
    new = Hands(new_page, person(Role.RESEARCHER), web_server.url)
    new.click("link", "New study")
    new.fill("Title", "Talk of the town")
    new.fill("Styles", "informal, formal")
    new.answer_dialog("Files with the texts", table(tmp_path))
    new.shoot("new-study")
    new.click("button", "Create study")
    new.sees("heading", "Effect of the import")
    new.sees("checkbox", "Compute the report after the import", checked=True)
    new.shoot("confirm-columns")
    new.click("button", "Import")
    new.waits_for("**/report/")
    score(MetricRun.objects.get().job_id)  # as a worker does; the page asks by itself
    new.sees("heading", "Leaderboard")
    new.shoot("first-report")
    for system in SYSTEMS:
        new.sees("rowheader", system)
    study = Study.objects.get(title="Talk of the town")
    rows = len(SUBJECTS)
    assert Reference.objects.filter(set__direction__study=study).count() == 4 * rows
    assert Output.objects.filter(system__study=study).count() == 4 * rows
    assert new.count <= MOST, new.done


def test_a_table_that_cannot_be_read_makes_no_study(new_page, web_server, tmp_path):
    page = new_page()
    sign_in(page, person(Role.RESEARCHER), web_server.url)
    page.goto("/studies/new/")
    page.get_by_label("Title").fill("Not made")
    page.get_by_label("Styles").fill("informal, formal")
    (tmp_path / "broken.xlsx").write_bytes(b"PK\x03\x04 and then nothing")
    page.get_by_label("Files with the texts").set_input_files(tmp_path / "broken.xlsx")
    page.get_by_role("button", name="Create study").click()
    expect(page.get_by_label("Files with the texts")).to_have_attribute("aria-invalid", "true")
    assert not Study.objects.filter(title="Not made").exists()
