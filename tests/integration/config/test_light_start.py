"""Every process of the site loads its addresses; the science takes seconds and much memory, and waits for its use."""

import os
import subprocess
import sys

import pytest

from foundation.project import ROOT

HEAVY = {"scipy", "nltk", "sklearn", "torch", "transformers", "spacy", "sacrebleu", "pandas", "pyarrow", "vl_convert"}
START = "import django, sys; django.setup(); import config.urls; print(*{one.split('.')[0] for one in sys.modules})"


@pytest.mark.slow
def test_a_web_process_starts_without_the_science():
    paths = os.pathsep.join([str(ROOT), str(ROOT / "platform")])
    variables = {**os.environ, "PYTHONPATH": paths, "DJANGO_SETTINGS_MODULE": "config.settings"}
    started = subprocess.run([sys.executable, "-c", START], env=variables, check=True, capture_output=True, text=True)
    loaded = set(started.stdout.split())
    assert "django" in loaded
    assert not HEAVY & loaded
