"""Prepared statements that travel together, with BEGIN before and COMMIT behind them: one round trip for all.

psycopg's own pipeline sends BEGIN alone and waits for it, looks at the socket before each message, and finds out anew
for each result how its columns are read. A statement that a session does not know yet is left to psycopg, which
prepares it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from psycopg import Connection
from psycopg._queries import PostgresQuery  # the statement as the session knows it
from psycopg.abc import PQGen
from psycopg.adapt import Transformer
from psycopg.errors import error_from_result
from psycopg.generators import fetch_many, send
from psycopg.pq import ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult

Row = tuple[Any, ...]
ROWS, NO_ROWS = ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK


class Session:
    """Kept at a connection: how to write values for it, and by prepared statement how to read its rows."""

    def __init__(self, connection: Connection[Any]) -> None:
        self.writer = Transformer(connection)
        self.readers: dict[bytes, Any] = {}  # a Transformer for each


MOST_READERS = 200  # a statement that is prepared again, as after a rollback, has a new name
_parts: dict[str, tuple[bytes, Any, list[str]]] = {}  # of a statement: as PostgreSQL reads it, formats, names of values


def round_trip(
    connection: Connection[Any], asked: Sequence[tuple[str, Mapping[str, Any]]], *, commits: bool = False
) -> list[Row | None] | None:
    """The first row of each statement; None, and nothing was sent, where psycopg has to ask.

    Outside of autocommit a transaction begins with them where none is open, and ends with them where it `commits`. An
    error is psycopg's; the first one in the order of the statements.
    """
    session = _session_of(connection)
    sent = [known for each in asked if (known := _as_sent(connection, session, *each)) is not None]
    if len(sent) < len(asked) or connection._pipeline is not None or connection.isolation_level or connection.read_only:
        return None
    with connection.lock:
        results = connection.wait(_exchange(connection, sent, commits))
    for result in results:
        if result.status not in (ROWS, NO_ROWS):
            raise error_from_result(result, encoding=connection.info.encoding)
    before = len(results) - len(sent) - commits
    return [_first(session, each[0], result) for each, result in zip(sent, results[before:], strict=False)]


def _session_of(connection: Connection[Any]) -> Session:
    kept = vars(connection)
    session = kept.get("restyle_session")
    if session is None:
        session = kept["restyle_session"] = Session(connection)
    return session


def _as_sent(
    connection: Connection[Any], session: Session, statement: str, values: Mapping[str, Any]
) -> tuple[bytes, Any, Any] | None:
    """(name in the session, values as they are sent, their formats); None where it is not prepared for their types."""
    parts = _parts.get(statement)
    if parts is None:
        query = PostgresQuery(session.writer)
        query.convert(statement, values)
        parts = _parts[statement] = (query.query, query._want_formats or [], query._order or [])
    text, formats, names = parts
    written = session.writer.dump_sequence([values[name] for name in names], formats)
    key = (text, session.writer.types or ())
    known = connection._prepared._names
    name = known.get(key)
    if name is None:
        return None
    known.move_to_end(key)  # the one that was not asked for the longest is forgotten
    return name, written, session.writer.formats


def _exchange(
    connection: Connection[Any], sent: Sequence[tuple[bytes, Any, Any]], commits: bool
) -> PQGen[list[PGresult]]:
    """The results, also those of BEGIN and COMMIT. A connection whose answers were not read to the end is closed."""
    server = connection.pgconn
    begins = not connection.autocommit and server.transaction_status == TransactionStatus.IDLE
    results: list[PGresult] = []
    try:
        server.enter_pipeline_mode()
        if begins:
            server.send_query_params(b"BEGIN", None)
        for name, values, formats in sent:
            server.send_query_prepared(name, values, param_formats=formats)
        if commits:
            server.send_query_params(b"COMMIT", None)
        server.pipeline_sync()
        yield from send(server)
        for _ in range(begins + len(sent) + commits):
            results += yield from fetch_many(server)
        yield from fetch_many(server)  # the end of the pipeline
        server.exit_pipeline_mode()
    except BaseException:
        server.finish()
        raise
    return results


def _first(session: Session, name: bytes, result: PGresult) -> Row | None:
    reader = session.readers.get(name)
    if reader is None:
        if len(session.readers) >= MOST_READERS:
            session.readers.clear()
        reader = session.readers[name] = Transformer(session.writer.connection)
        reader.set_pgresult(result)
    else:
        reader.set_pgresult(result, set_loaders=False)
    return reader.load_row(0, tuple) if result.ntuples else None
