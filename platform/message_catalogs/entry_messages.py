"""Messages that no call names: labels made of keys of settings, of aspects and roles, and what models are.

Pages make a label of a key (`allow_unchanged`: "Allow unchanged") where an entry of a registry declares settings.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from foundation.key_labels import label_of_key
from foundation.project import ROOT
from message_catalogs.messages import Message

MODELS = Path("modelserving", "transfer")


def entry_messages() -> Iterator[Message]:
    """Labels of settings (of kinds of work, quality checks), aspects, roles and stages; models' first lines."""
    from accounts.permissions import Role
    from annotation.quality import CHECKS
    from annotation.study_templates import TEMPLATES
    from annotation.task_types import TASK_TYPES
    from annotation.task_types.rate import CRITERIA
    from corpora.knowledge.identifiers import KINDS
    from foundation.aspects import ASPECTS

    for folder, registry in (("annotation/task_types", TASK_TYPES), ("annotation/quality", CHECKS)):
        for name, entry in registry.items():
            yield from _of_settings(entry, f"{folder}/{name}.py")
    for aspect in ASPECTS:
        yield from (Message(text, place=("foundation/aspects.py", 0)) for text in (aspect, aspect.capitalize()))
    yield from (Message(label_of_key(name), place=("annotation/task_types/rate.py", 0)) for name in CRITERIA)
    yield from (Message(label_of_key(role), place=("accounts/permissions", 0)) for role in Role)
    yield from (Message(kind, place=("corpora/knowledge/identifiers.py", 0)) for kind in KINDS)
    for name, template in TEMPLATES.items():
        place = (f"annotation/study_templates/{name}.py", 0)
        yield from (Message(stage.title, place=place) for stage in template.stages)
    yield from _of_models()


def _of_settings(entry: Any, file: str) -> Iterator[Message]:
    for key in entry.defaults:
        yield Message(label_of_key(key), place=(file, 0))
        for choice in getattr(entry, "choices", {}).get(key, ()):
            if choice:
                yield Message(label_of_key(choice), place=(file, 0))


def _of_models() -> Iterator[Message]:
    for file in sorted((ROOT / MODELS).glob("[!_]*.py")):
        about = (ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "").partition("\n")[0]
        yield Message(about, place=(str(MODELS / file.name), 1))
