"""No page loads the science into the web process: it is stored with the report, or done in a side process."""

import json
import os
import subprocess
import sys

import pytest
from django.test import Client
from django.urls import reverse
from factories.routes import ROWS
from support.demo_site import DemoSite

from foundation.project import ROOT

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
HEAVY = ["scipy", "nltk", "sklearn", "torch", "transformers", "spacy", "sacrebleu", "pandas", "pyarrow", "vl_convert",
         "numba", "quickumls", "krippendorff", "boto3"]  # fmt: skip
MOST = 210  # MiB: some 180 are seen, where little is shared
NAMED = {"release number": "number", "gold_import": "gold import"}
MORE = [{"form": form, "name": name} for form in ("svg", "pdf", "png") for name in ("leaderboard_figure",)]
MORE += [{"form": form} for form in ("json", "jsonl", "csv", "parquet")]


def addresses(site):
    """Every address that is read, in the forms of its files."""
    from test_permissions import routes

    for key, (names, _) in routes().items():
        if key not in ROWS or "GET" not in ROWS[key].allowed or key.startswith("accounts/"):
            continue
        wanted = {"pk": site.values["system"], "form": "json", "secret": "x" * 43, **site.values}
        wanted |= {name: site.values[NAMED.get(what, what)] for name, what in ROWS[key].objects.items()
                   if NAMED.get(what, what) in site.values}  # fmt: skip
        if not names <= wanted.keys():
            assert key.startswith(("openid_connect", "account_")), f"{key}: which {names - wanted.keys()}?"
            continue
        for other in ({}, *MORE):
            yield reverse(key, kwargs={name: (wanted | other)[name] for name in names})


@pytest.mark.parametrize(("follow", "least"), [(False, 250), pytest.param(True, 600, marks=pytest.mark.soak)])
def test_no_page_loads_the_science(settings, request, follow, least):
    """Each address once; in the soak what they link to, too: the same pages, asked for other rows, orders and parts."""
    settings.EMBEDDED = True  # the demo goes only into an embedded database, and this is one
    site = DemoSite()
    paths = list(dict.fromkeys(addresses(site)))
    paths += [f"{path}?form=parquet" for path in paths if "/answers/" in path or path.endswith("/gold/")]
    task = {
        "heavy": HEAVY,
        "people": [
            {"session": session_of(site.people["researcher"]), "paths": paths, "follow": follow},
            {"session": session_of(site.people["admin"]), "paths": [one for one in paths if "/studies/" not in one],
             "follow": False},
        ],
    }  # fmt: skip
    told = walked(task, request.getfixturevalue("_processes_environment"))
    assert told["failed"] == {}
    assert told["loaded"] == {}
    assert len(told["seen"]) > least, len(told["seen"])
    assert any(path.endswith("/pdf/") for path in told["seen"])
    assert told["pss"] < MOST, told["pss"]


def session_of(person):
    client = Client()
    client.force_login(person)
    return client.cookies["sessionid"].value


def walked(task, variables):
    """What a web process of its own says of the walk."""
    paths = os.pathsep.join([variables["PYTHONPATH"], str(ROOT / "tests")])
    done = subprocess.run(
        [sys.executable, "-m", "support.walk"], input=json.dumps(task), env={**variables, "PYTHONPATH": paths},
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout)
