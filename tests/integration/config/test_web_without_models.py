"""A web server runs without PyTorch and what else only workers have: requirements.txt says which those are."""

import os
import re
import subprocess
import sys

import pytest
from support.a_web_without_models.sitecustomize import REFUSED

from foundation.project import ROOT

ROOMS = (
    "accounts", "jobs", "corpora", "annotation", "modelserving", "evaluation", "config", "backup", "health", "logs",
    "studies", "study_file",
)  # fmt: skip
# What alone needs them: networks, training and phrase tables, and the linker of concepts,.
OF_WORKERS = (
    "modelserving.nets", "modelserving.phrase_based", "modelserving.training", "modelserving.neural_transfer",
    "modelserving.adapters", "modelserving.pretraining", "modelserving.pretrained", "modelserving.edit_operations",
    "modelserving.lexical_simplification.simplifier", "modelserving.lexical_simplification.locator",
    "modelserving.prompting.bounded_client", "modelserving.prompting.batch_connection",
    "corpora.knowledge.concepts.quickumls_linker",
    "corpora.knowledge.concepts.build",
)  # fmt: skip
# It asks the database for the site's key; the web server of the tests begins with it, and does without them too.
STARTS = ("config.wsgi", "config.asgi")
IMPORT_ALL = f"""
import django; django.setup()
import importlib, pkgutil
for room in {ROOMS}:
    for found in pkgutil.walk_packages(importlib.import_module(room).__path__, room + "."):
        if not found.name.startswith({OF_WORKERS + STARTS}):
            importlib.import_module(found.name)
"""


@pytest.mark.slow
def test_whatever_a_page_may_import_does_without_them():
    paths = [str(ROOT / "tests" / "support" / "a_web_without_models"), str(ROOT), str(ROOT / "platform")]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run([sys.executable, "-c", IMPORT_ALL], env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def test_the_requirements_say_what_only_workers_have():
    of_web, of_workers = (ROOT / "requirements.txt").read_text().split("# The models", 1)
    named = {re.split(r"[~=\[ ]", line)[0] for line in of_workers.splitlines()[1:] if line and line[0] != "#"}
    assert {name.lower() for name in named} - {"tqdm", "pip"} <= REFUSED
    assert not [line for line in of_web.splitlines() if re.split(r"[~=\[ ]", line)[0] in REFUSED]
