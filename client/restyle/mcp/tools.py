"""The tools of an assistant: they read studies, and with `--write` draft one. None publishes, pays, opens or removes.

Texts of a study that is restricted, or that has terms or asks for credentials, go to no assistant.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from restyle import Client, RestyleError, Study

TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": {"type": "string"}}
STUDY = {"study": {"type": "string", "description": "The short name of the study, as list_studies gives it."}}
MOST = 100  # texts in an answer
KINDS: Mapping[str, type | tuple[type, ...]] = {"string": str, "integer": int, "array": list, "object": dict}


@dataclass(frozen=True)
class Tool:
    """A tool: what it takes as JSON Schema, and what it does."""

    name: str
    about: str
    does: Callable[..., dict[str, Any]]
    takes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    writes: bool = False

    def described(self) -> dict[str, Any]:
        schema = {
            "type": "object", "properties": dict(self.takes), "required": list(self.required),
            "additionalProperties": False,
        }  # fmt: skip
        hints = {"readOnlyHint": not self.writes, "destructiveHint": False, "openWorldHint": False}
        return {"name": self.name, "description": self.about, "inputSchema": schema, "annotations": hints}

    def call(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Do it; RestyleError where an argument is wrong or the site refuses."""
        if not isinstance(given, Mapping):
            raise RestyleError("The arguments are an object.")
        if unknown := sorted(set(given) - set(self.takes)):
            raise RestyleError(f"{self.name} takes no '{unknown[0]}'; it takes {', '.join(self.takes) or 'nothing'}.")
        if missing := [name for name in self.required if name not in given]:
            raise RestyleError(f"{self.name} needs '{missing[0]}'.")
        for name, value in given.items():
            kind = str(self.takes[name]["type"])
            if not isinstance(value, KINDS[kind]) or isinstance(value, bool):
                raise RestyleError(f"{name}: expected {kind}.")
        return self.does(**given)


def tools_of(client: Client) -> list[Tool]:
    return [*_reading(client), *_drafting(client)]


def _reading(client: Client) -> list[Tool]:
    def list_studies() -> dict[str, Any]:
        return {"studies": [dict(one.data) for one in client.studies()]}

    def read_study(study: str) -> dict[str, Any]:
        one = client.study(study)
        criteria = client.get(f"studies/{study}/criteria/")
        return {
            "study": dict(one.data), "directions": one.directions(), "systems": one.systems().records(),
            "campaigns": one.campaigns().records(), "criteria": criteria, "page": one.url,
            "contents": client.get(f"studies/{study}/contents/"),
        }  # fmt: skip

    def read_texts(study: str, first: int = 1, many: int = 20) -> dict[str, Any]:
        one = _open_to_assistants(client.study(study))
        if first < 1 or not 1 <= many <= MOST:
            raise RestyleError(f"first is at least 1, and many from 1 to {MOST}.")
        rows = client.pages(f"studies/{one.slug}/sentences/")
        return {"texts": list(islice(rows, first - 1, first - 1 + many))}

    def read_report(study: str) -> dict[str, Any]:
        report = client.study(study).report(compute=False)
        return {"scores": list(report.scores), "out_of_date": report.out_of_date, "in_short": _boards(report.data)}

    def read_campaign(study: str, campaign: str) -> dict[str, Any]:
        one = client.study(study).campaign(campaign)
        return {"campaign": dict(one.data), "progress": one.progress()["progress"]}

    def list_jobs(study: str) -> dict[str, Any]:
        rows = client.get(f"studies/{study}/jobs/", page_size=20)
        return {"jobs": rows["results"], "count": rows["count"]}

    several = {
        "first": {"type": "integer", "description": "From 1."},
        "many": {"type": "integer", "description": f"At most {MOST}."},
    }
    named = {**STUDY, "campaign": {"type": "string", "description": "The short name of the campaign."}}
    one = ("study",)
    return [
        Tool("list_studies", "The studies that the owner of the token is in.", list_studies),
        Tool(
            "read_study", "A study: styles, directions, systems, campaigns, criteria, counts.", read_study, STUDY, one
        ),
        Tool("read_texts", "Sources with their references and outputs.", read_texts, {**STUDY, **several}, one),
        Tool("read_report", "The scores by people and metrics, as last computed.", read_report, STUDY, one),
        Tool("read_campaign", "A campaign: its settings, and how far it is.", read_campaign, named, tuple(named)),
        Tool("list_jobs", "The newest 20 jobs of a study, with their states.", list_jobs, STUDY, one),
    ]


