"""The folders of the embedded servers' data and sockets, and the account that runs them."""

import hashlib
import os
import pwd
import stat
import subprocess
from pathlib import Path
from typing import NamedTuple

from foundation.errors import UserError
from foundation.project import ROOT

SOCKET_PATH_LIMIT = 100  # bytes; the kernel's own limit is 108 on Linux and 104 on macOS, its end mark included
LONGEST_SOCKET_NAME = len("/.s.PGSQL.5432.lock")
# Beside the tables that they open, so that they go where those go; the server lets nobody else read this folder.
SIGN_INS = "restyle-demo-sign-ins.txt"
SERVER_USER = "pgserver"  # PostgreSQL refuses to run as root


class Account(NamedTuple):
    """The user and group that a server runs as."""

    uid: int
    gid: int


def data_dir() -> Path:
    """The folder of everything that is kept: RESTYLE_DATA, or `.data` beside manage.py."""
    return Path(os.environ.get("RESTYLE_DATA") or ROOT / ".data").expanduser().resolve()


def prepare(data: Path) -> None:
    """Make the data folder and its log folder, so that the account of the servers can pass through them."""
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        (data / "logs").mkdir(exist_ok=True, mode=0o700)
    except (PermissionError, NotADirectoryError, FileExistsError) as error:
        raise UserError(
            "The folder for the data cannot be made: {strerror}.", strerror=error.strerror, where=str(data)
        ) from error
    if os.geteuid() == 0:
        _let_pass(data / "logs")
    elif data.stat().st_uid != os.geteuid():
        raise UserError(
            "The folder belongs to {name}: start as that user, or name another folder in RESTYLE_DATA.",
            name=_name(data.stat().st_uid),
            where=str(data),
        )


def server_account(data: Path) -> Account | None:
    """The account of the servers: None for the user who starts them; as root, the owner of the data or `pgserver`."""
    if os.geteuid() != 0:
        return None
    owner = data.stat().st_uid
    try:
        entry = pwd.getpwuid(owner) if owner else pwd.getpwnam(SERVER_USER)
    except KeyError:
        if owner:
            raise UserError("The folder belongs to the unknown user {owner}.", owner=owner, where=str(data)) from None
        entry = _make_server_user()
    return Account(entry.pw_uid, entry.pw_gid)


def own(path: Path, account: Account | None) -> None:
    """Give a file or folder to the account."""
    if account:
        os.chown(path, *account)


def private_folder(path: Path, account: Account | None) -> Path:
    """A folder that only the account (and root) may enter; refuses one that somebody else put there."""
    path.mkdir(exist_ok=True, mode=0o700)
    info = path.lstat()
    expected = account.uid if account else os.geteuid()
    if not stat.S_ISDIR(info.st_mode) or info.st_uid not in (expected, os.geteuid()):
        raise UserError("This folder is not ours; remove it and start again.", where=str(path))
    path.chmod(0o700)
    own(path, account)
    return path


def ready_url_folder(data: Path) -> Path:
    """The folder of the sockets: `run` in the data folder or, where that path is too long, a short one in /tmp."""
    inside = data / "run"
    if len(os.fsencode(inside)) + LONGEST_SOCKET_NAME <= SOCKET_PATH_LIMIT:
        return inside
    return Path("/tmp") / f"restyle-{hashlib.sha256(os.fsencode(data)).hexdigest()[:12]}"  # noqa: S108


def sign_ins_file(data: Path) -> Path:
    """The file with the demo's sign-ins, kept for the next start."""
    return data / "postgres" / SIGN_INS


def log_file(data: Path, name: str, account: Account | None = None) -> Path:
    """The log `name` in the data folder, writable by the account."""
    path = data / "logs" / f"{name}.log"
    if path.exists() and not account and not os.access(path, os.W_OK):
        path.unlink()  # left by root in a folder that is ours
    path.touch(mode=0o600)
    own(path, account)
    return path


def let_read(folder: Path) -> None:
    """As root: let the servers' account reach `folder` and read what is in it (their programs may lie below /root)."""
    _let_pass(folder)
    for path in folder.rglob("*"):
        if not path.is_symlink():
            mode = path.stat().st_mode
            wanted = mode | (0o055 if path.is_dir() or mode & 0o100 else 0o044)
            if wanted != mode:
                path.chmod(wanted)


def _let_pass(folder: Path) -> None:
    """Add the right to pass through (not to list) to a folder and those above it, where it is missing."""
    for path in (folder, *folder.parents):
        mode = path.stat().st_mode
        if not mode & stat.S_IXOTH:
            path.chmod(mode | stat.S_IXOTH)


def _make_server_user() -> pwd.struct_passwd:
    command = ["useradd", "--system", "--no-create-home", "--shell", "/bin/sh", SERVER_USER]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise UserError(
            "PostgreSQL does not run as root, and the user {server_user} for it could not be made: "
            "make that user, or start as an ordinary user.",
            server_user=SERVER_USER,
        ) from error
    return pwd.getpwnam(SERVER_USER)


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"
