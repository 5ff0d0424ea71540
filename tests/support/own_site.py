"""A whole site on data of its own, whose processes can be killed: a launcher, and a worker of models beside it."""

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import psycopg
from support.launcher import Launcher

from embedded.folders import ready_url_folder
from embedded.postgres_server import postgres_url
from embedded.redis_server import redis_url
from foundation.project import ROOT
from launcher.children import Child

SCRIPT = Path(__file__).with_name("killed_site.py")
QUICK = {"RESTYLE_HEARTBEAT_SECONDS": "0.5", "RESTYLE_RESEND_AFTER_SECONDS": "5"}
OWN = {**QUICK, "RESTYLE_DEMO": "0", "RESTYLE_IDLE_SECONDS": "600", "RESTYLE_CHECKPOINT_UPLOAD_SECONDS": "0"}


class Site:
    """A launcher, and a second worker of models beside it, so that a training and a transfer run at once."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.beside = folder, None
        self.launcher = Launcher(folder / "site", **OWN)

    def start(self) -> None:
        self.launcher.start_and_wait()
        data = self.launcher.data
        sockets = ready_url_folder(data)
        self.database = postgres_url(sockets)
        self.environment = {
            **self.launcher.environment(),
            "DATABASE_URL": self.database,
            "REDIS_URL": redis_url(sockets),
            "RESTYLE_EMBEDDED": "1",
            "RESTYLE_STORAGE": str(data / "files"),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": (data / "secret-key").read_text(),
            "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "platform", ROOT / "tests"))),
        }
        (data / "files").mkdir(exist_ok=True)
        (self.folder / "beside").mkdir()
        self.beside = Child(
            "beside",
            [sys.executable, "-m", "launcher.worker", "gpu"],
            self.folder / "beside.log",
            {**self.environment, "RESTYLE_DATA": str(self.folder / "beside")},
        )
        self.beside.start()

    def script(self, what: str, given: object = None):
        """What the script says."""
        line = [sys.executable, str(SCRIPT), what]
        done = subprocess.run(
            line, cwd=ROOT, env=self.environment, input=json.dumps(given), capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def ask(self, question, *given):
        """What the database answers, once it does."""
        with suppress(psycopg.OperationalError), psycopg.connect(self.database, autocommit=True) as database:
            return question(database, *given)

    def kill_web_worker(self) -> None:
        web = self.launcher.children()["web"]
        web.children(recursive=True)[0].kill()

    def kill_workers_of_models(self) -> None:
        """All of them, each with its pool."""
        beside = psutil.Process(self.beside.process.pid)
        for worker in [*self.launcher.children().values(), *beside.children()]:
            if worker.name() in ("restyle-gpu", "restyle-quick"):
                for one in [worker, *worker.children(recursive=True)]:
                    with suppress(psutil.NoSuchProcess):  # a pool ends with its worker
                        one.kill()

    def end(self) -> None:
        if self.beside:
            with suppress(psutil.Error):
                beside = psutil.Process(self.beside.process.pid)
                for process in [beside, *beside.children(recursive=True)]:
                    process.kill()
        self.launcher.end()
