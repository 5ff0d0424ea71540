"""What the tests stand on: the embedded servers in a throw-away folder, real workers, a real web server, a browser.

The settings are read after this file, so the servers are named here first; they are started by the first test that
needs them. Each process of a parallel run has a database of its own on the one PostgreSQL, and a Redis database.
"""

import gc
import os
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import hypothesis
import pytest
from hypothesis.internal import charmap
from hypothesis.internal.conjecture import providers
from pytest_django import DjangoDbBlocker
from support.chromium import NO_CHROMIUM, Chromium, find_chromium
from support.costs import Costs
from support.drawn_characters import intervals_of
from support.language_model_server import shared_environment
from support.order import OrderOfTheSuite, slow_first
from support.passwords import CHEAP
from support.processes import WebServer, Workers, redis_database
from support.receivers import shared_crowd_site
from support.template_database import migrated_once

from embedded import missing_urls, name_servers, servers

TESTS = Path(__file__).parent
PROCESS = os.environ.get("PYTEST_XDIST_WORKER", "")  # 'gw0', 'gw1' ... in a parallel run
AS_CONFIGURED: dict[str, Any] = {}  # the site's storages
NEEDS_DATABASE = {"db", "transactional_db", "django_db_setup", "web_server", "celery_workers"}
# By these pytest-django asks each test whether it has a mark, a live server or a class: a third of a quick test's time.
ONLY_WITH = {
    "_django_db_marker": "django_db",
    "_django_set_urlconf": "urls",
    "_django_isolate_apps": "django_isolate_apps",
    "_template_string_if_invalid_marker": "ignore_template_errors",
    "_django_setup_unittest": "of a class",
    "_live_server_helper": "live_server",
    "_django_clear_site_cache": "django.contrib.sites",
}

if not PROCESS:
    os.environ["RESTYLE_DATA"] = tempfile.mkdtemp(prefix="restyle-tests-")
    os.environ["RESTYLE_TESTS_SERVE"] = ",".join(missing_urls())
DATA = Path(os.environ["RESTYLE_DATA"])
MODELS = DATA / f"models{PROCESS}"  # of this process and its workers; `models_folder` makes it
(DATA / "static").mkdir(exist_ok=True)  # WhiteNoise warns at every client where it is missing
SERVED = [name for name in os.environ["RESTYLE_TESTS_SERVE"].split(",") if name]
name_servers(DATA)
if PROCESS:
    os.environ["REDIS_URL"] = redis_database(os.environ["REDIS_URL"], int(PROCESS.removeprefix("gw")) + 1)
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
os.environ.setdefault("OMP_NUM_THREADS", "1")  # the processes of the run share the cores; more threads only wait
os.environ.setdefault("RESTYLE_WORKER_MEMORY", "0")  # a worker that keeps what it imported is quicker
# An example is slow where the machine is busy, or where it is the first to load something: no fault of its own.
# `make test` has the same examples each time; the soak has others.
hypothesis.settings.register_profile("restyle", deadline=None, derandomize=True, max_examples=15)
hypothesis.settings.register_profile("soak", deadline=None, max_examples=200)
hypothesis.settings.load_profile("restyle")


def pytest_configure(config: pytest.Config) -> None:
    """Read the settings now; pytest-django then makes the apps ready. Measure what tests cost."""
    from django.conf import settings
    from support.quick_client import make_clients_quick

    gc.disable()  # what is collected lives to the end: nothing of it is worth looking through

    config.pluginmanager.register(Costs())
    if config.option.markexpr == "soak":
        hypothesis.settings.load_profile("soak")
    else:
        # Hypothesis draws numbers and texts of this project's modules too, as far as the process has imported them: the
        # examples were not the same each time, and each process of a fresh clone read all modules for four seconds.
        none = providers.Constants()
        providers._get_local_constants = lambda: none
    charmap.intervals_from_codec = intervals_of  # looks through each character: three seconds of each fresh clone

    if settings.configured:
        raise pytest.UsageError("The settings were read before the servers were named: unset DJANGO_SETTINGS_MODULE.")
    AS_CONFIGURED.update(settings.STORAGES)
    # Cheap passwords, and unhashed static files for all tests but those beside a web server.
    settings.PASSWORD_HASHERS = CHEAP
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    make_clients_quick()
    settings.WHITENOISE_AUTOREFRESH = True  # else each test client reads through all files that were collected


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """What `-n auto` means: one a core, and one more where tests wait: for a browser, workers, or what was killed.

    With one a core a quarter of the processors' time went by unused. Who asks for tests/unit alone waits for nothing,
    and a further process would only read all tests once more.
    """
    waits = not all(Path(one).resolve().is_relative_to(TESTS / "unit") for one in config.args)
    return len(os.sched_getaffinity(0)) + waits


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> OrderOfTheSuite:
    return OrderOfTheSuite(config, log)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> Iterator[None]:
    """Before a parallel run starts its processes: they inherit this name, and would read the settings too early.

    While they read the tests, this one writes Hypothesis's table of characters: else each would.
    """
    parallel = session.config.getoption("numprocesses", None)
    if parallel:
        os.environ.pop("DJANGO_SETTINGS_MODULE", None)
    yield
    if parallel:
        hypothesis.strategies.text().validate()


