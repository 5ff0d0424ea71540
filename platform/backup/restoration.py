"""Bring a backup back into an empty site: its key, its files, and then its database, whole or not at all."""

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryFile

from django.conf import settings
from django.core.cache import cache
from django.core.files import File
from django.core.files.storage import default_storage
from django.core.management import call_command

from accounts.actions.rotate_key import rotate_key
from backup.archive import CHUNK, DATABASE, FILES, KEY, Backup
from backup.creation import last_line
from backup.postgres_programs import connect, database, environment, program
from backup.verification import is_there
from embedded.folders import sign_ins_file
from foundation.errors import UserError

OTHER_KEY = (
    "The site has another secret key than the one that was backed up: people sign in again, and pseudonyms of later "
    "exports are others."
)
NO_SECOND_STEPS = (
    "A backup without the secret key holds no second steps: people who had one ({count}) sign in by password alone "
    "until they set it up again, under Account."
)
# The tables of an empty site, without people. Dropped one by one, as the schema may be somebody else's.
EMPTY = """
DO $$ DECLARE name text; BEGIN
FOR name IN SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = current_schema() LOOP
    EXECUTE 'DROP TABLE IF EXISTS ' || name || ' CASCADE'; END LOOP;
FOR name IN SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
        AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e') LOOP
    EXECUTE 'DROP ROUTINE IF EXISTS ' || name || ' CASCADE'; END LOOP;
END $$
"""


def restore_backup(backup: Backup) -> list[str]:
    """Restore a backup that passed `check`; sentences that somebody should know. Raises UserError.

    A restoring that is broken off is begun again: until its last step the database is empty.
    """
    brought = _restore_key(backup)
    for part in backup.files:
        if not is_there(part):
            _restore_file(backup, part.name)
    with connect(autocommit=True) as empty:
        empty.execute(EMPTY)
    _restore_database(backup)
    call_command("migrate", verbosity=0, interactive=False)
    other = not brought and rotate_key(forget=True)
    with connect(autocommit=True) as whole:
        whole.execute("ANALYZE")
    cache.clear()  # sessions, and messages of jobs that are others now
    if (demo := sign_ins_file(Path(settings.DATA))).parent.is_dir():
        _leave_no_demo(demo, backup)
    return [OTHER_KEY] * bool(other) + second_steps_left_out(backup)


def second_steps_left_out(backup: Backup) -> list[str]:
    """A sentence where people of the site had second steps that the backup does not hold, else none."""
    count = backup.about.get("second_steps_left_out")
    return [NO_SECOND_STEPS.format(count=count)] if isinstance(count, int) and count > 0 else []


def _restore_key(backup: Backup) -> bool:
    """Replace the key that was made here by the backup's; a key that SECRET_KEY names stays."""
    file = Path(settings.DATA, "secret-key")
    if KEY not in backup.parts or not file.exists() or file.read_text().strip() != settings.SECRET_KEY:
        return False
    with backup.opened(KEY) as part:
        key = part.read().decode()
    draft = file.with_name("secret-key.restored")
    draft.touch(mode=0o600)
    draft.write_text(key)
    draft.replace(file)
    return True


def _restore_file(backup: Backup, part: str) -> None:
    name = part.removeprefix(FILES)
    with backup.opened(part) as content:
        stored = default_storage.save(name, File(content, name))
    if stored != name:
        default_storage.delete(stored)
        raise UserError("Storage would not take the file under its name.", where=name)


def _restore_database(backup: Backup) -> None:
    """All of it in one transaction, by pg_restore."""
    place, _ = program("pg_restore", least=int(backup.about["pg_dump"]))
    command = [str(place), "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", "--no-comments"]
    with TemporaryFile() as said, backup.opened(DATABASE) as dump:
        process = subprocess.Popen(  # noqa: S603
            [*command, database()], stdin=subprocess.PIPE, stdout=said, stderr=said, env=environment()
        )
        assert process.stdin is not None
        try:
            with process.stdin as pipe:
                shutil.copyfileobj(dump, pipe, CHUNK)
        except BrokenPipeError:
            pass  # it has ended, and says why
        except BaseException:
            process.kill()  # before its last byte, so that nothing is committed
            raise
        finally:
            ended = process.wait()
        if ended:
            said.seek(0)
            raise UserError(
                "pg_restore could not restore the database, which is empty: {detail}",
                detail=last_line(said.read()),
            )


def _leave_no_demo(file: Path, backup: Backup) -> None:
    """`make run` fills an embedded database with the demo where this file is missing."""
    file.touch(mode=0o600)
    made = str(backup.about.get("made_at"))[:16]
    file.write_text(f"This site was restored from a backup of {made} UTC; people sign in as before.\n")
