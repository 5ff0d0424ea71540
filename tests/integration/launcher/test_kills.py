"""A site whose PostgreSQL, Redis, web worker and job workers are killed with -9, while people work and jobs run.

When something is killed is no luck: people may hand in so many answers a stage, and jobs wait at gates.
"""

import pytest
from support.crew import Crew
from support.folders import data_folder
from support.gates import OPEN, waits_at_all
from support.own_site import Site
from support.processes import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.workers, pytest.mark.soak]

A_STAGE, BEFORE = 60, 20  # answers that people may hand in, and after how many of them something is killed
PATIENCE = 240  # seconds: a worker imports PyTorch


@pytest.fixture
def site():
    with data_folder("killed") as folder:
        site = Site(folder)
        try:
            site.start()
            yield site
        finally:
            site.end()


def test_nothing_is_lost_or_doubled_whatever_is_killed(site):
    prepared = site.script("prepare")
    crew, jobs = Crew(site, prepared), prepared["jobs"]
    kills = [
        lambda: (site.kill_web_worker(), site.launcher.kill_server("postgres")),
        lambda: site.launcher.kill_server("redis-server"),
        site.kill_workers_of_models,
    ]
    with crew.at_work():
        for stage, kill in enumerate(kills):
            gates = [100 + stage, 200 + stage]
            wait_until(lambda at=gates: site.ask(waits_or_over, at, jobs), f"Not both jobs came to {gates}", PATIENCE)
            before = crew.allowed
            crew.allow(A_STAGE)
            crew.wait_for(before + BEFORE)
            kill()
            crew.wait_for(before + A_STAGE)
            wait_until(lambda at=gates: site.ask(opened, at), "The gates were not opened")
        wait_until(lambda: site.ask(are_over, jobs), "The jobs did not end", PATIENCE)

    assert site.launcher.process.poll() is None
    assert set().union(*(person.statuses for person in crew.people.values())) <= {200, 201, 503}
    found = site.script("look", {key: one.acknowledged for key, one in crew.people.items()})
    for what, (is_there, is_to_be) in found.items():
        assert is_there == is_to_be, what


def opened(database, gates) -> bool:
    database.execute(OPEN, [gates])
    return True


def waits_or_over(database, gates, jobs) -> bool:
    """A job that failed comes to no gate: what became of it is looked at in the end."""
    return waits_at_all(database, gates) or are_over(database, jobs)


def are_over(database, jobs) -> bool:
    return not database.execute(
        "SELECT 1 FROM jobs_job WHERE id = ANY(%s) AND state IN ('queued', 'running')", [jobs]
    ).fetchall()
