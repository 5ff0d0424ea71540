"""A study that has one of everything: what routes name in their addresses."""

import hashlib
import itertools
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.db import transaction
from django.utils import timezone
from support import campaigns as made
from support.checkpoints import checkpoint, file_transfer, sweep, training
from support.documents import documents

from accounts.actions.make_token import make_token
from accounts.models import MACHINES, ApiToken, Person
from accounts.permissions import Role
from annotation.actions.enter_crowd import enter_crowd
from annotation.actions.open_recruitment_link import open_recruitment_link
from annotation.models import (
    Answer,
    Campaign,
    Criterion,
    CrowdParticipant,
    GoldImport,
    MachineRater,
    RecruitmentLink,
    Release,
    ReleaseFile,
    ReleasePiece,
    Review,
)
from corpora.actions.invite_member import invite_member
from corpora.actions.keep_table import keep_table
from corpora.models import (
    Direction,
    Document,
    Membership,
    ReferenceSet,
    Removal,
    Study,
    StudyInvitation,
    System,
    Upload,
)
from evaluation.actions.make_public_link import make_public_link
from evaluation.actions.make_report import make_report
from evaluation.actions.plan_human_study import plan_human_study
from evaluation.models import HumanStudy, ImportedMetric, JudgeRun, PublicLink, RatingsImport
from integrations.recruiting.models import Account, Order, Recruitment
from integrations.sealed import seal
from integrations.webhooks.models import Delivery, Webhook
from integrations.webhooks.signing import new_webhook_secret
from jobs.models import Job
from modelserving.models import Checkpoint, ModelAnswer, Sweep, TrainingRun, TransferRun

NUMBERS = itertools.count(1)


def person(role: str, **fields: Any) -> Person:
    """Somebody new, whose password nobody knows; the tests sign them in."""
    made = Person.objects.create_user(f"{role}-{next(NUMBERS)}@example.org", role=role, **fields)
    Person.objects.filter(pk=made.pk).update(password="pbkdf2_sha256$1$salt$none")
    made.refresh_from_db()
    return made


def token(owner: Person, *scopes: str, days: int = 30) -> tuple[ApiToken, str]:
    """A token of theirs, with all scopes unless some are named, and its secret."""
    return make_token(person=owner, name="script", scopes=scopes or ApiToken.Scope.values, days=days)


def _order(link: RecruitmentLink) -> Order:
    """An order whose answer was lost, of a draft without a name at the site."""
    account = Account.objects.create(study=link.campaign.study, site="prolific", token=seal("t" * 40))
    recruitment = Recruitment.objects.create(
        recruitment_link=link, account=account, name="Rewrite", description="Rewrite.", places=3, minutes=5, reward=250,
        currency="GBP", sandbox=True,
    )  # fmt: skip
    return Order.objects.create(account=account, recruitment=recruitment, kind="message", state=Order.State.UNSURE)


def _delivery(study: Study | None) -> Delivery:
    """A test that failed, of a webhook of the study or of the site."""
    hook = Webhook.objects.create(study=study, url="https://hooks.example/in", secret=seal(new_webhook_secret()))
    return Delivery.objects.create(webhook=hook, state=Delivery.State.FAILED, attempts=1, status=500, response="No.")


