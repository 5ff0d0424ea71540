"""A module of a package without the package's own beginning, which others find as it is."""

import importlib
import subprocess
import sys

import pytest

from foundation.part_of_package import part_of_package


@pytest.fixture
def package(tmp_path, monkeypatch):
    """The name of a package whose beginning says so, and of which one module needs another and one the beginning."""
    name = f"large_{tmp_path.name}"
    files = {
        "__init__.py": "BEGUN = True", "beside.py": "ONE = 1", "inner/__init__.py": "raise RuntimeError('it was run')",
        "inner/part.py": f"from {name} import beside\nfrom {name}.inner.other import TWO\nTHREE = beside.ONE + TWO",
        "inner/other.py": "TWO = 2", "needy.py": f"from {name} import BEGUN",
    }  # fmt: skip
    for path, text in files.items():
        (tmp_path / name / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name / path).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield name
    for one in [one for one in sys.modules if one.startswith(name)]:
        del sys.modules[one]


def test_it_finds_the_modules_beside_it_and_runs_no_beginning(package):
    assert part_of_package(f"{package}.inner.part").THREE == 3
    assert not [one for one in sys.modules if one.startswith(package)]
    assert importlib.import_module(package).BEGUN


def test_one_that_needs_the_beginning_is_the_packages_own(package):
    assert part_of_package(f"{package}.needy") is importlib.import_module(f"{package}.needy")


def test_of_a_package_that_is_loaded_it_is_its_own(package):
    whole = importlib.import_module(f"{package}.beside")
    assert part_of_package(f"{package}.beside") is whole


@pytest.mark.parametrize("name", ["{}.nothing", "{}.nothing.at_all", "nothing_{}.at_all"])
def test_one_that_is_not_there_is_said(package, name):
    with pytest.raises(ModuleNotFoundError):
        part_of_package(name.format(package))


def test_words_sentences_and_stems_load_no_statistics():
    code = (
        "import sys; from corpora.knowledge.words import tokens; from evaluation.word_matching import stemmer\n"
        "from foundation.part_of_package import part_of_package; part_of_package('nltk.tokenize.punkt')\n"
        "print(*tokens('She sings.'), stemmer()('sings'), {'nltk', 'scipy', 'sklearn'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "She sings . sing set()\n"
