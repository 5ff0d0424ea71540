"""The study templates: the making of a corpus, stage by stage; a file is a template, and holds it as `TEMPLATE`."""

from pathlib import Path

from annotation.study_templates._base import DocumentPlan, GroupPlan, SelectionPlan, SplitPlan, Stage, StudyTemplate
from foundation.registry import Registry

TEMPLATES = Registry[StudyTemplate](
    "study template", "annotation.study_templates", Path(__file__).parent, attribute="TEMPLATE"
)

__all__ = ["TEMPLATES", "DocumentPlan", "GroupPlan", "SelectionPlan", "SplitPlan", "Stage", "StudyTemplate"]
