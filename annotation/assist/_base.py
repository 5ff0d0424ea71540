"""A translator puts sentences into the annotator's language, as help beside the text (MSD section 3.1)."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar


class Translator(ABC):
    """Languages are named as the provider names them, `en` and `zh` for most."""

    name: ClassVar[str]

    @abstractmethod
    def translate(
        self, texts: Sequence[str], source_language: str, target_language: str, folder: str = ""
    ) -> list[str]:
        """One translation a text, in their order; a UserError where it does not know the languages.

        `folder` is where this machine keeps its models.
        """
