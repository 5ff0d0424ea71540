"""Every process of the site loads its addresses; the science takes seconds and much memory, and waits for its use."""

import os
import subprocess
import sys

import pytest
from django.conf import settings

from config.urls import ROOMS
from foundation.project import ROOT
from foundation.registry import Registry

HEAVY = {
    "scipy", "nltk", "sklearn", "torch", "transformers", "spacy", "sacrebleu", "pandas", "pyarrow", "vl_convert",
    "simplemma", "boto3", "storages", "numba",
}  # fmt: skip
SHARED = """
import sys
import launcher.__main__
from launcher import forking
forking.share()
from django.urls import get_resolver
print(*sys.modules, *(f"addresses in {language}" for language in get_resolver()._reverse_dict), sep="\\n")
import jinja2, prompt_toolkit, pygments  # for who asks: models that are prompted write their templates with the first
from click_repl import repl, register_repl
from billiard.util import get_pdeathsig, set_pdeathsig
set_pdeathsig(9)  # as each process for jobs does, which a killed worker takes along
print("ended by", get_pdeathsig())
print(*("late " + name for name in ("cffi", "pycparser") if name in sys.modules))
"""
UNUSED = {"jinja2", "pygments", "click_repl", "prompt_toolkit", "wcwidth", "cffi"}  # of shells and test clients
START = """
import sys, django
django.setup()
import config.urls
from django.core.files.storage import default_storage
from evaluation.metrics import METRICS
from modelserving.transfer import TRANSFERS
default_storage.exists("a")
for registry in (TRANSFERS, METRICS):
    for name in registry:
        registry[name]
print(*sys.modules, sep=chr(10))
"""


@pytest.mark.slow
def test_a_web_process_starts_and_names_models_and_metrics_without_the_science():
    loaded = _loaded(START)
    assert "django" in loaded
    assert not HEAVY & {name.split(".")[0] for name in loaded}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="Elsewhere than on Linux children are no copies of the launcher.")
def test_the_launcher_has_loaded_what_pages_use_and_none_of_the_science():
    """What it has is in memory once; what a web process loads by itself is in each of them."""
    loaded = _loaded(SHARED)
    for registry in Registry.made:
        if registry.package.partition(".")[0] in ROOMS and registry.package in loaded:
            assert {registry.module_of(name) for name in registry.own_names()} <= loaded, registry.kind
    assert {name.rpartition(".")[0] for name in settings.MIDDLEWARE} <= loaded
    assert "addresses in en" in loaded
    assert not UNUSED & loaded
    assert "ended by 9" in loaded
    assert not {"late cffi", "late pycparser", "late cffi late pycparser"} & loaded
    assert not HEAVY & {name.split(".")[0] for name in loaded}


def _loaded(script):
    """The modules that a process has, by what the script prints."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "platform")])
    variables = {**os.environ, "PYTHONPATH": paths, "DJANGO_SETTINGS_MODULE": "config.settings"}
    started = subprocess.run([sys.executable, "-c", script], env=variables, check=True, capture_output=True, text=True)
    return set(started.stdout.splitlines())
