"""Where machine code is kept: by the digest of all files, in a folder that can be written, or nowhere."""

import os
import subprocess
import sys
from pathlib import Path
from types import FunctionType

from numba import config

from modelserving.phrase_based import jit


def double(number: int) -> int:
    return 2 * number


def test_what_cannot_be_kept_is_compiled_all_the_same():
    homeless = FunctionType(double.__code__.replace(co_filename="/nowhere/at/all.py"), {})
    assert jit.compiled(homeless)(4) == 8


TWICE = """
from modelserving.phrase_based.jit import compiled

@compiled
def double(number):
    return 2 * number

assert double(2) == 4
print(sum(double.stats.cache_misses.values()))
"""


def test_of_two_processes_one_compiles(tmp_path):
    (tmp_path / "twice.py").write_text(TWICE)
    root = Path(__file__).parents[4]
    environment = {**os.environ, "PYTHONPATH": f"{root}:{root / 'platform'}", "NUMBA_CACHE_DIR": str(tmp_path / "kept")}
    command = [sys.executable, str(tmp_path / "twice.py")]
    both = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert sorted(one.communicate(timeout=240)[0] for one in both) == ["0\n", "1\n"]


def test_a_change_in_any_file_with_compiled_functions_is_another_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(jit, "HERE", tmp_path)
    monkeypatch.setitem(vars(config), "CACHE_DIR", str(tmp_path / "given"))
    (tmp_path / "one.py").write_text("@compiled")
    before = jit._kept_in()
    assert Path(before).parent == tmp_path / "given"
    (tmp_path / "plain.py").write_text("A = 1")
    assert jit._kept_in() == before
    (tmp_path / "one.py").write_text("@compiled  # anew")
    assert jit._kept_in() != before


def test_it_is_kept_beside_the_files_or_at_home(tmp_path, monkeypatch):
    monkeypatch.setattr(jit, "HERE", tmp_path)
    monkeypatch.setitem(vars(config), "CACHE_DIR", "")
    assert Path(jit._kept_in()).parent == tmp_path / "__pycache__"
    monkeypatch.setattr(jit, "_writable", lambda folder: False)
    assert Path(jit._kept_in()).parent == Path.home() / ".cache" / "restyle"
