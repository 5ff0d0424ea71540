"""A site with the demo and one of everything else that a page shows, and its people signed in to real browsers."""

from io import BytesIO, StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from factories.handles import handle
from playwright.sync_api import Page
from support import campaigns as made
from support.checkpoints import checkpoint, file_transfer, sweep, training
from support.documents import documents

from accounts.actions.invite_person import invite_person
from accounts.actions.make_reset_link import make_reset_link
from accounts.actions.make_token import make_token
from accounts.models import ApiToken, Person
from accounts.permissions import Role
from annotation.actions.enter_crowd import enter_crowd
from annotation.actions.make_release import make_release
from annotation.actions.open_recruitment_link import open_recruitment_link
from annotation.actions.report_problem import report_problem
from annotation.actions.start_gold_import import start_gold_import
from annotation.models import Campaign, RecruitmentLink
from annotation.tasks import import_gold
from corpora.actions.create_study import create_study
from corpora.actions.invite_member import invite_member
from corpora.actions.keep_table import keep_table
from corpora.models import Membership, Study
from evaluation.actions.amend_human_study import amend_human_study
from evaluation.actions.delete_human_study import delete_human_study
from evaluation.actions.make_public_link import make_public_link
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study
from evaluation.models import JudgeRun
from integrations.recruiting.models import Account, Recruitment, Submission
from integrations.sealed import seal
from integrations.webhooks.actions.create_webhook import create_webhook
from jobs.models import Job


