"""From files to a first report, and on to a report with people's judgements, in few actions of the researcher."""

from support import campaigns as make
from support.campaigns import person
from support.counted_actions import Hands

from accounts.permissions import Role
from corpora.models import Membership, Study
from evaluation.models import MetricRun
from evaluation.tasks import score

TO_A_FIRST_REPORT, TO_A_HUMAN_REPORT = 12, 30
SYSTEMS = ("BART", "Copy", "Delete", "Rules", "Seq2Seq", "T5")
SUBJECTS = ("movie", "game", "song", "book")
RATERS = 3
CRITERIA = ("style", "fluency", "meaning")


def eight_files(folder):
    """Sources, references and the outputs of six systems, a text a line."""
    texts = {"informal": "that {} was sooo good u should c it", "formal": "That {} was very good."}
    how = ("very", "sooo", "", "so", "quite", "really")
    texts |= {name: f"That {{}} was {one} good." for name, one in zip(SYSTEMS, how, strict=True)}
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text("".join(f"{text.format(one)}\n" for one in SUBJECTS))
        yield folder / f"{name}.txt"


def rates_all(campaign, who):
    """What a rater does by page in test_human_study_in_a_browser.py: the researcher's actions are counted here."""
    while work := make.claim(campaign, who).work:
        ratings = [dict.fromkeys(CRITERIA, 1) for _ in work.content["candidates"]]
        make.hand_in(campaign, who, work, content={"ratings": ratings})


def test_eight_files_become_a_report_by_people(new_page, web_server, tmp_path):
    hands = Hands(new_page, person(Role.RESEARCHER), web_server.url)
    hands.click("link", "New study")
    hands.fill("Title", "Talk of the town")
    hands.fill("Styles", "informal, formal")
    hands.answer_dialog("Files with the texts", *eight_files(tmp_path))
    hands.click("button", "Create study")
    hands.click("button", "Import")
    hands.waits_for("**/report/")
    score(MetricRun.objects.get().job_id)  # as a worker does; the page asks by itself
    hands.sees("heading", "Leaderboard")
    for system in SYSTEMS:
        hands.sees("rowheader", system)
    assert hands.count <= TO_A_FIRST_REPORT, hands.done

    study = Study.objects.get(title="Talk of the town")
    hands.click("link", "People's work")
    hands.click("link", "Human studies")
    hands.click("link", "Detoxification: Style, content and fluency")
    hands.click("button", "Save the plan")
    hands.click("button", "Open it")
    hands.click("button", "Open", within="dialog")
    hands.click("link", "Invite people")
    raters = [person(Role.EXPERT_ANNOTATOR) for _ in range(RATERS)]
    hands.fill("E-mail addresses", "\n".join(one.email for one in raters))
    hands.click("button", "Invite")
    hands.sees("heading", "Invitations")
    assert Membership.objects.filter(study=study).count() == RATERS + 1
    campaign = study.human_studies.get().campaigns.get()
    for one in raters:
        rates_all(campaign, one)
    assert campaign.answers.count() == RATERS * len(SUBJECTS)
    hands.click("link", "People's work")
    hands.click("link", "Human studies")
    hands.click("link", "Detoxification")
    hands.click("button", "Close the study")
    hands.click("button", "Close", within="dialog")
    hands.click("link", "Report")
    hands.click("button", "Update the report")
    score(MetricRun.objects.latest("pk").job_id)
    hands.sees("link", "Detoxification")  # the report has the human study's judgements
    assert hands.count <= TO_A_HUMAN_REPORT, hands.done
