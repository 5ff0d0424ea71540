"""Small files that are far more once they are read: each ends in one sentence, within its memory and its time."""

import os
import time
from collections.abc import Callable, Iterator

import pytest
from support import confined_work
from support.costs import spent
from support.exploding_files import AT_LENGTH, TABLES, TOML, XML

from corpora.formats import FORMATS, TextFile
from corpora.table_parser import understand
from foundation.confined import Confined, process
from foundation.confined.messages import Limits
from foundation.errors import UserError
from study_file.parser.parser import parse_study_file

MEMORY, SECONDS = 512 << 20, 20
FEW_SECONDS = 1
CASES = [
    pytest.param(form, make, id=f"{form}: {name}", marks=[pytest.mark.soak] * (name in AT_LENGTH))
    for form, made in {**TABLES, "toml": TOML, "xml": XML}.items()
    for name, make in made
]


def read(form: str, data: bytes) -> None:
    file = TextFile(data, f"x.{form}")
    if form == "toml":
        parse_study_file(file)
    elif form == "xml":
        list(FORMATS["pubmed_xml"].documents(file))  # type: ignore[attr-defined]
    else:
        with understand(file) as table:
            list(table.records())


def end_idle_processes() -> None:
    for one in process._idle._kept:
        one.end()
    process._idle._kept.clear()


@pytest.fixture(scope="module")
def of_this_module() -> Iterator[None]:
    """No process that reads files is taken over from other tests, nor left to them."""
    end_idle_processes()
    yield
    end_idle_processes()


@pytest.mark.slow
@pytest.mark.parametrize(("form", "make"), CASES)
def test_it_ends_in_one_sentence(
    form: str, make: Callable[[], bytes], of_this_module: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files that take long are given less time than the site gives them; the kernel ends them all the same."""
    monkeypatch.setattr(process, "LIMITS", Limits(seconds=FEW_SECONDS))
    data = make()
    before, began = spent(os.getpid()), time.process_time()
    with pytest.raises(UserError) as caught:
        read(form, data)
    here = time.process_time() - began
    for one in process._idle._kept:  # what took more was ended by the kernel
        assert confined_work.peak(one.process.pid) <= MEMORY
        confined_work.forget_peak(one.process.pid)  # the next file has the same process
    assert spent(os.getpid()) - before < SECONDS
    assert here < 2  # in the process that asks
    sentence = str(caught.value)
    assert sentence.startswith("x")
    assert sentence.endswith((".", "?"))
    assert sentence.count(". ") <= 1
    assert len(sentence) < 400
    assert "the reader of such files failed" not in sentence


def test_the_process_of_a_file_says_what_it_took() -> None:
    """The measure of the tests above, against a process that was made to take memory."""
    with Confined() as beside:
        beside.call(confined_work.fill_memory, 150)  # the process may have read other files before, which took some
        assert 150 << 20 < beside.call(confined_work.peak) < MEMORY
