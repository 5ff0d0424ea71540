"""Gates in a database, at which jobs wait until the test lets them on.

A gate is a row, so that it stays shut while PostgreSQL is killed and starts again. Who waits at one holds an advisory
lock of its number, by which the test sees it.
"""

from collections.abc import Sequence
from typing import Any

WAIT = """
    CREATE TABLE shut_gates (gate int PRIMARY KEY);
    CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_xact_lock_shared(TG_ARGV[0]::int);
        WHILE EXISTS (SELECT FROM shut_gates WHERE gate = TG_ARGV[0]::int) LOOP PERFORM pg_sleep(0.02); END LOOP;
        RETURN NEW;
    END $$;
"""
TRIGGER = """
    INSERT INTO shut_gates VALUES ({gate});
    CREATE TRIGGER gate_{gate} BEFORE {event} FOR EACH ROW WHEN ({when}) EXECUTE FUNCTION wait_at_gate({gate});
"""
WAITING = """
    SELECT count(DISTINCT objid) FROM pg_locks
        WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted AND objid = ANY(%s)
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
OPEN = "DELETE FROM shut_gates WHERE gate = ANY(%s)"


def training_gate(number: int, run: int, looks: int) -> str:
    """SQL that shuts a gate before the training's look of that number at the tune set is stored."""
    event = "UPDATE OF samples ON modelserving_trainingrun"
    return TRIGGER.format(
        gate=number, event=event, when=f"NEW.id = {run} AND jsonb_array_length(NEW.samples) = {looks}"
    )


def output_gate(number: int, system: int, sentence: int) -> str:
    """SQL that shuts a gate before the system's output for the sentence is stored."""
    when = f"NEW.system_id = {system} AND NEW.sentence_id = {sentence}"
    return TRIGGER.format(gate=number, event="INSERT ON corpora_output", when=when)


def waits_at_all(database: Any, gates: Sequence[int]) -> bool:
    """Whether somebody waits at each of the gates."""
    return database.execute(WAITING, [list(gates)]).fetchone()[0] == len(gates)
