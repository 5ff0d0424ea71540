"""Each page in a web process of its own: none loads the science, which is stored with the report or done in a side
process; and whatever a page wants translated is in the catalogs."""

import json
import os
import re
import subprocess
import sys
from gettext import GNUTranslations
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from factories.routes import ROWS
from support.demo_site import DemoSite
from support.every_page import MORE as MORE_STATES
from support.every_page import PAGES, address
from support.site_routes import routes

from foundation.project import ROOT
from tools.message_catalogs.project_messages import project_catalog

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
HEAVY = ["scipy", "nltk", "sklearn", "torch", "transformers", "spacy", "sacrebleu", "pandas", "pyarrow", "vl_convert",
         "numba", "quickumls", "krippendorff", "boto3"]  # fmt: skip
MOST = 210  # MiB: some 180 are seen, where little is shared
UNTRANSLATED = {"No response body"}
"""What a package asks for and has in no language: drf-spectacular's, for the reference of the API, which is English."""
PACKAGES = ("django", "allauth", "rest_framework", "drf_spectacular")
TRANSLATED = re.compile(r"[\u4e00-\u9fff]")
"""A label that stands in Chinese already, and is asked for once more."""
FORMED = ("RESTYLE_", "did you mean", " → ")
"""Sentences that say what a machine lacks, errors that are formed, and directions come to a page as they are."""
NAMED = {"release number": "number", "gold_import": "gold import"}
MORE = [{"form": form, "name": name} for form in ("svg", "pdf", "png") for name in ("leaderboard_figure",)]
MORE += [{"form": form} for form in ("json", "jsonl", "csv", "parquet")]


def addresses(site):
    """Every address that is read, in the forms of its files."""
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
def test_pages_load_no_science_and_ask_for_known_messages_alone(settings, request, follow, least):
    """Each address once; in the soak what they link to, too: the same pages, asked for other rows, orders and parts."""
    settings.EMBEDDED = True  # the demo goes only into an embedded database, and this is one
    site = DemoSite()
    pages = pages_by_person(site)
    paths = paths_by_person(site, pages)
    people = [
        {"session": session_of(site.people[who]) if who in site.people else None, "paths": theirs,
         "follow": follow and who == "researcher", "in_chinese": [] if follow else pages.get(who, [])}
        for who, theirs in paths.items()
    ]  # fmt: skip
    told = walked({"heavy": HEAVY, "people": people}, request.getfixturevalue("_processes_environment"))
    assert told["failed"] == {}
    assert told["loaded"] == {}
    assert len(told["seen"]) > least, len(told["seen"])
    assert any(path.endswith("/pdf/") for path in told["seen"])
    assert told["pss"] < MOST, told["pss"]
    assert not told["english"], "\n".join(f"{path}: {words}" for path, words in told["english"].items())
    assert len(told["asked"]) > 1_000
    if not follow:  # parts of pages ask for six labels of plain folders, which no catalog has yet
        assert unknown_messages(told["asked"], settings.LANGUAGES) == set()


def pages_by_person(site):
    """Their own pages of each."""
    own = {}
    for name, who, values in [*((name, who, {}) for name, who in PAGES.items()), *MORE_STATES]:
        own.setdefault(who, []).append(address(site, name, values))
    return own


def paths_by_person(site, pages):
    """What each opens: their own pages; a researcher every address and its files, an admin those outside of studies."""
    own = {who: list(paths) for who, paths in pages.items()}
    every = list(dict.fromkeys(addresses(site)))
    every += [f"{path}?form=parquet" for path in every if "/answers/" in path or path.endswith("/gold/")]
    own["researcher"] += every
    own["admin"] += [path for path in every if "/studies/" not in path]
    return {who: list(dict.fromkeys(paths)) for who, paths in own.items()}


def unknown_messages(asked, languages):
    """Those that are in no catalog, labels of plain folders among them, which no call there names."""
    known = {message.id if isinstance(message.id, str) else message.id[0] for message in project_catalog()}
    missing = set(asked) - known - {name for _, name in languages} - of_packages() - UNTRANSLATED
    return {
        message
        for message in missing
        if any(map(str.isalpha, message))
        and not TRANSLATED.search(message)
        and not any(part in message for part in FORMED)
    }


def of_packages():
    """What Django and its apps have translated themselves, into any language: German may lag behind a new release."""
    found = set()
    for package in PACKAGES:
        [folder] = find_spec(package).submodule_search_locations
        for file in Path(folder).rglob("locale/*/LC_MESSAGES/django.mo"):
            with file.open("rb") as compiled:
                found |= firsts(GNUTranslations(compiled)._catalog)
    return found


def firsts(catalog):
    """The messages of a compiled catalog, those of a number by their first form."""
    return {(key[0] if isinstance(key, tuple) else key).split("\x04")[-1] for key in catalog}


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