def _drafting(client: Client) -> list[Tool]:
    def create_study(title: str, styles: list[str], language: str = "", description: str = "") -> dict[str, Any]:
        made = client.create_study(title, styles, language=language, description=description)
        return {"study": dict(made.data), "page": made.url}

    def import_rows(
        study: str,
        rows: list[dict[str, str]],
        mapping: dict[str, str] | None = None,
        answers: dict[str, str] | None = None,
    ) -> dict[str, Any]:
        return dict(client.study(study).import_table(rows, mapping=mapping, answers=answers, progress=False))

    def choose_metrics(study: str, metrics: list[str]) -> dict[str, Any]:
        return dict(client.study(study).choose_metrics(*metrics))

    def draft_campaign(
        study: str, name: str, task_type: str, direction: str = "", guideline: str = "", overlap: int = 1
    ) -> dict[str, Any]:
        chosen = {"direction": direction, "guideline": guideline}
        fields = {key: one for key, one in chosen.items() if one}
        made = client.study(study).create_campaign(name, task_type, overlap=overlap, planned=True, **fields)
        return {"campaign": dict(made.data)}

    new: dict[str, dict[str, Any]] = {"title": TEXT, "styles": TEXTS, "language": TEXT, "description": TEXT}
    table: dict[str, dict[str, Any]] = {
        "rows": {"type": "array", "items": {"type": "object"}, "description": "Texts by the names of their columns."},
        "mapping": {"type": "object", "description": "By column: source, reference, output: NAME; else it is guessed."},
        "answers": {"type": "object", "description": "Answers to the questions of an import, by their names."},
    }
    metrics: dict[str, dict[str, Any]] = {**STUDY, "metrics": TEXTS}
    plan: dict[str, dict[str, Any]] = {
        "name": TEXT,
        "task_type": TEXT,
        "direction": TEXT,
        "guideline": TEXT,
        "overlap": {"type": "integer"},
    }
    return [
        Tool(
            "create_study", "A new study, seen by its maker alone; the first style is rewritten into the second.",
            create_study, new, ("title", "styles"), writes=True,
        ),
        Tool(
            "import_rows", "Bring rows of texts into a study: all of them, or none, with the questions that are open.",
            import_rows, {**STUDY, **table}, ("study", "rows"), writes=True,
        ),
        Tool(
            "choose_metrics", "Choose the metrics of the report.", choose_metrics, metrics, tuple(metrics), writes=True
        ),
        Tool(
            "draft_campaign", "Plan a campaign, such as rewrite, rate or rank. A person opens it on its page.",
            draft_campaign, {**STUDY, **plan}, ("study", "name", "task_type"), writes=True,
        ),
    ]  # fmt: skip


def _open_to_assistants(study: Study) -> Study:
    """The study, unless its texts may go to no service outside of the site."""
    data = study.data
    if data["restricted"] or data["terms_version"] or data["required_credentials"]:
        raise RestyleError(f"The texts of {study.slug} are restricted or have terms of use: they go to no assistant.")
    return study


def _boards(report: Mapping[str, Any]) -> dict[str, Any]:
    """The systems in their order on each criterion, each with its cluster."""
    boards = report["leaderboard"]["criteria"]
    keys = ("system", "value", "low", "high", "place", "cluster")
    return {name: [{key: row[key] for key in keys} for row in board["rows"]] for name, board in boards.items()}
