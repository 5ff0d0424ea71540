"""The client before servers that die, are slow, or are none: tries again where that is safe, one sentence where not."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.broken_server import Step, answers, breaks_off, broken_server, dies, is_silent
from support.event_loops import run_apart

import restyle
from restyle import AsyncClient, Client, Patience

QUICK = Patience(connect=1, answer=0.1, tries=3, first_wait=0.001)
ME = json.dumps({"email": "lead@example.org"})
BUSY = answers('{"detail": "Too many."}', "429 Too Many Requests", headers="X-Restyle: 1\r\nRetry-After: 0\r\n")
PROXY = answers("<h1>Bad gateway</h1>", "502 Bad Gateway", "text/html", headers="")


def asking(url: str) -> Client:
    return Client(url, "secret", patience=QUICK)


def sync_me(url: str) -> Any:
    with asking(url) as client:
        return client.post("me/", {"name": "A"})


def async_me(url: str) -> Any:
    async def ask() -> Any:
        async with AsyncClient(url, "secret", patience=QUICK) as client:
            return await client.post("me/", {"name": "A"})

    return run_apart(ask())


@pytest.mark.parametrize("ask", [sync_me, async_me])
@pytest.mark.parametrize(
    "fault", [dies, is_silent, breaks_off(ME, 5), BUSY, PROXY], ids=["dies", "silent", "half", "429", "502"]
)
def test_a_write_is_sent_again_with_the_same_key(ask: Callable[[str], Any], fault: Step) -> None:
    with broken_server(fault, answers(ME)) as server:
        assert ask(server.url) == json.loads(ME)
    assert len(server.asked) == 2
    assert len(set(server.keys())) == 1


def test_a_file_is_sent_whole_at_each_try(tmp_path: Path) -> None:
    (tmp_path / "texts.csv").write_text("source\nu ok?\n")
    with broken_server(dies, answers(ME)) as server, asking(server.url) as client:
        client.post("x/", {"target": "texts", "answers": {"there": "match"}}, files={"file": tmp_path / "texts.csv"})
    assert all("source\nu ok?\n" in one and '{"there": "match"}' in one for one in server.asked)


AWAY = answers('{"detail": "Database away."}', "503 Service Unavailable")
OTHER = answers("<html>", kind="text/html", headers="")
MOVED = answers("", "301 Moved", headers="Location: https://new.example.org/\r\n")
TAKEN = answers('{"detail": "slug: taken", "fields": {"slug": ["taken"]}}', "400 Bad Request")


@pytest.mark.parametrize(("steps", "kind", "sentence"), [
    ([dies] * 3, restyle.NoAnswer, "The connection to {url} was lost before its answer was whole"),
    ([is_silent] * 3, restyle.NoAnswer, "{url} did not answer within 0.1 seconds."),
    ([PROXY] * 3, restyle.SiteFailed, "{url} is not up: 502 Bad Gateway."),
    ([AWAY] * 3, restyle.SiteFailed, "{url} failed: Database away."),
    ([OTHER], restyle.NotRestyle, "{url} is not a Restyle site: it answers with text/html"),
    ([MOVED], restyle.NotRestyle, "{url} sends on to https://new"),
    ([answers('{"detail": "No."}', "401 Unauthorized")], restyle.WrongToken, "No."),
    ([answers('{"detail": "No."}', "403 Forbidden")], restyle.NotAllowed, "No."),
    ([TAKEN], restyle.Refused, "slug: taken"),
])  # fmt: skip
def test_a_failure_is_one_sentence(steps: list[Step], kind: type[Exception], sentence: str) -> None:
    with broken_server(*steps) as server, asking(server.url) as client, pytest.raises(kind) as error:
        client.me()
    assert str(error.value).startswith(sentence.format(url=server.url))
    assert len(server.asked) == len(steps)


def test_nobody_at_the_address_is_said() -> None:
    said = r"http://127.0.0.1:1 cannot be reached .* tried 3 times"
    with asking("http://127.0.0.1:1") as client, pytest.raises(restyle.NoAnswer, match=said):
        client.me()


STUDY = {"slug": "tone", "title": "Tone", "styles": ["a", "b"], "language": "en"}
LINES = '{"number": 1}\n{"number": 2}\n'


def test_a_file_that_breaks_off_is_asked_for_again_and_written_whole(tmp_path: Path) -> None:
    (tmp_path / "out.jsonl").write_text("the old one")
    steps = [answers(json.dumps(STUDY)), breaks_off(LINES, 16), answers(LINES)]
    with broken_server(*steps) as server, asking(server.url) as client:
        client.study("tone").export("outputs", "jsonl").save(tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_text() == LINES
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


def test_rows_that_break_off_are_no_end(tmp_path: Path) -> None:
    with broken_server(answers(json.dumps(STUDY)), breaks_off(LINES, 16)) as server, asking(server.url) as client:
        rows = client.study("tone").export("outputs").rows()
        assert next(rows) == {"number": 1}
        with pytest.raises(restyle.NoAnswer, match="ended early"):
            next(rows)


JOB = {"id": 3, "title": "Metrics and report", "done": 1, "total": 1, "error": "", "waits": ""}


def test_a_job_is_waited_for_while_the_site_is_away() -> None:
    steps = [answers(json.dumps(STUDY)), *[dies] * 4, answers(json.dumps({**JOB, "state": "done"}))]
    with broken_server(*steps) as server, asking(server.url) as client:
        seen: list[str] = []
        assert client.study("tone").job(3).wait(lambda job: seen.append(job["state"]))["done"] == 1
    assert seen == ["done"]


def test_a_line_is_no_wider_than_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr("restyle.progress._tqdm", lambda: None)
    steps = [
        json.dumps({**JOB, "state": state, "waits": "The queue has no worker. " * 9}) for state in ("queued", "done")
    ]
    with broken_server(answers(json.dumps(STUDY)), *map(answers, steps)) as server, asking(server.url) as client:
        client.study("tone").job(3).wait(progress=True)
    written = capsys.readouterr().err
    assert max(map(len, written.strip("\n").split("\r"))) < 40
    assert "done" in written


def test_whoever_looks_on_is_told_that_the_site_is_away(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr("restyle.progress._tqdm", lambda: None)
    runs = answers(json.dumps({**JOB, "state": "running"}))
    steps = [answers(json.dumps(STUDY)), runs, *[dies] * 3, answers(json.dumps({**JOB, "state": "done"}))]
    with broken_server(*steps) as server, asking(server.url) as client:
        client.study("tone").job(3).wait(progress=True)
    assert "the site does not answer; still waiting" in capsys.readouterr().err


def test_a_job_that_failed_is_an_error_with_its_reason() -> None:
    failed = {**JOB, "state": "failed", "error": "No memory is left."}
    with broken_server(answers(json.dumps(STUDY)), answers(json.dumps(failed))) as server, asking(server.url) as client:
        job = client.study("tone").job(3)
        with pytest.raises(restyle.JobFailed, match=r"Metrics and report: No memory is left\.") as error:
            job.wait(progress=False)
    assert error.value.job["id"] == 3


def test_pages_are_read_to_the_last() -> None:
    first = answers(json.dumps({"count": 3, "next": "more", "results": [{"id": 1}, {"id": 2}]}))
    last = answers(json.dumps({"count": 3, "next": None, "results": [{"id": 3}]}))
    with broken_server(first, last) as server, asking(server.url) as client:
        assert [row["id"] for row in client.pages("studies/tone/jobs/")] == [1, 2, 3]
    assert "page=1&page_size=500" in server.asked[0]
    assert "page=2&page_size=500" in server.asked[1]


def test_a_path_that_is_no_file_is_said(tmp_path: Path) -> None:
    none = {"file": tmp_path / "none.csv"}
    with asking("127.0.0.1:1") as client, pytest.raises(restyle.RestyleError, match="There is no file"):
        client.post("x/", files=none)
