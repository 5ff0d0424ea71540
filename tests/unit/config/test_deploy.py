"""What a site is put up with, as far as that can be known without a container engine: linters, schemas, and that the
commands, variables and files which it names are there."""

import json
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from support.image import compose, context, stages

from foundation.errors import UserError
from foundation.project import ROOT
from jobs.queues import QUEUES, with_those_beside
from launcher import process as launch_one
from launcher import worker as launch_worker
from launcher.children import WATCHDOG

PROGRAMS = Path(sys.executable).parent
UNITS = sorted((ROOT / "docs/deploy/systemd").glob("*.service"))
OURS = ("restyle-web", "restyle-worker")
HARDENED = (
    "NoNewPrivileges=yes", "ProtectSystem=strict", "ProtectHome=yes", "PrivateTmp=yes", "CapabilityBoundingSet=",
    "StateDirectory=", "User=restyle",
)  # fmt: skip


def ran(*command):
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr or f"ended with {done.returncode}"


def test_hadolint_finds_nothing_in_the_dockerfile():
    assert ran(PROGRAMS / "hadolint", "Dockerfile") == ""


def test_compose_yml_fits_the_schema_of_compose():
    assert ran(PROGRAMS / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", "compose.yml") == ""


@pytest.mark.parametrize("name", ["web", "worker"])
def test_an_image_is_not_roots_and_says_how_it_is(name):
    stage = stages()[name]
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", stage.all("USER")[-1])
    assert stage.steps.index(("USER", stage.all("USER")[-1])) < stage.steps.index(("CMD", stage.all("CMD")[-1]))
    assert stage.health_check()
    _is_module(stage.command())


def test_the_web_image_installs_what_a_web_server_needs_alone():
    copied = stages()["web-packages"].all("COPY")
    assert copied == ["requirements-web.lock ./"]
    assert stages()["web"].all("COPY")[0] == "--from=web-packages /opt/restyle /opt/restyle"
    assert all("--require-hashes" in rest for name in ("web-packages", "worker-packages")
               for rest in stages()[name].all("RUN") if "pip install" in rest)  # fmt: skip


def test_what_is_copied_is_there_and_no_secret_or_test_goes_along():
    for stage in stages().values():
        for rest in stage.all("COPY"):
            for name in rest.replace("${TORCH}", "cpu").split()[:-1]:
                assert name.startswith(("--from", "/")) or (ROOT / name).exists()
    files = context()
    assert {"manage.py", "pyproject.toml", "templates/base.html", "platform/config/settings.py"} <= set(files)
    assert not [name for name in files if name.startswith((".", "tests/")) or name.endswith((".env", ".pyc"))]


def _is_module(command):
    """`python -m MODULE ARGUMENT` names what is there."""
    assert command[:2] == ["python", "-m"]
    module, *arguments = command[2:]
    assert find_spec(module), module
    if module == "launcher.process":
        assert arguments in [[name] for name in launch_one.ALONE]
    if module == "launcher.worker":
        assert set(arguments[0].replace("%i", "gpu").split(",")) <= set(QUEUES)


def services():
    return {name: one for name, one in compose()["services"].items() if one.get("image") in OURS}


def test_compose_runs_what_is_there_and_a_worker_of_each_queue():
    served = []
    for name, one in services().items():
        if name == "migrate":
            continue
        command = one.get("command") or stages()["web"].command()
        _is_module(command)
        served += with_those_beside(command[3].split(",")) if command[2] == "launcher.worker" else []
    assert sorted(served) == sorted(QUEUES)


def test_compose_passes_single_sign_on_to_the_web_and_keys_of_language_models_to_workers_alone():
    for name, one in services().items():
        given, works = one["environment"], one["image"] == "restyle-worker"
        assert {key for key in given if key.startswith("OIDC_")} == {
            "OIDC_SERVER_URL", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_NAME", "OIDC_TRUSTED_DOMAINS"
        }, name  # fmt: skip
        assert ("RESTYLE_LANGUAGE_MODEL_KEYS" in given) is works, name
        assert "RESTYLE_LANGUAGE_MODELS" in given


def started():
    """Every command that a site is put up with."""
    yield from (json.loads(rest) for stage in stages().values() for rest in stage.all("CMD"))
    yield from (service["command"] for service in services().values() if "command" in service)
    for unit in UNITS:
        for line in re.findall(r"^ExecStart=(.*)$", unit.read_text(), re.MULTILINE):
            yield ["python", *line.split()[1:]]


def test_no_worker_is_started_without_its_watchdog():
    """A bare one has no time limits, no forced end of what is cancelled, and nobody who sweeps after lost workers."""
    assert not [command for command in started() if "celery" in " ".join(command)]
    told = (ROOT / "README.md", *(ROOT / "docs").rglob("*.*"))
    assert not [file.name for file in told if "celery -A" in file.read_text(errors="replace")]


@pytest.mark.parametrize("name", ["worker", "quick", "gpu", "serve", "watchdog"])
def test_a_worker_does_not_run_as_one_process(name, monkeypatch):
    monkeypatch.setattr(launch_one.os, "execv", lambda *line: pytest.fail(f"{line} was started"))
    with pytest.raises(UserError, match=r"launcher\.worker QUEUES"):
        launch_one.become([name])


def test_a_worker_of_its_own_has_its_watchdog_beside_it(monkeypatch, tmp_path):
    begun = {}

    def children(data, lines, on_demand):
        begun.update(lines)
        raise UserError("That is enough.")

    monkeypatch.setattr(launch_worker, "Children", children)
    monkeypatch.setattr(launch_worker, "share", lambda: None)
    for variable in ("RESTYLE_STORAGE", "RESTYLE_DATA", "DATABASE_URL", "REDIS_URL"):
        monkeypatch.setenv(variable, str(tmp_path))
    with pytest.raises(UserError, match="enough"):
        launch_worker.work(["default"])
    assert begun.pop("watchdog") == WATCHDOG
    assert len(begun) == 1


def test_backups_have_a_place_which_who_writes_them_may_write():
    """The queue `default` makes them; a volume is the user's of the image where the image has the folder for them."""
    given = dict(
        re.findall(r"^(RESTYLE_BACKUP\w+)=(.*)$", (ROOT / "docs/deploy/env.example").read_text(), re.MULTILINE)
    )
    assert set(given) == {"RESTYLE_BACKUPS", "RESTYLE_BACKUP_HOUR", "RESTYLE_BACKUPS_KEPT", "RESTYLE_BACKUP_KEY"}
    for service in services().values():
        assert set(given) <= set(service["environment"])
        works = service.get("command") or stages()["web"].command()
        if works[2] == "launcher.worker" and "default" in works[3].split(","):
            assert f"backups:{given['RESTYLE_BACKUPS']}" in service["volumes"]
    made = next(rest for rest in stages()["base"].all("RUN") if "install --directory" in rest)
    assert given["RESTYLE_BACKUPS"] in made.split("install --directory --owner restyle")[1].split()
    writes = [unit.name for unit in UNITS if "ReadWritePaths=-/var/backups/restyle" in unit.read_text()]
    assert writes == ["restyle-worker.service", "restyle.service"]
    assert "/var/backups/restyle" in (ROOT / "docs/deploy.md").read_text()


def test_all_processes_of_a_site_have_one_secret_key():
    assert {service["environment"]["SECRET_KEY"] for service in services().values()} == {
        "${SECRET_KEY:?write it into .env}"
    }
    for unit in UNITS:
        assert "EnvironmentFile=/etc/restyle.env" in unit.read_text()
        assert "SECRET_KEY=" not in unit.read_text()


def test_keys_of_language_models_are_with_workers_alone():
    own = {name: service for name, service in services().items() if service["image"] in OURS}
    keys = "RESTYLE_LANGUAGE_MODEL_KEYS"
    assert {name for name, service in own.items() if keys in service["environment"]} == {
        name for name, service in own.items() if service["image"] == "restyle-worker"
    }  # fmt: skip


@pytest.mark.skipif(shutil.which("haproxy") is None, reason="no haproxy is installed here")
def test_haproxy_reads_its_configuration_without_a_warning():
    assert ran("haproxy", "-c", "-q", "-dW", "-f", "docs/deploy/haproxy.cfg") == ""


def test_compose_waits_for_what_a_service_needs_and_starts_it_again():
    whole = compose()
    for name, one in services().items():
        waits = one["depends_on"]
        assert {"database", "redis"} <= set(waits)
        assert name == "migrate" or waits["migrate"] == {"condition": "service_completed_successfully"}
        assert one["restart"] == ("no" if name == "migrate" else "unless-stopped")
    named = {str(volume).split(":")[0] for one in whole["services"].values() for volume in one.get("volumes", [])}
    assert {one for one in named if not one.startswith(".")} == set(whole["volumes"])


def test_the_secrets_that_compose_asks_for_stand_in_the_example_and_empty_where_they_are_secret():
    text = (ROOT / "compose.yml").read_text()
    asked, must = set(re.findall(r"\$\{(\w+)", text)), set(re.findall(r"\$\{(\w+):\?", text))
    given = dict(re.findall(r"^(\w+)=(.*)$", (ROOT / "docs/deploy/env.example").read_text(), re.MULTILINE))
    assert asked - {"STORAGE_VERSION"} == set(given)
    assert {name for name in must if not given[name]} == {
        "POSTGRES_PASSWORD", "REDIS_PASSWORD", "SECRET_KEY", "STORAGE_SECRET"
    }  # fmt: skip
    assert ".env" in (ROOT / ".gitignore").read_text().splitlines()


def test_every_variable_of_ours_is_one_that_the_page_of_settings_knows():
    known = (ROOT / "docs" / "settings.md").read_text()
    named = set(services()["web"]["environment"]) | set(stages()["base"].environment())
    units = "".join(unit.read_text() for unit in UNITS)
    named |= set(re.findall(r"\b(RESTYLE_[A-Z_]+)=", units))
    assert not [name for name in named if name.startswith("RESTYLE_") and f"`{name}`" not in known]


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_runs_what_is_there_with_few_rights(unit):
    text = unit.read_text()
    assert not [line for line in HARDENED if line not in text]
    for line in re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE):
        program, *command = line.split()
        assert program == "/srv/restyle/.venv/bin/python"
        if command[0] == "-m" and command[1] != "launcher":
            _is_module(["python", *command])
        else:
            assert command[0] in ("manage.py", "-m")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd-analyze on this machine")
