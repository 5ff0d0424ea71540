"""From a CSV file to the report on a real site: the eight lines of docs/client.md, and its lines of a shell."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from factories.whole_study import person
from support.broken_server import losing_answers
from support.event_loops import run_apart
from support.processes import WebServer, Workers

import restyle
from accounts.actions.make_token import make_token
from accounts.models import ApiToken, Person
from corpora.models import Sentence, Study
from foundation.project import ROOT
from jobs.models import Job

PAGE = (ROOT / "docs" / "client.md").read_text(encoding="utf-8").split("## From a table")[1].split("\n## ")[0]
TABLE = """\
informal,formal,Rules,Copy
gotta go now,I have to go now.,I have to go now.,gotta go now
u ok?,Are you all right?,Are you okay?,u ok?
thx a lot,Thank you very much.,Thanks a lot.,thx a lot
"""


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def lead(web_server: WebServer) -> Person:
    return person("researcher")


@pytest.fixture
def site(web_server: WebServer, lead: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WebServer:
    """A folder with `outputs.csv`, and a token in the environment."""
    _, secret = make_token(person=lead, name="test", scopes=ApiToken.Scope.values, days=1)
    (tmp_path / "outputs.csv").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    for name, value in {
        "RESTYLE_URL": web_server.url,
        "RESTYLE_TOKEN": secret,
        "XDG_CONFIG_HOME": str(tmp_path),
    }.items():
        monkeypatch.setenv(name, value)
    return web_server


def typed(line: str, said: str = "") -> "subprocess.CompletedProcess[str]":
    """A line of a shell."""
    words = shlex.split(line)
    assert words[0] == "restyle"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "client")}
    return subprocess.run(
        [sys.executable, "-m", *words], env=environment, capture_output=True, text=True, input=said, check=False
    )


def test_eight_lines_go_from_a_table_to_the_report(site: WebServer, celery_workers: Workers) -> None:
    lines = block("python").replace("report.to_pandas()", "report.scores")  # pandas is no package of the tests
    assert len([line for line in lines.splitlines() if line.strip()]) <= 8
    made: dict[str, Any] = {}
    exec(lines, made)  # noqa: S102 (it is the page that is tested)
    scores = {(one["system"], one["measure"]): one["value"] for one in made["report"].scores}
    assert set(scores) == {(system, measure) for system in ("Rules", "Copy") for measure in ("bleu", "chrf")}
    assert scores["Rules", "chrf"] > scores["Copy", "chrf"] > 0
    assert scores["Copy", "bleu"] == 0
    runs = Job.objects.count()
    assert made["study"].report().out_of_date is False
    assert Job.objects.count() == runs  # nothing has changed, so nothing is computed again
    rows = list(made["study"].export("outputs").rows())
    assert [(row["system"], row["text"]) for row in rows[:2]] == [
        ("Rules", "I have to go now."),
        ("Copy", "gotta go now"),
    ]
    assert run_apart(_systems(made["study"].slug)) == {"Rules": 3, "Copy": 3}


async def _systems(slug: str) -> dict[str, int]:
    """The number of each system's outputs, by the async client."""
    async with restyle.AsyncClient() as client:
        study = await client.study(slug)
        return {one.name: len([row async for row in one.outputs()]) for one in await study.systems()}


def test_the_command_goes_from_a_table_to_the_report(site: WebServer, celery_workers: Workers, tmp_path: Path) -> None:
    secret, url = os.environ.pop("RESTYLE_TOKEN"), os.environ.pop("RESTYLE_URL")
    assert typed("restyle studies").returncode == 3
    assert typed(f"restyle login {url}", "no-token-of-this-site\n").returncode == 3
    assert typed(f"restyle login {url}", f"{secret}\n").returncode == 0
    said = [typed(line) for line in block("sh").splitlines()]
    assert [one.returncode for one in said] == [0, 0], [one.stderr for one in said]
    assert [line.split()[0] for line in said[1].stdout.splitlines()] == ["system", "------", "Rules", "Copy"]
    again = typed("restyle import outputs.csv tone")
    assert (again.returncode, again.stdout) == (6, "")
    assert "Answer 'there' with 'match'" in again.stderr
    ran = typed("restyle run tone rule_based_formality --name Hand")
    assert (ran.returncode, ran.stdout) == (0, "Hand: 3 outputs\n"), ran.stderr
    assert typed("restyle export tone outputs --format jsonl --to all.jsonl").returncode == 0
    rows = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    assert {row["system"] for row in rows} == {"Rules", "Copy", "Hand"}
    assert typed("restyle watch tone").stdout == "No job is unfinished.\n"


def test_an_answer_that_is_lost_makes_nothing_twice(site: WebServer, lead: Person) -> None:
    patience = restyle.Patience(first_wait=0.001)
    with (
        losing_answers(site.url, lost=2) as (url, asked),
        restyle.Client(url, patience=patience, token=os.environ["RESTYLE_TOKEN"]) as client,
    ):
        study = client.create_study("Tone", ["informal", "formal"])
    assert asked == ["POST /api/studies/"] * 3 + ["POST /api/studies/tone/directions/"]
    assert study.slug == "tone"
    assert Study.objects.filter(slug="tone").count() == 1


def test_an_odd_file_is_one_sentence(site: WebServer, tmp_path: Path) -> None:
    with restyle.Client() as client:
        study = client.create_study("Tone", ["informal", "formal"])
        (tmp_path / "page.csv").write_text("<!DOCTYPE html><html><body>Sign in</body></html>")
        with pytest.raises(restyle.Refused, match="this is an HTML page"):
            study.import_table("page.csv")
        with pytest.raises(restyle.NotFound, match="no system 'Rules'; it has none"):
            study.system("Rules")
        looked = study.import_table([{"informal": "u ok?", "formal": "Are you well?"}], dry_run=True)
        assert looked["mapping"] == {"informal": "source", "formal": "reference: formal"}
        assert not Sentence.objects.exists()
