"""How many words somebody reads for one item."""

from typing import Any

from annotation.campaigns.expected_answers import opening_words
from annotation.task_types import TaskType
from foundation.reading_time import word_count


def words_read(kind: TaskType, content: dict[str, Any], settings: dict[str, Any], before: str = "") -> int:
    """The words of the texts that are judged and of those beside them; of other work, of the text `before` it."""
    beside = kind.beside(content, settings)
    first = [before or opening_words(content, None)] if beside is None else beside
    judged = [text for text in kind.judged(content) if text not in first]
    return sum(word_count(text) for text in (*first, *judged))
