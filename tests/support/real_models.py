"""Models that `./manage.py add_model` put below RESTYLE_MODELS: tests of the soak are skipped without them."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.language_model_server import Served, served


def real_model(name: str) -> Path:
    """The folder of a packaged model below the RESTYLE_MODELS that the run was started with."""
    folder = Path(os.environ.get("RESTYLE_MODELS") or "nowhere") / name
    if not (folder / "config.json").is_file():
        pytest.skip(f"there is no {name} below RESTYLE_MODELS: ./manage.py add_model {name}")
    return folder


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    """An endpoint whose answers are transformers' own: its chat template, its greedy search or sampling by the seed."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(folder)
    model: Any = AutoModelForCausalLM.from_pretrained(folder).eval()

    def answer(request: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
        asked = tokenizer.apply_chat_template(
            request["messages"], add_generation_prompt=True, return_tensors="pt", return_dict=True
        )
        most, drawn = request["max_tokens"], request["temperature"] > 0
        heat = {"temperature": request["temperature"], "top_p": request.get("top_p", 1)} if drawn else {}
        torch.manual_seed(request["seed"])
        with torch.inference_mode():
            whole = model.generate(**asked, do_sample=drawn, max_new_tokens=most, **heat)
        ids = whole[0, asked["input_ids"].shape[1] :].tolist()
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": tokenizer.decode(ids, skip_special_tokens=True)},
            "finish_reason": "stop" if ids[-1] == tokenizer.eos_token_id else "length",
        }
        usage = {"prompt_tokens": asked["input_ids"].shape[1], "completion_tokens": len(ids)}
        body = {"id": "x", "object": "chat.completion", "created": 1, "model": request["model"], "choices": [choice],
                "usage": usage}  # fmt: skip
        return 200, {}, json.dumps(body).encode()

    with served(behave=answer) as server:
        yield server
