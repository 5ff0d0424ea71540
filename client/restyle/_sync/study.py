# Made by `python -m tools.client` of the file of this name in _async: change that one.
"""A study: its tables, systems, campaigns, jobs, report and files."""

from collections.abc import Mapping
from typing import Any, cast

from restyle import types
from restyle._sync.campaign import Campaign
from restyle._sync.export import Export
from restyle._sync.job import Job
from restyle._sync.system import System
from restyle._sync.transport import Transport
from restyle.display import Imported, facts
from restyle.errors import NotFound, OpenQuestions, RestyleError
from restyle.exchange import call_of, content_of
from restyle.frames import Rows
from restyle.progress import Progress
from restyle.report import Report

UNFINISHED = ("queued", "running")


class Study:
    """A study; `data` holds its facts as the site gives them."""

    def __init__(self, transport: Transport, data: Mapping[str, Any]) -> None:
        self._transport, self.data = transport, cast(types.Study, dict(data))
        self._path = f"studies/{self.slug}/"

    @property
    def slug(self) -> str:
        return self.data["slug"]

    @property
    def title(self) -> str:
        return self.data["title"]

    @property
    def styles(self) -> list[str]:
        return self.data["styles"]

    @property
    def url(self) -> str:
        """Its page."""
        return f"{self._transport.site}/studies/{self.slug}/"

    def change(self, **fields: Any) -> None:
        """Change its settings: `title`, `description`, `license`, `terms`, `unit` ..."""
        self.data = cast(types.Study, self._json("PATCH", "", body=fields))

    def import_table(
        self, file: Any, *, target: str = "texts", mapping: Mapping[str, str] | None = None,
        answers: Mapping[str, str] | None = None, settings: Mapping[str, str] | None = None,
        reading: Mapping[str, str] | None = None, dry_run: bool = False, progress: Progress = None,
    ) -> types.Brought:  # fmt: skip
        """Bring in a table: a path, rows, or a data frame. All of it comes in, or nothing.

        The site guesses what the columns mean (`mapping`) where that is left out; OpenQuestions where only a person can
        tell. `reading` says how a file is read: `delimiter`, `encoding`, `part` ... (docs/import.md).
        """
        body: dict[str, Any] = {"target": target, "settings": dict(settings or {}), **(reading or {})}
        body |= {"answers": dict(answers or {})}
        guess = {} if mapping is None else {"mapping": dict(mapping)}
        looked = self._brought(file, {**body, **guess, "dry_run": True})
        if dry_run:
            return looked
        if waiting := [one for one in looked["questions"] if not one["answer"]]:
            raise OpenQuestions(waiting)
        if looked["nothing"]:
            raise RestyleError(looked["nothing"])
        brought = self._brought(file, {**body, "mapping": looked["mapping"]})
        if brought["job"] is not None:
            brought["brought"] = (self.job(brought["job"]).wait(progress))["told"]
        return brought

    def _brought(self, file: Any, body: Mapping[str, Any]) -> types.Brought:
        said = self._json("POST", "import/", body=body, files=[("file", file)])
        return cast(types.Brought, Imported(said))

    def directions(self) -> list[types.Direction]:
        """The directions of transfer, such as informal-formal."""
        return cast(list[types.Direction], self._json("GET", "directions/"))

    def add_direction(self, source_style: str, target_style: str) -> types.Direction:
        """A further direction of transfer between two styles of the study."""
        body = {"source_style": source_style, "target_style": target_style}
        return cast(types.Direction, self._json("POST", "directions/", body=body))

    def systems(self) -> Rows[System]:
        """The systems that have outputs in the study."""
        return Rows([System(self._transport, self.slug, one) for one in self._json("GET", "systems/")])

    def system(self, name: str) -> System:
        """The system of that name."""
        found = self.systems()
        for one in found:
            if one.name == name:
                return one
        names = ", ".join(one.name for one in found)
        raise NotFound(f"The study has no system '{name}'; it has {names or 'none'}.", 404)

    def add_system(self, name: str, direction: str, outputs: Any, **fields: Any) -> System:
        """A system with its outputs: a file with a line for each source, or a table with `source` and `text` named."""
        body = {"name": name, "direction": direction, **fields}
        return System(self._transport, self.slug, self._json("POST", "systems/", body=body, files=[("file", outputs)]))

    def run(
        self, model: str | None = None, *, name: str, direction: str | None = None, checkpoint: int | None = None,
        split: str = "", settings: Mapping[str, Any] | None = None, progress: Progress = None,
    ) -> System:  # fmt: skip
        """Have a model or a checkpoint rewrite the sources, and wait: the system with its outputs."""
        body: dict[str, Any] = {"name": name, "settings": dict(settings or {})}
        chosen = {"model": model, "direction": direction, "checkpoint": checkpoint, "split": split}
        run = self._json("POST", "transfers/", body=body | {key: one for key, one in chosen.items() if one})
        self.job(run["job"]).wait(progress)
        return self.system(run["system"] or name)

    def campaigns(self) -> Rows[Campaign]:
        """The campaigns, with the stages that are planned."""
        found = self._transport.pages(f"{self._path}campaigns/")
        return Rows([Campaign(self._transport, self.slug, one) for one in found])

    def campaign(self, slug: str) -> Campaign:
        """The campaign of that short name."""
        return Campaign(self._transport, self.slug, self._json("GET", f"campaigns/{slug}/"))

    def create_campaign(self, name: str, task_type: str, **fields: Any) -> Campaign:
        """A new campaign; it is open to nobody before it is opened (`fields`: those of POST .../campaigns/)."""
        body = {"name": name, "task_type": task_type, **fields}
        return Campaign(self._transport, self.slug, self._json("POST", "campaigns/", body=body))

    def choose_metrics(self, *names: str, **with_settings: Mapping[str, Any]) -> types.ChosenMetrics:
        """Choose the metrics of the report: `choose_metrics("sari", bleu={"lowercase": True})`. The others leave it."""
        metrics: dict[str, Any] = {**{name: {} for name in names}, **with_settings}
        return cast(types.ChosenMetrics, self._json("PUT", "metrics/", body={"metrics": metrics}))

    def report(
        self, *metrics: str, compute: bool = True, progress: Progress = None, **with_settings: Mapping[str, Any]
    ) -> Report:
        """The report, computed anew where something has changed, with these metrics where any are named."""
        if metrics or with_settings:
            self.choose_metrics(*metrics, **with_settings)
        if compute and self._is_to_compute():
            self._compute(progress)
        answer = self._transport.ask(call_of("GET", f"{self._path}report/"))
        return Report(content_of(answer), out_of_date=answer.headers.get("Restyle-Out-Of-Date") == "yes")

    def _is_to_compute(self) -> bool:
        """Whether there is no report yet, or one that is out of date."""
        try:
            answer = self._transport.ask(call_of("GET", f"{self._path}report/"))
        except NotFound:
            return True
        return bool(answer.headers.get("Restyle-Out-Of-Date") == "yes")

    def _compute(self, progress: Progress) -> None:
        """Wait for a computation that somebody has begun already, then have it computed as things are now."""
        for run in self._transport.pages(f"{self._path}metric-runs/"):
            if run["state"] in UNFINISHED:
                self.job(run["job"]).wait(progress)
            break
        run = self._json("POST", "metric-runs/")
        self.job(run["job"]).wait(progress)

    def report_file(self, form: str = "csv") -> Export:
        """The report as it was last computed, as `csv`, `markdown` or `latex`."""
        return Export(self._transport, f"{self._path}report/", {"format": form})

    def export(self, file: str = "", form: str = "csv") -> Export:
        """`sources`, `references`, `outputs` ... as `csv`, `tsv` or `jsonl`; a ZIP of all without `file`."""
        return Export(self._transport, f"{self._path}export/", {"file": file, "format": form} if file else {})

    def table(self, name: str, form: str = "csv") -> Export:
        """A table or figure of the report, as `csv`, `markdown`, `latex`, `json`, `svg` ..."""
        return Export(self._transport, f"{self._path}tables/{name}/", {"format": form})

    def push(
        self, target: str, access_token: str, *, content: str = "release", progress: Progress = None, **fields: Any
    ) -> types.PublicationShape:
        """Push the newest `release`, `outputs`, `judgements` or a trained `model` to the Hugging Face Hub, and wait.

        `fields` are the others of POST .../publications/: `checkpoint`, `release`, `private`, `service`.
        """
        body = {"target": target, "access_token": access_token, "content": content, **fields}
        return self._published("publications/", body, progress)

    def pull(
        self, target: str, access_token: str = "", *, model: bool = False, progress: Progress = None
    ) -> types.PublicationShape:
        """Pull a data set of the Hub, or a trained `model`, and wait; `result` has the key of what came of it."""
        body = {"target": target, "access_token": access_token, "model": model}
        return self._published("publications/pull/", body, progress)

    def _published(self, path: str, body: Mapping[str, Any], progress: Progress) -> types.PublicationShape:
        made = self._json("POST", path, body=dict(body))
        self.job(made["job"]).wait(progress)
        for one in self._transport.pages(f"{self._path}publications/"):
            if one["id"] == made["id"]:
                made = one
                break
        return cast(types.PublicationShape, made)

    def jobs(self) -> Rows[Job]:
        """The long work of the study, newest first."""
        found = self._transport.pages(f"{self._path}jobs/")
        return Rows([Job(self._transport, self.slug, one["id"], cast(Any, one)) for one in found])

    def job(self, number: int) -> Job:
        """The job of that number."""
        return Job(self._transport, self.slug, number)

    def _json(self, method: str, path: str, **given: Any) -> Any:
        return self._transport.json(method, f"{self._path}{path}", **given)

    def __repr__(self) -> str:
        return f"<Study {self.slug}: {self.title}>"

    def _repr_html_(self) -> str:
        return facts(self.title, self.url, {"styles": ", ".join(self.styles), "language": self.data["language"]})
