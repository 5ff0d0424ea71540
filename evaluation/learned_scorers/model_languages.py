"""The languages of a model in a folder of this machine, as far as its card or its name says."""

import re
from pathlib import Path

from evaluation.languages import UNNAMED, primary
from evaluation.learned_scorers.bertscore_model import BEST_LAYERS
from foundation.model_folders import model_name

CARD = "README.md"  # as Hugging Face has it: YAML between lines of dashes, `language: en`, or a list
FRONT = re.compile(r"\A---\n(.*?)\n---", re.DOTALL)
LANGUAGE = re.compile(r"^language:[ \t]*(\[[^\]]*\]|[^\n\[]+|(?:\n[ \t]*-[^\n]+)+)", re.MULTILINE)
CODE = re.compile(r"[a-z]{2,}", re.IGNORECASE)
MANY = ("multilingual", "xlm")
CHINESE = "bert-base-chinese"


def unsuited(folder: Path | None, language: str) -> str:
    """Why a model says nothing of texts in a language, as a sentence; "" where it does, or nobody said."""
    known = _languages(folder) if folder is not None else []
    spoken = primary(language)
    if not known or spoken in known or spoken == UNNAMED or any(each in MANY for each in known):
        return ""
    name = model_name(folder) if folder else ""
    return f"The model {name} is of the language {', '.join(known)}, and the study's is {spoken}."


def _languages(folder: Path) -> list[str]:
    card = folder / CARD
    front = FRONT.search(card.read_text(encoding="utf-8", errors="replace")) if card.is_file() else None
    said = LANGUAGE.search(front[1]) if front else None
    if said:
        return [code.lower() for code in CODE.findall(said[1])]
    name = model_name(folder)
    if name not in BEST_LAYERS or any(each in name for each in MANY):
        return []
    return ["zh"] if name == CHINESE else ["en"]
