"""Runs a command of manage.py: with the embedded servers, an up-to-date database, and plain errors."""

import os
import signal
import sys
from types import FrameType

from embedded import data_dir, name_servers, servers
from launcher.exit_status import say_errors

WITHOUT_SERVERS = {"help", "version", "collectstatic", "compilemessages", "makemessages", "diffsettings", "startapp"}
WITHOUT_SERVERS |= {"check_migrations", "study_file_schema"}
AS_IT_IS = {"migrate", "makemigrations", "backup", "restore"}  # leave the database as it is, or see to it themselves


def run_command(argv: list[str]) -> int:
    """Run the Django command in `argv`; its exit status. While `make run` is on its servers are used and stay."""
    return say_errors(lambda: _run(argv))


def _run(argv: list[str]) -> int:
    from django.core.management import execute_from_command_line

    if not needs_servers(argv[1:]):
        name_servers(data_dir())
        execute_from_command_line(argv)
        return 0
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave_in_order)
    with servers():
        if os.environ.get("RESTYLE_EMBEDDED") and argv[1] not in AS_IT_IS:
            bring_up_to_date()
        execute_from_command_line(argv)
    return 0


def needs_servers(arguments: list[str]) -> bool:
    """Whether a command with these arguments works on the database or the queue."""
    asks_for_help = {"-h", "--help", "--version"} & set(arguments)
    if arguments[:1] == ["transfer"] and any(os.path.isfile(argument) for argument in arguments[1:]):
        return False  # a checkpoint's file holds all that it needs
    return bool(arguments) and not asks_for_help and arguments[0] not in WITHOUT_SERVERS


def bring_up_to_date() -> None:
    """Apply the migrations that the embedded database lacks, so that any command may be the first one typed."""
    import django
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    django.setup()
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", verbosity=0, interactive=False)


def _leave_in_order(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)
