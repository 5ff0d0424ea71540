"""`make run` with data and a port of its own, and everything that it started."""

import os
import signal
import subprocess
import sys
from contextlib import suppress

import psutil
from support.processes import PATIENCE, as_loaded, free_port, wait_until

from foundation.project import ROOT

# Each child by the name of its process, of which the kernel keeps fifteen letters.
SIGNS = {f"restyle-{name}"[:15]: name for name in ("web", "worker", "quick", "gpu", "serve", "watchdog")}
ALWAYS = {"web", "worker", "watchdog"}  # the watchdog is the clock too


class Launcher:
    """A launcher on data and a port of its own, and everything that it started."""

    def __init__(self, data, **environment):
        self.data, self.port, self.own = data, free_port(), environment
        self.url = f"http://127.0.0.1:{self.port}"

    def start(self):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "launcher"],
            cwd=ROOT,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return self.process

    def start_and_wait(self):
        """The lines that it prints until it is up."""
        self.start()
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if "Ctrl-C" in line:
                break
        assert "Ctrl-C" in "".join(lines), "".join(lines)
        wait_until(lambda: set(self.children()) >= ALWAYS, "Not everything was started")
        return "".join(lines)

    def environment(self):
        own = {"DATABASE_URL", "REDIS_URL", "RESTYLE_EMBEDDED", "DJANGO_SETTINGS_MODULE"}
        kept = {name: value for name, value in os.environ.items() if name not in own}
        sources = os.pathsep.join([str(ROOT), str(ROOT / "platform")])
        return {
            **kept,
            "RESTYLE_DATA": str(self.data),
            "PORT": str(self.port),
            "PYTHONPATH": sources,
            "RESTYLE_IDLE_SECONDS": "1",
            "RESTYLE_WORKER_MEMORY": "",  # as everywhere; workers of tests keep their processes
            **self.own,
        }

    def children(self):
        """Its child processes by name."""
        found = {}
        with suppress(psutil.NoSuchProcess):  # it was killed
            for process in psutil.Process(self.process.pid).children():
                with suppress(psutil.Error):  # it may end while it is looked at
                    if process.name() in SIGNS and process.status() != psutil.STATUS_ZOMBIE:
                        found[SIGNS[process.name()]] = process
        return found

    def everything(self):
        """All living processes of this launcher: by their environment, and the servers by their command line."""
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                mine = process.environ().get("RESTYLE_DATA") == str(self.data)
                serves = process.name() in {"postgres", "redis-server"} and str(self.data) in " ".join(
                    process.cmdline()
                )
                if (mine or serves) and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process)
        return found

    def server(self, name):
        """PostgreSQL's first process, or Redis; None where it does not run."""
        for one in self.everything():
            with suppress(psutil.Error):  # others end while they are looked at
                if one.name() == name and str(self.data) in " ".join(one.cmdline()):
                    return one
        return None

    def kill_server(self, name):
        """kill -9 on it, until another is in its place."""
        killed = self.server(name)
        killed.kill()
        wait_until(lambda: self.server(name) not in (None, killed), f"{name} did not come back")

    def stop(self, number=signal.SIGINT):
        self.process.send_signal(number)
        try:
            output, _ = self.process.communicate(timeout=as_loaded(PATIENCE))
        except subprocess.TimeoutExpired:
            left = [" ".join(one.cmdline())[:100] for one in self.everything()]
            raise AssertionError(f"The launcher did not end; there are still {left}") from None
        return output

    def end(self):
        """Kill whatever still runs."""
        for process in self.everything():
            with suppress(psutil.Error):
                process.kill()
