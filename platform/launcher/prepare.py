"""Run by the launcher before the web server: migrate, collect the static files, seed the demo on the first start."""

import io
import sys
from pathlib import Path

import django
from django.core.management import call_command

from embedded.folders import sign_ins_file
from launcher.exit_status import say_errors


def prepare() -> int:
    """Bring database and static files up to date; prints the demo's sign-ins where there is a demo."""
    django.setup()
    from django.conf import settings

    call_command("migrate", verbosity=0, interactive=False)
    from accounts.authentication import require_site_key

    require_site_key()
    call_command("collectstatic", verbosity=0, interactive=False)
    if settings.EMBEDDED and settings.DEMO:
        sys.stdout.write(demo_sign_ins(Path(settings.DATA)))
    return 0


def demo_sign_ins(data: Path) -> str:
    """The sign-ins of the demo, which is seeded where it was not yet."""
    file = sign_ins_file(data)
    if not file.exists():
        said = io.StringIO()
        call_command("seed_demo", stdout=said)
        draft = file.with_suffix(".draft")
        draft.touch(mode=0o600)
        draft.write_text(said.getvalue())
        draft.replace(file)
    return file.read_text()


if __name__ == "__main__":
    sys.exit(say_errors(prepare))
