"""The images' own steps and commands, run in their order in a bare folder by another user, without a container.

Left out is what changes the machine (users, Debian's packages) and what fetches packages: this Python's are used, for
the web server without what only workers have.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

import pytest
from support.image import compose, copy_context, stages
from support.processes import as_loaded, free_port, wait_until

from embedded.folders import server_account
from jobs import workers

pytestmark = [pytest.mark.slow, pytest.mark.workers, pytest.mark.soak]
LEFT_OUT = ("groupadd", "apt-get", "pip install")
SITE = "restyle.example.org"


class Container:
    """A stage, as it would run: its variables, its folders below one of this machine, and another user than ours."""

    def __init__(self, folder, name, environment):
        self.stage, self.folder, self.account = stages()[name], folder, server_account(folder)
        self.srv = folder / "srv" / "restyle"
        made = {**stages()["base"].environment(), **self.stage.environment()}
        self.environment = {**{key: self._here(value) for key, value in made.items()}, **environment}
        self.environment["PATH"] = f"{folder / 'bin'}:/usr/local/bin:/usr/bin:/bin"

    def _here(self, text):
        return text.replace("/srv", str(self.folder / "srv")).replace("/data", str(self.folder / "data"))

    def also_from(self, *paths):
        """Where packages are, beside the code."""
        self.environment["PYTHONPATH"] = os.pathsep.join([*map(str, paths), self.environment["PYTHONPATH"]])

    def start(self, command, **more):
        who = {"user": self.account.uid, "group": self.account.gid, "extra_groups": []} if self.account else {}
        return subprocess.Popen(command, cwd=self.srv, env=self.environment, **who, **more)

    def run(self, command):
        done = self.start(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said, _ = done.communicate()
        return done.returncode, said

    def build(self):
        """The RUN steps of the stage that are left."""
        for step in self.stage.all("RUN"):
            if not any(word in step for word in LEFT_OUT):
                assert self.run(["/bin/sh", "-ec", step]) == (0, "")

    def is_well(self):
        return self.run(self.stage.health_check())[0] == 0


@pytest.fixture(scope="module")
def folder():
    """A bare folder that another user may enter, with the code as it is copied and a data folder of theirs."""
    made = Path(tempfile.mkdtemp(prefix="restyle-image-"))
    made.chmod(0o755)
    for name in ("bin", "srv/restyle", "srv/static", "data"):
        (made / name).mkdir(parents=True)
    copy_context(made / "srv" / "restyle")
    yield made
    shutil.rmtree(made)


@pytest.fixture
def container(folder, _processes_environment, transactional_db, settings):
    """`container("web")`: the stage with compose's variables, on the database and the Redis of the tests."""
    of_servers = {name: _processes_environment[name] for name in ("DATABASE_URL", "REDIS_URL")}
    wanted = compose()["services"]["web"]["environment"]
    given = {name: value for name, value in wanted.items() if "${" not in value and not name.startswith("AWS")}
    given |= {"SECRET_KEY": settings.SECRET_KEY, "ALLOWED_HOSTS": SITE, "CSRF_TRUSTED_ORIGINS": f"https://{SITE}"}
    given |= {"RESTYLE_STORAGE": str(folder / "data" / "files"), "RESTYLE_WEB_WORKERS": "1", **of_servers}

    def make(name):
        made = Container(folder, name, given)
        if made.account:
            for place in ("data", "srv"):
                subprocess.run(["chown", "-R", f"{made.account.uid}:{made.account.gid}", folder / place], check=True)
        _give_python(made)
        return made

    return make


def _give_python(container):
    """A `python` that the other user can start: this one, or the machine's of the same version with our packages."""
    program = container.folder / "bin" / "python"
    container.also_from(Path(pytest.__file__).parents[1])
    for candidate in (sys.executable, "/usr/bin/python3"):
        program.unlink(missing_ok=True)
        program.symlink_to(candidate)
        try:
            status, version = container.run(["python", "-c", "import sys, django, redis; print(sys.version_info[:2])"])
        except PermissionError:
            continue
        if (status, version.strip()) == (0, str(sys.version_info[:2])):
            return
    program.unlink(missing_ok=True)
    program.symlink_to(sys.executable)
    container.account = None  # nobody else can start a Python here


def test_the_web_image_builds_migrates_serves_and_is_well(container, folder):
    web = container("web")
    web.also_from(Path(__file__).parents[2] / "support" / "a_web_without_models")
    web.build()
    assert json.loads((folder / "srv" / "static" / "staticfiles.json").read_text())["paths"]
    assert web.run(compose()["services"]["migrate"]["command"])[0] == 0
    web.environment |= {"HOST": "127.0.0.1", "PORT": str(free_port())}
    assert not web.is_well()
    serving = web.start(web.stage.command())
    try:
        wait_until(lambda: _answers(web), "The web server of the image does not answer")
        assert web.is_well()
        _looks_like_the_site(web)
    finally:
        serving.send_signal(signal.SIGTERM)
        assert serving.wait(as_loaded(30)) is not None


def _answers(web):
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{web.environment['PORT']}/health/live").close()
    except OSError:
        return False
    return True


def _looks_like_the_site(web):
    at = f"http://127.0.0.1:{web.environment['PORT']}"
    behind = {"Host": SITE, "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
    with urllib.request.urlopen(urllib.request.Request(f"{at}/accounts/login/", headers=behind)) as answer:
        page = answer.read().decode()
        assert "Strict-Transport-Security" in answer.headers
    style = page.split('rel="stylesheet" href="')[1].split('"')[0]
    with urllib.request.urlopen(urllib.request.Request(f"{at}{style}", headers=behind)) as answer:
        assert answer.headers["Content-Type"].startswith("text/css")


def test_the_worker_image_gives_its_sign_and_stops_when_it_is_told_to(container):
    worker = container("worker")
    (worker.folder / "data" / "files").mkdir(exist_ok=True)
    worker.run(["/bin/sh", "-c", "chmod 700 ../../data/files"])
    with workers.quick_client() as client:
        client.delete(workers.KEY)
    assert not worker.is_well()
    working = worker.start(worker.stage.command(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        wait_until(workers.workers, "The worker of the image gave no sign")
        assert worker.is_well()
    finally:
        working.send_signal(signal.SIGTERM)
        said, _ = working.communicate(timeout=as_loaded(60))
    assert working.returncode == 0
    assert f"@{socket.gethostname()} ready." in said, "its log does not go to the container's"
