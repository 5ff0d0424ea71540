from collections import defaultdict
from typing import Any

from django.db import connection, transaction
from django.db.models import Max

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Direction, DocumentSentence, Sentence
from corpora.source_selection import Choice, SelectionCriteria, choose_sentences
from corpora.splits import held_places
from foundation.errors import UserError


@audited
@transaction.atomic
def select_sources(
    *,
    direction: Direction,
    wish: SelectionCriteria,
    split: str = Sentence.Split.TEST,
    choice: Choice | None = None,
    by: Any = None,
) -> Choice:
    """Make the chosen sentences of documents sources of the direction, behind those that it has.

    Sentences that are held back, dropped, or held out of the split are left out; no sentence becomes a source of a
    direction twice. The split of a document goes before `split`. The answer counts those left out by reason.
    `choose_sentences` is the preview; its answer may be given as `choice`, which is refused where the documents have
    changed meanwhile.
    """
    lock_study(direction.study)
    if split not in Sentence.Split.values:
        raise UserError("'{split}' is not a split; the splits are train, tune and test.", split=split, where="split")
    choice = _still_free(direction, split, choice) if choice else choose_sentences(direction, wish, split=split)
    if not choice.taken:
        raise UserError("No sentence is left to select.", where="rule")
    last = direction.sentences.aggregate(last=Max("number"))["last"] or 0
    with connection.cursor() as cursor:
        cursor.execute(INSERT, [direction.pk, last, split, choice.taken, direction.pk])
        if cursor.rowcount != len(choice.taken):
            raise UserError("The documents were changed meanwhile; select again.", where="rule")
    return choice


def _still_free(direction: Direction, split: str, choice: Choice) -> Choice:
    """The choice; a UserError where a text of it has come to be held out since it was made."""
    rows = DocumentSentence.objects.filter(pk__in=choice.taken).values_list("text", "document__split")
    into: dict[str, list[str]] = defaultdict(list)
    for text, own in rows.iterator(chunk_size=5000):
        into[own or split].append(text)
    if any(place for one, texts in into.items() for place in held_places(direction.study, one, texts)):
        raise UserError("The splits were changed meanwhile; select again.", where="rule")
    return choice


INSERT = """
    INSERT INTO corpora_sentence (direction_id, number, text, split, domain, origin_id, concepts)
    SELECT %s, %s + t.place, s.text, COALESCE(NULLIF(d.split, ''), %s), d.domain, s.id, s.concepts
    FROM unnest(%s::bigint[]) WITH ORDINALITY AS t(id, place)
    JOIN corpora_documentsentence s ON s.id = t.id JOIN corpora_document d ON d.id = s.document_id
    WHERE NOT s.held AND NOT s.dropped
      AND NOT EXISTS (SELECT 1 FROM corpora_sentence o WHERE o.direction_id = %s AND o.origin_id = s.id)
"""
