"""/metrics, as Prometheus reads it: off unless somebody is let in, and one count of all processes of a web server."""

import os
import re
import urllib.request
from datetime import UTC, datetime, timedelta

import pytest
import redis
import yaml
from django.test import Client, override_settings
from django.utils import timezone
from support import campaigns as make

from foundation.project import ROOT
from health import prometheus
from jobs import workers
from jobs.models import Job

pytestmark = pytest.mark.django_db
TOKEN = "a-long-word"


@pytest.fixture(autouse=True)
def there(embedded_servers, settings, tmp_path, monkeypatch):
    """Redis, where no worker has given a sign, and a folder to count in."""
    monkeypatch.setattr(prometheus, "folder", lambda: tmp_path)
    with redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
        client.delete(workers.KEY)
        yield client
        client.delete(workers.KEY)


def told(**headers):
    """The samples, by their name and labels."""
    answer = Client().get("/metrics", headers=headers or {"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    return samples(answer.content.decode())


def samples(text):
    found = re.findall(r"^(\w+)(\{.*\})? (\S+)$", text, re.MULTILINE)
    return {name + labels: float(value) for name, labels, value in found}


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer "}, {"Authorization": f"Bearer {TOKEN}"}])
def test_nobody_is_told_where_they_are_off(headers):
    assert Client().get("/metrics", headers=headers).status_code == 404


@override_settings(METRICS_TOKEN=TOKEN)
@pytest.mark.parametrize("word", ["", "Bearer", "Bearer another", f"Token {TOKEN}", f"Bearer {TOKEN}x", "Bearer é"])
def test_who_has_not_the_token_is_told_nothing(word):
    assert Client().get("/metrics", headers={"Authorization": word}).status_code == 404


@override_settings(METRICS_FROM=["10.0.0.0/8", "192.0.2.7", "fd00::/8"])
@pytest.mark.parametrize(
    ("address", "status"), [("10.9.8.7", 200), ("192.0.2.7", 200), ("fd00::1", 200), ("192.0.2.8", 404), ("", 404)]
)
def test_addresses_can_be_let_in(address, status):
    assert Client(REMOTE_ADDR=address).get("/metrics").status_code == status


@override_settings(METRICS_FROM=["10.0.0.0/8"])
def test_nobody_forges_an_address():
    answer = Client(REMOTE_ADDR="203.0.113.5").get("/metrics", headers={"X-Forwarded-For": "10.1.1.1"})
    assert answer.status_code == 404


@pytest.mark.django_db(transaction=True)
@override_settings(METRICS_TOKEN=TOKEN)
def test_jobs_queues_workers_and_answers(there):
    study = make.study()
    before = told()["restyle_answers_total"]
    campaign, person = make.campaign(study), make.person(study=study)
    make.hand_in(campaign, person, make.held(campaign, person))
    long_ago = timezone.now() - timedelta(minutes=10)
    for state in ("queued", "failed", "failed"):
        Job.objects.create(task="t", queue="gpu", title="W", state=state, study_slug=study.slug, queued_at=long_ago)
    workers.report_alive(there, workers.liveness_report("a@b", ["gpu", "serve"], datetime.now(UTC)))
    there.rpush("serve", "one", "two")
    found = told()
    assert found['restyle_jobs{queue="gpu",state="queued"}'] == 1
    assert found['restyle_jobs{queue="gpu",state="failed"}'] == 2
    assert 600 <= found['restyle_queue_oldest_seconds{queue="gpu"}'] < 2000
    assert found['restyle_queue_oldest_seconds{queue="metrics"}'] == 0
    assert found['restyle_queue_workers{queue="serve"}'] == 1
    assert found['restyle_queue_workers{queue="default"}'] == 0
    assert found['restyle_queue_messages{queue="serve"}'] == 2
    assert found["restyle_answers_total"] == before + 1
    assert found["restyle_database_bytes"] > 1_000_000
    assert all(found[f'restyle_up{{part="{part}"}}'] == 1 for part in ("database", "redis", "storage"))


@override_settings(METRICS_TOKEN=TOKEN)
def test_what_does_not_answer_is_down_and_the_rest_is_told(monkeypatch):
    def away():
        raise redis.ConnectionError

    monkeypatch.setattr(prometheus, "workers", away)
    found = told()
    assert (found['restyle_up{part="redis"}'], found['restyle_up{part="database"}']) == (0, 1)
    assert "restyle_database_bytes" in found
    assert not [name for name in found if name.startswith("restyle_queue_workers")]


def test_alerts_name_metrics_and_labels_that_are_there(web_server):
    """The example rules: each metric of each expression is on the page of a web server."""
    groups = yaml.safe_load((ROOT / "docs" / "deploy" / "prometheus-rules.yml").read_text())["groups"]
    rules = [rule for group in groups for rule in group["rules"]]
    request = urllib.request.Request(f"{web_server.url}/metrics", headers={"Authorization": "Bearer of-the-tests"})
    with urllib.request.urlopen(request) as answer:
        there = samples(answer.read().decode())
    names = {name.partition("{")[0] for name in there}
    labels = {label for name in there for label in re.findall(r"(\w+)=", name)} | {"instance", "state"}
    for rule in rules:
        wanted = set(re.findall(r"\brestyle_\w+", rule["expr"]))
        assert wanted, rule["alert"]
        assert wanted - {"restyle_jobs"} <= names, rule["alert"]  # of which a site without jobs has none
        said = rule["annotations"]["summary"]
        assert set(re.findall(r"\$labels\.(\w+)", said)) <= set(re.findall(r"by \((\w+)\)", rule["expr"])) <= labels


def test_the_processes_of_a_web_server_count_together(web_server):
    """Each of its two processes tells the requests that all of them answered."""

    def counted():
        request = urllib.request.Request(f"{web_server.url}/metrics", headers={"Authorization": "Bearer of-the-tests"})
        with urllib.request.urlopen(request) as answer:
            found = samples(answer.read().decode())
        return {name: value for name, value in found.items() if 'method="GET"' in name}

    live, took = 'restyle_requests_total{method="GET",status="200"}', 'restyle_request_seconds_count{method="GET"}'
    before = counted()
    for _ in range(20):
        urllib.request.urlopen(f"{web_server.url}/health/live").close()
    for number in range(1, 9):  # whichever process answers
        now = counted()
        assert now[live] - before.get(live, 0) == 20 + number
        assert now[took] - before.get(took, 0) == 20 + number
