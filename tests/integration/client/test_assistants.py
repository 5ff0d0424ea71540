"""`restyle mcp` on a real site: a session over stdin and stdout, as an assistant's program holds it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import jsonschema
import pytest
from factories.whole_study import person
from support.processes import WebServer

from accounts.actions.make_token import make_token
from accounts.models import ApiToken, Person
from annotation.models import Campaign
from corpora.models import Sentence, Study
from foundation.project import ROOT

READS = {"list_studies", "read_study", "read_texts", "read_report", "read_campaign", "list_jobs"}
DRAFTS = {"create_study", "import_rows", "choose_metrics", "draft_campaign"}
ROWS = [{"informal": "u ok?", "formal": "Are you well?", "Rules": "Are you okay?"}]


class Session:
    """One line asks, one line answers."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process, self.number = process, 0

    def ask(self, method: str, **given: Any) -> dict[str, Any]:
        self.number += 1
        self.tell({"jsonrpc": "2.0", "id": self.number, "method": method, "params": given})
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert (answer["jsonrpc"], answer["id"]) == ("2.0", self.number)
        return answer

    def tell(self, message: Any) -> None:
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def call(self, tool: str, /, **given: Any) -> dict[str, Any]:
        result: dict[str, Any] = self.ask("tools/call", name=tool, arguments=given)["result"]
        return result


@pytest.fixture
def lead(web_server: WebServer) -> Person:
    return person("researcher")


@contextmanager
def session(site: WebServer, lead: Person, *options: str) -> Iterator[Session]:
    _, secret = make_token(person=lead, name="assistant", scopes=ApiToken.Scope.values, days=1)
    known = {"RESTYLE_URL": site.url, "RESTYLE_TOKEN": secret, "PYTHONPATH": str(ROOT / "client")}
    line = [sys.executable, "-m", "restyle", "mcp", *options]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(line, env={**os.environ, **known}, **pipes) as process:
        begun = Session(process)
        said = begun.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "test"})
        assert said["result"]["protocolVersion"] == "2025-11-25"
        begun.tell({"jsonrpc": "2.0", "method": "notifications/initialized"})
        yield begun
        process.stdin.close()
        assert process.wait(20) == 0


def test_an_assistant_reads_and_only_with_leave_drafts(web_server: WebServer, lead: Person) -> None:
    with session(web_server, lead, "--write") as drafting:
        tools = {tool["name"]: tool for tool in drafting.ask("tools/list")["result"]["tools"]}
        assert set(tools) == READS | DRAFTS
        assert {name for name, tool in tools.items() if tool["annotations"]["readOnlyHint"]} == READS
        for tool in tools.values():
            jsonschema.Draft202012Validator.check_schema(tool["inputSchema"])
        made = drafting.call("create_study", title="Tone", styles=["informal", "formal"], language="en")
        assert made["structuredContent"]["study"]["slug"] == "tone"
        brought = drafting.call("import_rows", study="tone", rows=ROWS)["structuredContent"]
        assert brought["mapping"] == {"informal": "source", "formal": "reference: formal", "Rules": "output: Rules"}
        assert drafting.call("import_rows", study="tone", rows=ROWS)["isError"]
        drafting.call("draft_campaign", study="tone", name="Rewrite", task_type="rewrite", direction="informal-formal")
    assert [text.text for text in Sentence.objects.all()] == ["u ok?"]
    assert [campaign.state for campaign in Campaign.objects.all()] == [Campaign.State.DRAFT]
    with session(web_server, lead) as reading:
        assert {tool["name"] for tool in reading.ask("tools/list")["result"]["tools"]} == READS
        assert "There is no tool 'create_study'" in reading.ask("tools/call", name="create_study")["error"]["message"]
        texts = reading.call("read_texts", study="tone")["structuredContent"]["texts"]
        assert [(one["text"], one["references"], one["outputs"]) for one in texts] == [
            ("u ok?", ["Are you well?"], {"Rules": "Are you okay?"})
        ]
        Study.objects.update(restricted=True)
        refused = reading.call("read_texts", study="tone")
        assert refused["isError"]
        assert "they go to no assistant" in refused["content"][0]["text"]
        read = reading.call("read_study", study="tone")["structuredContent"]
        assert [one["name"] for one in read["systems"]] == ["Rules"]
        assert reading.call("read_report", study="nothing")["content"][0]["text"] == "There is no such study."