@dataclass
class WholeStudy:
    """Texts with references, systems, people, an open campaign with an answer of each of `workers`, a job, ratings,
    a training with its checkpoint and a run of it over a file."""

    workers: list[Person] = field(default_factory=list)
    study: Study = field(init=False)
    campaign: Campaign = field(init=False)
    member: Membership = field(init=False)
    invitation: StudyInvitation = field(init=False)
    job: Job = field(init=False)
    ratings: RatingsImport = field(init=False)
    release: Release = field(init=False)
    gold_import: GoldImport = field(init=False)
    document: Document = field(init=False)
    upload: Upload = field(init=False)
    recruitment_link: RecruitmentLink = field(init=False)
    participant: CrowdParticipant = field(init=False)
    human: HumanStudy = field(init=False)
    training: TrainingRun = field(init=False)
    checkpoint: Checkpoint = field(init=False)
    sweep: Sweep = field(init=False)
    transfer: TransferRun = field(init=False)
    removal: Removal = field(init=False)
    public_link: PublicLink = field(init=False)
    judge_run: JudgeRun = field(init=False)
    machine: MachineRater = field(init=False)
    public_secret: str = field(init=False)
    webhook: Webhook = field(init=False)
    delivery: Delivery = field(init=False)
    site_delivery: Delivery = field(init=False)
    recruitment: Recruitment = field(init=False)
    order: Order = field(init=False)

    def __post_init__(self) -> None:
        self.study = made.study(items=4, systems=2, references=1)
        self.study.directions.update(number=next(NUMBERS))  # no other study has a direction of that number
        self.lead = made.person(Role.RESEARCHER, self.study)
        self.member = Membership.objects.create(study=self.study, person=person("crowd_annotator"), role="reviewer")
        invited = invite_member(
            study=self.study, email=f"new{next(NUMBERS)}@example.org", role="reviewer", by=self.lead
        )
        self.invitation = StudyInvitation.objects.get(link=invited.link)
        self.job = Job.objects.create(
            task="none", queue="gpu", title="A run", study_slug=self.study.slug, state="failed", error="It failed.",
            queued_at=timezone.now(),
        )  # fmt: skip
        self.ratings = RatingsImport.objects.create(
            study=self.study, number=next(NUMBERS), format="mturk", file_name="r.csv"
        )
        ImportedMetric.objects.create(study=self.study, number=self.ratings.number, name="COMET", file_name="c.csv")
        self.document = documents(self.study)[0]
        self.upload = keep_table(study=self.study, target="texts", pasted="source,formal\na b,A B.\n", by=self.lead)
        Criterion.objects.create(study=self.study, number=1, name="formality", scale="formality_7")
        overlap = len(self.workers) + 1
        self.campaign = made.campaign(self.study, name=f"Rewriting {next(NUMBERS)}", overlap=overlap, by=self.lead)
        for worker in [self.lead, *self.workers]:
            made.hand_in(self.campaign, worker, made.held(self.campaign, worker))
        self.recruitment_link = open_recruitment_link(
            campaign=self.campaign, site="other", consent="Agree?", by=self.lead
        )
        entry = enter_crowd(recruitment_link=self.recruitment_link, external_id="A1", browser="b")
        self.participant = entry.participant
        asked = [{"name": "formality", "scale": "formality_7"}]
        self.human = plan_human_study(study=self.study, name=f"Judging {next(NUMBERS)}", criteria=asked, by=self.lead)
        self.training = training(self.study)
        with TemporaryDirectory() as folder:
            self.checkpoint = checkpoint(self.study, Path(folder), self.training)
        self.sweep = sweep(self.study, self.training)
        self.transfer = file_transfer(self.study, self.checkpoint)
        ModelAnswer.objects.create(study=self.study, job=self.transfer.job, digest="0" * 64, text="An answer\tof it\\")
        ModelAnswer.objects.create(study=self.study, digest="0" * 64)
        looked = Job.objects.create(
            task="none",
            queue="default",
            title="Gold",
            study_slug=self.study.slug,
            state="done",
            queued_at=timezone.now(),
        )
        self.gold_import = GoldImport.objects.create(study=self.study, job=looked, name="gold.jsonl", split="test")
        judging = Job.objects.create(
            task="none", queue="metrics", title="Judge", study_slug=self.study.slug, state="done",
            queued_at=timezone.now(),
        )  # fmt: skip
        asked_of = {"criterion": "formality", "model": "tiny", "folder": "", "system": "", "message": "How formal?"}
        self.judge_run = JudgeRun.objects.create(study=self.study, job=judging, name="tiny", settings=asked_of)
        self.machine = self._machine(judging)
        make_report(study=self.study)
        self.public_link, self.public_secret = make_public_link(study=self.study, page="leaderboard", by=self.lead)
        self.removal = Removal.objects.create(study=self.study, study_slug=self.study.slug, kind="system", name="Gone")
        self.release = self._release()
        self.delivery = _delivery(self.study)
        self.order = _order(self.recruitment_link)
        self.recruitment = self.order.recruitment
        self.webhook, self.site_delivery = self.delivery.webhook, _delivery(None)

    def _machine(self, job: Job) -> MachineRater:
        """A language model that rates in a campaign, and has not begun."""
        number = next(NUMBERS)
        person = Person.objects.create_user(f"{number}{MACHINES}", None, role=Role.CROWD_ANNOTATOR, is_active=False)
        own = Campaign.everything.create(
            study=self.study, machine_of=self.campaign, slug=f"machine-{number}", name="A machine", task_type="rewrite",
            roles=[],
        )  # fmt: skip
        return MachineRater.objects.create(
            campaign=own, of=self.campaign, person=person, name="tiny", prompt="0" * 12, job=job,
            settings={"endpoint": "lab", "model": "tiny"},
        )  # fmt: skip

    @transaction.atomic
    def _release(self) -> Release:
        """A release with a number that no other study's has, and a file."""
        made = Release.objects.create(
            study=self.study, number=next(NUMBERS), datasheet="# Texts", counts={"rows": 1}, key=b"k" * 32
        )
        data = b'{"text": "I must see you."}\n'
        file = ReleaseFile.objects.create(
            release=made, name="gold.jsonl", media_type="application/x-ndjson", size=len(data), rows=1,
            sha256=hashlib.sha256(data).hexdigest(),
        )  # fmt: skip
        ReleasePiece.objects.create(file=file, number=0, data=data)
        return made

    @property
    def direction(self) -> Direction:
        return self.study.directions.get()

    @property
    def references(self) -> ReferenceSet:
        return self.direction.reference_sets.get()

    @property
    def system(self) -> System:
        return self.study.systems.first()

    def answer_of(self, who: Person | None) -> Answer:
        """Their answer in the campaign; anybody's where they gave none."""
        own = self.campaign.answers.filter(person=who) if who else Answer.objects.none()
        return own.first() or self.campaign.answers.first()

    def review_of(self, who: Any) -> Review:
        """The decision about that answer; a rejection by nobody in particular where there is none yet."""
        answer = self.answer_of(who)
        return answer.reviews.first() or Review.objects.create(answer=answer, verdict="rejected", reviewer=self.lead)
