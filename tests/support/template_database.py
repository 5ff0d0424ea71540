"""One migrated database for all processes of a run: they copy theirs from it, which takes a twentieth of the time."""

from pathlib import Path

from foundation.disk import exclusive_lock


def migrated_once(data: Path) -> str:
    """The name of the embedded server's own database, empty but for its tables; the first process makes these."""
    from django.core.management import call_command
    from django.db import connection

    done = data / "migrated"
    with exclusive_lock(data / "migrated.lock"):
        if not done.exists():
            call_command("migrate", verbosity=0, interactive=False)
            connection.close()
            connection.close_pool()  # none is copied while somebody is connected to it
            done.touch()
    return str(connection.settings_dict["NAME"])
