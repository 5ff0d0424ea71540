"""The titles of jobs: stored in English, as a worker has no reader, and shown in the language of whoever reads them."""

from collections.abc import Mapping, Sequence
from typing import Final

from foundation.translation import translatable, translated
from jobs.stored_sentences import filled, message_of

TITLES: Final[Mapping[str, Sequence[str]]] = {  # by the last part of the Celery task's name
    "import_documents": [translatable("Documents: {name}")],
    "bring_in_table": [translatable("Import: {name}")],
    "import_gold": [translatable("Look at gold: {name}"), translatable("Gold: {name}")],
    "select_sources": [translatable("Count sources for {direction}"), translatable("Select sources for {direction}")],
    "link_concepts": [translatable("Concepts, by {name}")],
    "translate": [translatable("Translate {style}: {source} to {target}")],
    "agreement": [translatable("Agreement in {campaign}")],
    "release": [translatable("Release of gold data")],
    "publish": [translatable("Push to {service}"), translatable("Pull {name}")],
    "back_up": [translatable("Backup of the site")],
    "score": [translatable("Metrics and report")],
    "transfer": [translatable("{kind}: {name}")],
    "train": [translatable("Training: {name}")],
    "reset_demo": [translatable("Reset of the demo")],
}
"""Those that the actions give; a job of another task has the words of a person as its title."""
IN_CATALOG = "kind"  # a place whose value is a label of ours


def title_for_reader(task: str, title: str) -> str:
    """The title of a job of the Celery task, in the language of the reader; as it is where no words in it are ours."""
    for pattern in TITLES.get(task.rpartition(".")[2], ()):
        if pattern == title:
            return translated(title)
        message = message_of(pattern, translated(pattern))
        values = message.values(title) if message.names else None
        if values is not None:
            places = dict(zip(message.names, values, strict=True))
            if IN_CATALOG in places:
                places[IN_CATALOG] = translated(places[IN_CATALOG])
            return filled(message.translated, places)
    return title
