"""Somebody new makes a study from a table with four references and four systems, and reads its report.

An action is a click, a choice or a field that is filled in. Signing in is none.
"""

import csv

from playwright.sync_api import expect
from support.campaigns import person
from support.demo_site import sign_in
from support.screenshots import shoot

from accounts.permissions import Role
from corpora.models import Output, Reference, Study
from evaluation.models import MetricRun
from evaluation.tasks import score

MOST = 15
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


class Counted:
    """A person at a page, each of whose actions counts."""

    def __init__(self, page):
        self.page, self.actions = page, 0

    def click(self, role, name):
        self.actions += 1
        self.page.get_by_role(role, name=name, exact=True).click()

    def fill(self, label, text):
        self.actions += 1
        self.page.get_by_label(label, exact=True).fill(text)

    def choose(self, label, path):
        self.actions += 1
        self.page.get_by_label(label).set_input_files(path)


def test_from_a_table_to_its_report(new_page, web_server, tmp_path):
    page = new_page()
    sign_in(page, person(Role.RESEARCHER), web_server.url)
    page.goto("/")
    new = Counted(page)
    new.click("link", "New study")
    new.fill("Title", "Talk of the town")
    new.fill("Styles", "informal, formal")
    new.choose("Table with the texts", table(tmp_path))
    shoot(page, "new-study")
    new.click("button", "Create study")
    expect(page.get_by_role("heading", name="Effect of the import")).to_be_visible()
    expect(page.get_by_label("Compute the report after the import")).to_be_checked()
    shoot(page, "confirm-columns")
    new.click("button", "Import")
    page.wait_for_url("**/report/")
    expect(page.locator("#metrics-progress")).to_be_visible()
    score(MetricRun.objects.get().job_id)  # as a worker does; the page asks by itself
    expect(page.get_by_role("heading", name="Leaderboard")).to_be_visible()
    shoot(page, "first-report")
    for system in SYSTEMS:
        expect(page.get_by_role("rowheader", name=system, exact=True).first).to_be_visible()
    study = Study.objects.get(title="Talk of the town")
    rows = len(SUBJECTS)
    assert Reference.objects.filter(set__direction__study=study).count() == 4 * rows
    assert Output.objects.filter(system__study=study).count() == 4 * rows
    assert new.actions <= MOST, new.actions


def test_a_table_that_cannot_be_read_makes_no_study(new_page, web_server, tmp_path):
    page = new_page()
    sign_in(page, person(Role.RESEARCHER), web_server.url)
    page.goto("/studies/new/")
    page.get_by_label("Title").fill("Not made")
    page.get_by_label("Styles").fill("informal, formal")
    (tmp_path / "broken.xlsx").write_bytes(b"PK\x03\x04 and then nothing")
    page.get_by_label("Table with the texts").set_input_files(tmp_path / "broken.xlsx")
    page.get_by_role("button", name="Create study").click()
    expect(page.get_by_label("Table with the texts")).to_have_attribute("aria-invalid", "true")
    assert not Study.objects.filter(title="Not made").exists()
