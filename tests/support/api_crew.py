"""A study made by its template, worked on, released and imported through the API; real workers do the jobs."""

import json
from collections.abc import Callable
from itertools import count
from typing import Any
from uuid import uuid4

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from support.processes import wait_until

from accounts.actions.make_token import make_token
from accounts.models import ApiToken, Credential, Person
from accounts.permissions import Role
from corpora.models import Membership, Study
from jobs.models import Job

NUMBERS = count(1)
Write = Callable[[dict[str, Any]], dict[str, Any]]


def _under_way(job: Job) -> str:
    return f"The job '{job.title}' is {job.state} still, at {job.done} of {job.total}: {job.log}"


class ApiStudy:
    """A study as its researcher reaches it with a token; every call is a request and must succeed."""

    def __init__(self, slug: str, *, lead: Person | None = None) -> None:
        self.slug, self.home = slug, f"/api/studies/{slug}/"
        self.lead = lead or person(Role.RESEARCHER, credentials=("mimic-iii",))
        self.client = client_of(self.lead)

    @property
    def study(self) -> Study:
        return Study.objects.get(slug=self.slug)

    def begin(self, template: str) -> "ApiStudy":
        made = {"template": template, "slug": self.slug, "title": f"Made by {template}"}
        asked(self.client.post("/api/study-templates/", made, content_type="application/json"))
        if self.study.terms_version:
            accept(self.study, self.lead)
        return self

    def make(self, styles: list[str]) -> "ApiStudy":
        made = {"slug": self.slug, "title": f"Imported {self.slug}", "styles": styles}
        asked(self.client.post("/api/studies/", made, content_type="application/json"))
        return self

    def get(self, path: str, **query: Any) -> Any:
        return asked(self.client.get(self.home + path, query))

    def post(self, path: str, **body: Any) -> Any:
        return asked(self.client.post(self.home + path, body, content_type="application/json"))

    def put(self, path: str, **body: Any) -> Any:
        return asked(self.client.put(self.home + path, body, content_type="application/json"))

    def patch(self, path: str, **body: Any) -> Any:
        return asked(self.client.patch(self.home + path, body, content_type="application/json"))

    def upload(self, path: str, name: str, data: bytes, **fields: Any) -> Any:
        return asked(self.client.post(self.home + path, {"file": SimpleUploadedFile(name, data), **fields}))

    def done(self, job: int) -> None:
        """Wait until a worker has done the job."""
        wait_until(lambda: Job.objects.get(pk=job).is_over, lambda: _under_way(Job.objects.get(pk=job)), 180)
        made = Job.objects.get(pk=job)
        assert made.state == "done", (made.title, made.error, made.log)

    def import_documents(self, name: str, data: bytes, form: str, **fields: Any) -> None:
        self.done(self.upload("documents/", name, data, format=form, **fields)["job"])
        for one in self.get("flags/")["results"]:
            self.post("flags/", sentences=[one["id"]], decision="clear")

    def join(self, role: str = Role.EXPERT_ANNOTATOR, credentials: tuple[str, ...] = (), **profile: Any) -> Client:
        who = person(role, credentials, **profile)
        Membership.objects.create(study=self.study, person=who, role=role)
        if self.study.terms_version:
            accept(self.study, who)
        return client_of(who)

    def open(self, *stages: str) -> None:
        for stage in stages:
            self.post(f"campaigns/{stage}/state/", state="open")

    def work(self, client: Client, stage: str, write: Write, most: int = 100) -> int:
        """Everything that the stage has for this person; how many items."""
        at = f"{self.home}campaigns/{stage}/"
        claim = asked(client.post(f"{at}next/"))
        for number in range(most):
            work = claim["work"]
            if work is None:
                return number
            body = {"slot": work["slot"], "lease": work["lease"], "key": str(uuid4()), "content": write(work["item"])}
            claim = asked(client.post(f"{at}answers/", body, content_type="application/json"))["next"]
        return most

    def review(self, stage: str, verdict: str = "accepted") -> None:
        for one in self.get(f"campaigns/{stage}/reviews/")["results"]:
            self.post(f"campaigns/{stage}/reviews/", answer=one["id"], verdict=verdict)

    def release(self, *forms: str, **settings: Any) -> dict[str, bytes]:
        """A release's files by name."""
        self.done(self.post("releases/", settings={"forms": list(forms), **settings})["job"])
        made = self.get("releases/1/")
        return {one["name"]: self.fetch(f"releases/1/{one['name']}/") for one in made["files"]}

    def fetch(self, path: str) -> bytes:
        response = self.client.get(self.home + path)
        assert response.status_code == 200
        return b"".join(response.streaming_content)

    def import_gold(self, name: str, data: bytes, **fields: Any) -> dict[str, Any]:
        """Look at it first, then bring it in: what would come is what came."""
        looked = self.upload("gold/imports/", name, data, **fields)
        self.done(looked["job"])
        one = f"gold/imports/{looked['id']}/"
        found = self.get(one)["found"]
        assert not self.study.directions.filter(sentences__isnull=False).exists()
        self.done(self.act(f"{one}bring/")["job"])
        brought = self.get(one)["brought"]
        assert brought == found
        return brought

    def train(self, model: str, **given: Any) -> dict[str, Any]:
        made = self.post("trainings/", model=model, device="cpu", **given)
        self.done(made["job"])
        return self.get(f"trainings/{made['id']}/")

    def run(self, checkpoint: int, name: str = "ours", **given: Any) -> None:
        """A trained model over the test split."""
        self.done(self.post("transfers/", checkpoint=checkpoint, name=name, split="test", **given)["job"])

    def score(self, *metrics: str) -> Any:
        """The report, of these metrics alone."""
        self.put("metrics/", metrics={name: {} for name in metrics})
        self.done(asked(self.client.post(f"{self.home}metric-runs/"))["job"])
        return self.get("report/")

    def act(self, path: str) -> Any:
        """A POST without a body."""
        return asked(self.client.post(self.home + path))

    def table(self, name: str) -> Any:
        return self.get(f"tables/{name}/")


def person(role: str, credentials: tuple[str, ...] = (), **profile: Any) -> Person:
    made = Person.objects.create_user(
        f"crew{next(NUMBERS)}@example.org", "a long enough password", role=role, **profile
    )
    for credential in credentials:
        Credential.objects.create(person=made, name=credential, verified_at=timezone.now())
    return made


def accept(study: Study, who: Person) -> None:
    from corpora.actions.accept_terms import accept_terms

    accept_terms(study=study, person=who, version=study.terms_version)


def client_of(who: Person) -> Client:
    """A client with a token of theirs for everything."""
    _, secret = make_token(person=who, name="test", scopes=ApiToken.Scope.values, days=1)
    return Client(headers={"Authorization": f"Token {secret}"})


def asked(response: Any) -> Any:
    assert response.status_code < 300, (response.request["PATH_INFO"], response.status_code, response.content[:500])
    return json.loads(response.content or b"null")
