"""The kinds of work that people do in the browser; a file is a kind, and holds it as `TASK_TYPE`."""

from pathlib import Path

from annotation.task_data import (
    Concept,
    DocumentMaterial,
    GroupMaterial,
    Material,
    PreviousStage,
    Product,
    QuestionMaterial,
    Settled,
    Text,
    written_of,
)
from annotation.task_types._base import Answer, Content, ItemContent, Judgement, Said, Settings, TaskType
from foundation.registry import Registry

TASK_TYPES = Registry[TaskType]("task type", "annotation.task_types", Path(__file__).parent, attribute="TASK_TYPE")

__all__ = [
    "TASK_TYPES",
    "Answer",
    "Concept",
    "Content",
    "DocumentMaterial",
    "GroupMaterial",
    "ItemContent",
    "Judgement",
    "Material",
    "PreviousStage",
    "Product",
    "QuestionMaterial",
    "Said",
    "Settings",
    "Settled",
    "TaskType",
    "Text",
    "written_of",
]