def pytest_unconfigure() -> None:
    if not PROCESS:
        shutil.rmtree(DATA, ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[pytest.CollectReport]:
    """Each process of a parallel run reads the files in an order of its own: most were compiled by another one."""
    report = yield
    if PROCESS and isinstance(collector, pytest.Directory):
        report.result.sort(key=lambda node: zlib.crc32(f"{PROCESS} {node.nodeid}".encode()))
    return report


def pytest_collection_finish() -> None:
    gc.enable()
    gc.set_threshold(100_000, 20, 20)  # by itself it looks through the trees of a thousand modules again and again
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[object]:
    """Behind each file its garbage goes, and what stays is not looked through again.

    By its thresholds alone the collector left so much that a process held 1.7 GB at the end of the suite.
    """
    done = yield
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()
    return done


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Unit tests have no database; browser tests say that they are; the soak has drawn examples, and more of them.

    What takes long begins first.
    """
    for item in items:
        room = item.path.relative_to(TESTS).parts[0]
        marks = {mark.name for mark in item.iter_markers()}
        fixtures = set(getattr(item, "fixturenames", ()))
        if fixtures:
            asked = marks | fixtures | ({"of a class"} if item.cls else set())
            item.fixturenames = [name for name in item.fixturenames if ONLY_WITH.get(name, name) in asked]
        if room == "unit" and ("django_db" in marks or fixtures & NEEDS_DATABASE):
            raise pytest.UsageError(f"{item.nodeid} asks for the database: a unit test has none.")
        if hypothesis.settings.default.max_examples > 100 and hypothesis.is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker("soak")
        if room == "browser":
            item.add_marker("browser")
        if fixtures & {"web_server", "celery_workers"}:
            item.add_marker("workers")
        # Ahead of its own fixtures, so that they end behind those; most tests need neither, and are short.
        if "web_server" in fixtures:
            item.fixturenames.insert(0, "settings_of_the_web_server")
        if "django_db" in marks or fixtures & {*NEEDS_DATABASE, "embedded_servers"}:
            item.fixturenames.insert(0, "empty_redis")
    if PROCESS:
        items[:] = slow_first(items)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line that browser tests did not run."""
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if NO_CHROMIUM in str(report.longrepr)]
    if skipped:
        terminalreporter.write_line(f"{len(skipped)} browser tests did not run: {NO_CHROMIUM}.", yellow=True)


@pytest.fixture(scope="session")
def embedded_servers() -> Iterator[None]:
    """PostgreSQL and Redis, shared by all processes of the run; the last to leave stops them."""
    with servers(DATA, wanted=SERVED, durable=False):
        yield


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, embedded_servers: None, django_db_blocker: DjangoDbBlocker
) -> None:
    """Start the servers before the test database is made, and stop them after it is gone."""
    from django.db import connection
    from django.test import TransactionTestCase
    from support.emptying import empty_database

    TransactionTestCase._fixture_teardown = lambda self: empty_database()
    if "DATABASE_URL" in SERVED:
        with django_db_blocker.unblock():
            connection.settings_dict["TEST"]["TEMPLATE"] = migrated_once(DATA)


@pytest.fixture(scope="session")
def django_db_keepdb(request: pytest.FixtureRequest) -> bool:
    """A server that goes with the run takes the test databases along: to drop each took a second."""
    return "DATABASE_URL" in SERVED or bool(request.config.getvalue("reuse_db"))


