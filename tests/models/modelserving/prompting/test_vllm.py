"""A folder's model written by vLLM: a process of its own, held to by a program with its command line and protocol."""

import os
import signal
import subprocess
import sys

import psutil
import pytest
from support import tiny_transformers, vllm_program
from support.processes import as_loaded
from support.tiny_pairs import SOURCES, WAY, twenty

from foundation.errors import UserError
from modelserving.prompting import vllm
from modelserving.run_context import RunContext
from modelserving.training.callbacks import Callbacks, Stopped
from modelserving.transfer import TRANSFERS

pytestmark = pytest.mark.slow
KIND = TRANSFERS["prompted"]
GIVEN = {
    "folder": "tiny",
    "engine": "vllm",
    "most_tokens": 8,
    "keep_cut": True,
    "tune_most": 0,
    "message": "{text}",
    "clean": False,
}
BESIDE = """
import sys
from pathlib import Path
from modelserving.prompting.vllm import Server
from modelserving.run_context import RunContext
server = Server(Path(sys.argv[1]), "tiny")
server.wait(RunContext())
print(server.process.pid, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    tiny_transformers.make("causal", tmp_path / "models" / "tiny")
    return tmp_path


@pytest.fixture
def installed(root):
    vllm.version.cache_clear()
    return vllm_program.installed(root / "bin")


def fitted(root, **given):
    options = KIND.choose_options({**GIVEN, **given})
    return KIND.fit(twenty(root / "data"), options, Callbacks(root / "run", seed=7))


def test_a_prompt_goes_as_ids_and_its_answer_comes_back_in_order(root, installed):
    """The program answers with the prompt's last 8 tokens, which end the chat's frame."""
    model = fitted(root)
    marked = "he said <|end|>"
    texts = [*SOURCES, "", marked]
    found = list(model.transfer(texts, WAY, KIND.Decoding()))
    chat = model.service._chat
    expected = []
    for text in texts:
        ids = model.service._ids(model.prompt(text, WAY))
        expected.append(" ".join(chat._whole.decode(ids[-8:]).split()) if text else "")
    assert found == expected
    assert len(set(found)) > 3
    assert f"|engine:vllm-{vllm_program.VERSION}" in model.signature(WAY, KIND.Decoding())
    process = model.service.server.process
    assert process.poll() is None
    assert list(model.transfer(SOURCES[:2], WAY, KIND.Decoding())) == found[:2], "the same process answers"
    del model
    assert process.wait(as_loaded(20)) is not None, "it ends with its model"


def test_where_it_is_missing_is_one_sentence(root):
    with pytest.raises(UserError, match=r"^engine: vLLM is not installed on this machine"):
        fitted(root)
    with pytest.raises(UserError, match=r"^engine: Only a folder takes this"):
        KIND.choose_options({"endpoint": "lab", "engine": "vllm"})


@pytest.mark.parametrize(
    ("fault", "said"), [("VLLM_REFUSES", "No available memory for the cache blocks"), ("VLLM_BREAKS", "vLLM ")]
)
def test_where_it_ends_its_last_words_are_the_sentence(root, installed, monkeypatch, fault, said):
    monkeypatch.setenv(fault, "1")
    model = fitted(root)
    with pytest.raises(UserError, match=rf"^engine: vLLM .*{said}" if fault == "VLLM_REFUSES" else "^engine: vLLM "):
        list(model.transfer(SOURCES[:2], WAY, KIND.Decoding()))


def test_a_wait_for_it_can_be_ended(root, installed, monkeypatch):
    monkeypatch.setenv("VLLM_LOADS", "1")
    model, calls = fitted(root), []

    def stop():
        calls.append(1)
        if len(calls) == 2:  # the first is before anything is asked
            raise Stopped

    with pytest.raises(Stopped):
        list(model.within(RunContext(stop)).transfer(SOURCES[:2], WAY, KIND.Decoding()))
    process = model.service.server.process
    model.service.server.end()
    assert process.wait(as_loaded(20)) is not None


@pytest.mark.soak
def test_it_ends_with_a_worker_that_is_killed(root, installed):
    here = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sys.path))}
    command = [sys.executable, "-c", BESIDE, str(root / "models" / "tiny")]
    worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=here)
    child = psutil.Process(int(worker.stdout.readline()))
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait(as_loaded(20))
    child.wait(as_loaded(20))
    assert not child.is_running()