def test_systemd_finds_nothing_in_the_units(tmp_path):
    for file in (ROOT / "docs/deploy/systemd").iterdir():
        here = (
            file.read_text()
            .replace("/srv/restyle/.venv/bin/python", "/bin/true")
            .replace("/srv/restyle", str(tmp_path))
        )
        (tmp_path / file.name).write_text(here)
    files = [tmp_path / name for name in ("restyle.service", "restyle.target", "restyle-worker@gpu.service")]
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", *files], capture_output=True, text=True)
    ours = [line for line in done.stderr.splitlines() if "restyle" in line]
    assert (done.returncode, ours) == (0, [])


def caddyfiles():
    """That of the containers, and the one that the page of deployment writes for one machine."""
    written = re.search(r"Caddyfile <<END\n(.*?)\nEND", (ROOT / "docs/deploy.md").read_text(), re.DOTALL)
    return {"containers": (ROOT / "docs/deploy/Caddyfile").read_text(), "machine": f"{written[1]}\n"}


@pytest.mark.skipif(shutil.which("caddy") is None, reason="no caddy is installed here")
@pytest.mark.parametrize("name", ["containers", "machine"])
def test_caddy_reads_its_configurations(name, tmp_path, monkeypatch):
    monkeypatch.setenv("SITE", "restyle.example.org")
    monkeypatch.setenv("HOME", str(tmp_path))
    file = tmp_path / "Caddyfile"
    file.write_text(caddyfiles()[name])
    found = subprocess.run(
        ["caddy", "validate", "--adapter", "caddyfile", "--config", file], capture_output=True, text=True
    )
    assert found.returncode == 0, found.stderr


def test_both_configurations_of_caddy_compress_and_hide_the_same_addresses():
    one, other = caddyfiles().values()
    for line in ("encode zstd gzip", "@inside path /health/live /health/ready /health/status /metrics"):
        assert line in one
        assert line in other
