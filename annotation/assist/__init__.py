"""Translators that help annotators read; a file is one, and holds it as `TRANSLATOR`. None is on by default."""

from pathlib import Path

from annotation.assist._base import Translator
from foundation.registry import Registry

TRANSLATORS = Registry[Translator]("translator", "annotation.assist", Path(__file__).parent, attribute="TRANSLATOR")

__all__ = ["TRANSLATORS", "Translator"]
