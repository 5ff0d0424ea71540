"""Another commit with this commit's bench: its files, its packages, and the names that things had in it."""

import os
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec

import pytest

from foundation.errors import UserError
from tools.bench import OLDER
from tools.bench.former_names import FORMER, RENAMED
from tools.bench.side_by_side import installed

GIT = ["git", "-c", "user.name=A", "-c", "user.email=a@b.invalid", "-c", "init.defaultBranch=main"]


@pytest.fixture
def repository(tmp_path):
    """A commit of long ago, and a working tree in which something was renamed since."""
    root = tmp_path / "repository"
    (root / "platform" / "foundation").mkdir(parents=True)
    (root / "requirements.txt").write_text("a==1\n")
    (root / "platform" / "foundation" / "text.py").write_text("def text_key(text): return 'as of then'\n")
    (root / "platform" / "foundation" / "options.py").write_text("def checked(): return 'checked'\n")
    (root / "platform" / "foundation" / "errors.py").write_text(
        "class UserError(Exception):\n    def __init__(self, sentence, *, where=''):\n"
        "        super().__init__(f'{where}: {sentence}')\n"
    )
    (root / "platform" / "config" / "launch").mkdir(parents=True)
    (root / "platform" / "config" / "launch" / "children.py").write_text("class Child: pass\n")
    (root / "platform" / "corpora").mkdir()
    (root / "platform" / "corpora" / "concepts.py").write_text("def link_study(): return 'linked'\n")
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Then"], ["tag", "then"]):
        subprocess.run([*GIT, *command], cwd=root, check=True)
    (root / "platform" / "foundation" / "text.py").unlink()
    return root


def test_its_files_come_with_this_bench_and_todays_names_find_what_they_were(repository, tmp_path):
    side, said = installed("then", repository, tmp_path / "there", same_packages=False)
    assert side.older
    assert said.endswith("with the packages that are installed here, which are its own.")
    script = (
        "import tools.bench; from foundation.text_keys import text_key\n"
        "from foundation.options import validate_options\n"
        "import corpora.concepts; from corpora.concepts import link_study  # a module there, a package here\n"
        "print(tools.bench.__file__, text_key(''), validate_options(), link_study())"
    )
    done = subprocess.run(
        [side.python, "-c", script], env=side.environment(), cwd=side.root, capture_output=True, text=True, check=True
    )
    assert done.stdout.split(None, 1) == [
        str(tmp_path / "there" / "this-bench" / "tools" / "bench" / "__init__.py"), "as of then checked linked\n",
    ]  # fmt: skip


def test_a_sentence_of_this_bench_takes_its_values_where_errors_took_none(repository, tmp_path):
    side, _ = installed("then", repository, tmp_path / "there", same_packages=False)
    script = (
        "import tools.bench; from foundation.errors import UserError\n"
        "print(UserError('{count} of {all}', count=1, all='{2}', where='a'), UserError('{whole}'))"
    )
    done = subprocess.run(
        [side.python, "-c", script], env=side.environment(), cwd=side.root, capture_output=True, text=True, check=True
    )
    assert done.stdout == "a: 1 of {2} : {whole}\n"


def test_the_launcher_is_run_where_that_commit_has_it(repository, tmp_path):
    side, _ = installed("then", repository, tmp_path / "there", same_packages=False)
    script = "import tools.bench; from launcher.children import Child; print(Child.__module__)"
    done = subprocess.run(
        [side.python, "-c", script], env=side.environment(), cwd=side.root, capture_output=True, text=True, check=True
    )
    assert done.stdout == "config.launch.children\n"  # `memory_figures.site` runs the package of this


def test_with_other_requirements_its_own_packages_are_installed_unless_told_otherwise(repository, tmp_path):
    (repository / "requirements.txt").write_text("a==2\n")
    side, said = installed("then", repository, tmp_path / "same", same_packages=True)
    assert str(side.python) == sys.executable
    assert said.endswith("as it was told to.")
    with pytest.raises(UserError, match="cannot install itself"):
        installed("then", repository, tmp_path / "own", same_packages=False)


def test_an_unknown_commit_is_told_in_a_sentence(repository, tmp_path):
    with pytest.raises(UserError, match="no such commit"):
        installed("never", repository, tmp_path / "there", same_packages=True)


def test_the_names_of_today_are_those_that_this_bench_imports():
    assert not os.environ.get(OLDER)
    assert [name for name in FORMER if find_spec(name) is None] == []


def test_what_was_renamed_is_there_by_todays_names():
    missing = {
        (module, name)
        for module, names in RENAMED.items()
        for name in names
        if not hasattr(import_module(module), name)
    }
    assert missing == set()