@pytest.fixture(scope="module")
def kept_for_the_file(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """What a fixture of a whole file writes stays until its last test; each test works on it within a savepoint.

    Not for a file that has a test which commits. Tests read the rows anew, as another one may have changed its objects.
    """
    from django.db import transaction

    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def settings_of_the_web_server(django_test_environment: None, settings: Any) -> None:
    """Beside a web server, which has the static files that were collected.

    After the settings of all tests: else these would end with the first test.
    """
    settings.STORAGES = dict(AS_CONFIGURED)


@pytest.fixture
def empty_redis() -> Iterator[None]:
    """No test finds the cached values or the waiting messages of the one before."""
    yield
    client, waiting = _redis_and_queues()
    # Not everything: Celery keeps there which queues exist, and running workers declare them only once.
    client.delete(*client.scan_iter(":*"), *waiting)


@cache
def _redis_and_queues() -> tuple[Any, list[str]]:
    """One connection for all tests of the process: to make it took longer than what it is asked."""
    import redis

    from jobs.priorities import lists_of
    from jobs.queues import QUEUES

    return redis.Redis.from_url(os.environ["REDIS_URL"]), [one for queue in QUEUES for one in lists_of(queue)]


@pytest.fixture(scope="session")
def _processes_environment(django_db_setup: None) -> dict[str, str]:
    """The environment of real processes beside the tests: the test database, and a sweep that loses no time."""
    from django.db import connection

    database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    quick = {
        "RESTYLE_HEARTBEAT_SECONDS": "0.5",
        "RESTYLE_LOST_AFTER_SECONDS": "3",
        "RESTYLE_CHECKPOINT_UPLOAD_SECONDS": "0",
        "RESTYLE_METRICS_TOKEN": "of-the-tests",
        "RESTYLE_MODELS": str(MODELS),
        **shared_environment(),
        **shared_crowd_site(),
    }
    return {**os.environ, **quick, "DATABASE_URL": database.geturl(), "PYTHONPATH": os.pathsep.join(_sources())}


def _sources() -> list[str]:
    return [str(TESTS.parent), str(TESTS.parent / "platform"), str(TESTS)]


@pytest.fixture(scope="session")
def _web_server(_processes_environment: dict[str, str]) -> Iterator[WebServer]:
    paths = os.pathsep.join([str(TESTS / "support" / "a_web_without_models"), *_sources()])
    server = WebServer(DATA, {**_processes_environment, "PYTHONPATH": paths}, PROCESS)
    yield server
    server.stop()


@pytest.fixture
def web_server(_web_server: WebServer, transactional_db: None) -> WebServer:
    """A real web server on the test database; `web_server.url` is its address."""
    _web_server.ensure_up()
    return _web_server


@pytest.fixture(scope="session")
def _workers(_processes_environment: dict[str, str]) -> Iterator[Workers]:
    workers = Workers(DATA, _processes_environment, PROCESS)
    yield workers
    workers.stop()


@pytest.fixture
def celery_workers(_workers: Workers, transactional_db: None) -> Iterator[Workers]:
    """Real Celery workers on the test database: `worker` (queues default and metrics), `quick` and `gpu`."""
    _workers.ensure_up()
    yield _workers
    _workers.finish()


@pytest.fixture
def serve_worker(celery_workers: Workers) -> Iterator[Workers]:
    """The workers, with the one of the queue `serve`, where typed sentences are answered."""
    celery_workers.also("serve")
    yield celery_workers
    celery_workers.without("serve")


@pytest.fixture
def models_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder that RESTYLE_MODELS names, here and in the real processes; it is gone behind the test."""
    MODELS.mkdir(exist_ok=True)
    monkeypatch.setenv("RESTYLE_MODELS", str(MODELS))
    yield MODELS
    shutil.rmtree(MODELS, ignore_errors=True)


@pytest.fixture
def watchdog(celery_workers: Workers) -> Iterator[None]:
    """The watchdog of the workers, which sweeps too."""
    celery_workers.start_watchdog()
    yield
    celery_workers.stop_watchdog()


@pytest.fixture(scope="session")
def _chromium() -> Iterator[Chromium]:
    path = find_chromium()
    if path is None:
        (pytest.fail if os.environ.get("REQUIRE_BROWSER") == "1" else pytest.skip)(NO_CHROMIUM)
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = (
        "true"  # Playwright runs a loop in this thread; the ORM takes it for async
    )
    with Chromium(path) as chromium:
        yield chromium


@pytest.fixture
def new_page(_chromium: Chromium, web_server: WebServer) -> Iterator[Callable]:
    """`new_page()` opens a page in a browser profile of its own: one for each person of a test."""
    with _chromium.profiles(web_server.url, keeps=True) as open_page:
        yield open_page


@pytest.fixture
def new_profile(_chromium: Chromium, web_server: WebServer) -> Iterator[Callable]:
    """As `new_page`, in a profile that has fetched nothing yet: where a test looks at how a page comes in."""
    with _chromium.profiles(web_server.url) as open_page:
        yield open_page


@pytest.fixture
def page(new_page: Callable):
    """One page of a real browser, at the address of a real web server."""
    return new_page()