class DemoSite:
    """The demo, with work done, a failed job, invitations, a token, and a study that is still empty.

    `people` by role, and three special ones; `values` by the names in the addresses of pages.
    """

    def __init__(self) -> None:
        call_command("seed_demo", small=True, stdout=StringIO())
        self.study = Study.objects.get(slug="demo")
        found = Person.objects.filter(email__endswith="@restyle.example").exclude(email__startswith="simulated")
        self.people: dict[str, Person] = {one.role: one for one in found}
        self.people["without a password"] = Person.objects.create_user("provider@example.org", None)
        self.people |= {name: made.person() for name in ("with a second step", "newly signed in")}
        self._invite_and_make_a_token()
        self._make_an_empty_study()
        rewriting = self.study.campaigns.get(task_type="rewrite")
        self.values: dict[str, Any] = {
            "study": self.study.slug, "person": self.people["reviewer"].pk, "direction": 1,
            "system": self.study.systems.get(name="Rule-based").pk, "job": self._failed_job().pk,
            "document": documents(self.study)[0].pk,
            "worker": self.people["crowd_annotator"].pk, "campaign": rewriting.slug, "answer": self._work(rewriting),
            "rater": self.people["crowd_annotator"].pseudonym, "key": "a-b", "uidb36": "1", "name": "leaderboard",
        }  # fmt: skip
        self.values["upload"] = keep_table(
            study=self.study, target="texts", pasted="source,formal\nu r late,You are late.\ngtg\n",
            by=self.people["researcher"],
        ).pk  # fmt: skip
        self.values["removal"] = self._removed()
        self.values["gold import"] = self._looked_at_gold()
        self._open_a_crowd_entrance(rewriting)
        self.values["human"] = self._human_studies()
        self.values["recruitment"] = self._recruitment()
        self.values |= {"webhook": self._webhook(self.study), "site webhook": self._webhook(None)}
        self.values |= self._models()
        self.values["number"] = make_release(study=self.study, settings={"forms": ["jsonl", "gyafc"]}).number

    def secret(self, page: str) -> str:
        """The secret in the address of `join`, `reset`, `crowd_enter` or `public_page`."""
        if page == "public_page":
            return make_public_link(study=self.study, page="leaderboard", by=self.people["researcher"])[1]
        if page == "crowd_enter":
            return self.recruitment_link
        return self._invitation if page == "join" else self._reset

    def _invite_and_make_a_token(self) -> None:
        admin = self.people["admin"]
        _, self._invitation = invite_person(email="newcomer@example.org", role=Role.REVIEWER, by=admin)
        _, self._reset = make_reset_link(person=self.people["reviewer"], by=admin)
        invite_member(study=self.study, email="member@example.org", role=Role.REVIEWER, by=admin)
        make_token(person=self.people["researcher"], name="my script", scopes=ApiToken.Scope.values, days=30)

    def _open_a_crowd_entrance(self, rewriting: Campaign) -> None:
        recruitment_link = open_recruitment_link(
            campaign=rewriting, site="prolific", consent="You rewrite sentences.", by=None
        )
        participant = enter_crowd(
            recruitment_link=recruitment_link, external_id="5f0c1a2b3c", browser="a browser's"
        ).participant
        assert participant is not None
        self.people["from a crowd site"] = participant.person
        self.values |= {
            "entrance": recruitment_link.pk,
            "entrant": handle("entrant", participant.pk, participant.person),
        }
        self.recruitment_link = recruitment_link.secret

    def _make_an_empty_study(self) -> None:
        empty = create_study(slug="empty", title="An empty study", styles=["expert", "lay"])
        for role in ("researcher", "crowd_annotator"):
            Membership.objects.create(study=empty, person=self.people[role], role=role)

    def _recruitment(self) -> int:
        """One that is open, with people who are at work, wait, were approved and went away, and an unsure order."""
        link = RecruitmentLink.objects.get(pk=self.values["entrance"])
        account = Account.objects.create(study=self.study, site="prolific", token=seal("t" * 40), sandbox=False)
        made = Recruitment.objects.create(
            recruitment_link=link, account=account, external_id="6f", status="ACTIVE", name="Rewrite sentences",
            description="Rewrite.", places=20, minutes=10, reward=250, screen_out_reward=20, currency="GBP",
            sandbox=False,
        )  # fmt: skip
        for number, state in enumerate(Submission.State.values):
            made.submissions.create(
                external_id=f"s{number}", person_id_there=f"p{number}", state=state, changed_at=timezone.now(),
                participant=link.participants.first() if not number else None,
            )  # fmt: skip
        made.orders.create(account=account, kind="draft", state="done")
        made.orders.create(account=account, kind="bonus", state="warning", arguments={"bonuses": {}, "total": 340})
        return made.pk

    def _webhook(self, study: Study | None) -> int:
        """A webhook with a delivery that was taken, one that is tried again, and one that failed."""
        hook, _ = create_webhook(study=study, by=None, url="https://hooks.example.org/in", kinds=["report.ready"])
        tried = {"attempts": 2, "tried_at": timezone.now(), "milliseconds": 120}
        for state, status in (("done", 204), ("queued", 503), ("failed", 400)):
            told = (
                {"error": "", "response": ""}
                if state == "done"
                else {"error": "The receiver did not take it.", "response": "<p>No</p>"}
            )
            hook.deliveries.create(state=state, status=status, next_at=timezone.now(), **told, **tried)
        return hook.pk

    def _human_studies(self) -> str:
        """One that is open, with an answer and something that departs from its plan; the slug of a draft."""
        asked = {"criteria": [{"name": "formality", "scale": "formality_7"}], "sampling": "random", "size": 8}
        opened = plan_human_study(
            study=self.study, name="Opened", **asked, controls={"every": 2, "kinds": ["broken"]}, use_controls=True,
            comparison={"baseline": "Rule-based", "criterion": "formality"}, rate_source=True,
        )  # fmt: skip
        open_human_study(human_study=opened, by=None)
        campaign, who = opened.campaigns.get(), self.people["crowd_annotator"]
        work = made.held(campaign, who)
        ratings = [{"formality": 1} for _ in work.content["candidates"]]
        made.hand_in(campaign, who, work, content={"ratings": ratings}, seconds=20.0)
        amend_human_study(human_study=opened, exclusions={"least_seconds": 2.0}, by=None)
        return plan_human_study(study=self.study, name="Which is more formal?", **asked).slug

    def _models(self) -> dict[str, int]:
        """A training that is over, with curves, samples and its checkpoint, and a file that it rewrote."""
        run = training(self.study)
        for name, values in {"loss": [5.2, 3.1, 2.4], "bleu": [12.0, 24.5, 31.2]}.items():
            run.curves.create(name=name, steps=[10, 20, 30], values=values, better="higher" if name == "bleu" else "")
        rows = [{"source": "pt has sob", "reference": "The patient has shortness of breath."}]
        run.samples = [{"step": at, "rows": [{**row, "output": said} for row in rows]}
                       for at, said in ((10, "the the the"), (20, "The patient has sob."))]  # fmt: skip
        run.best = {"curve": "bleu", "step": 30, "value": 31.2, "better": "higher"}
        run.save()
        with TemporaryDirectory() as folder:
            kept = checkpoint(self.study, Path(folder), run)
        searched = sweep(self.study, run)
        transfer = file_transfer(self.study, kept)
        asked = {"criterion": "formality", "model": "tiny", "folder": "", "system": "", "message": "How formal?"}
        judging = JudgeRun.objects.create(study=self.study, job=transfer.job, name="judge: tiny", settings=asked)
        return {
            "run": judging.pk,
            "sweep": searched.pk,
            "training": run.pk,
            "checkpoint": kept.pk,
            "transfer": transfer.pk,
        }

    def _removed(self) -> int:
        """A draft of a human study that was taken out and can be brought back."""
        asked = {"criteria": [{"name": "formality", "scale": "formality_7"}], "sampling": "random", "size": 8}
        draft = plan_human_study(study=self.study, name="Gone", **asked)
        return delete_human_study(human_study=draft, by=self.people["researcher"]).pk

    def _looked_at_gold(self) -> int:
        """A file of gold of which nothing is in the study yet."""
        kept = BytesIO()
        with ZipFile(kept, "w") as zipped:
            for name, line in {
                "informal": "thx a lot",
                "formal.ref0": "Thank you.",
                "formal.ref1": "I thank you.",
            }.items():
                zipped.writestr(f"GYAFC/test/{name}", f"{line}\n")
        file = SimpleUploadedFile("gyafc.zip", kept.getvalue())
        looked = start_gold_import(study=self.study, file=file, by=self.people["researcher"])
        import_gold(looked.job_id)
        return looked.pk

    def _failed_job(self) -> Job:
        """The failed one; another ended with a warning."""
        Job.objects.create(
            task="modelserving.tasks.transfer", queue="gpu", title="A model that is silent", study_slug=self.study.slug,
            state="done", told="0 of 32 sources have an output.", warning="The model wrote nothing for any source.",
            total=32, queued_at=timezone.now(), made_by=self.people["researcher"],
        )  # fmt: skip
        return Job.objects.create(
            task="modelserving.tasks.transfer", queue="gpu", title="Rule-based, again", study_slug=self.study.slug,
            state="failed", error="It failed.", log="12 of 32 sources\nIt failed.", done=12, total=32,
            queued_at=timezone.now(), made_by=self.people["researcher"],
        )  # fmt: skip

    def _work(self, rewriting: Campaign) -> str:
        """The crowd annotator rewrites a sentence and reports the next; what they name the answer by."""
        who = self.people["crowd_annotator"]
        answer = made.hand_in(rewriting, who, made.held(rewriting, who)).answer
        work = made.held(rewriting, who)
        report_problem(
            study=self.study, campaign=rewriting.slug, person=who, assignment=work.assignment, lease=work.lease,
            key=uuid4(),
            kind="personal_data", comment="A name stands in it.",
        )  # fmt: skip
        return handle("answer", answer, who)


def sign_in(page: Page, person: Person, url: str) -> None:
    """Give the page's browser a session of the person."""
    client = Client()
    client.force_login(person)
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": url}])


def sign_in_by_form(page: Page, email: str, password: str = made.PASSWORD) -> None:
    """Sign in with the e-mail address and the password, as people do; waits until the next page is there."""
    page.goto("/accounts/login/")
    fill_in_sign_in(page, email, password)
    page.wait_for_url(lambda url: "/accounts/login" not in url)


def fill_in_sign_in(page: Page, email: str, password: str = made.PASSWORD) -> None:
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def add_second_step(person: Person) -> None:
    """From now on the person confirms each sign-in with an app."""
    TOTP.activate(person, generate_totp_secret())
    RecoveryCodes.activate(person)
