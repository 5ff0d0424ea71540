"""Make .venv, install what is missing, and run a command in it. Needs nothing but Python's standard library.

    python3 platform/launcher/bootstrap.py [--tests] COMMAND [ARGUMENT...]

Written so that an old Python can read it, which then says that it is too old.
"""

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import socket
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, "bin", "python")
LOG = os.path.join(VENV, "install.log")
UNFINISHED = os.path.join(VENV, "install-unfinished")  # there while pip works; left behind where it was killed
OLDEST = (3, 11)
FOUND = "{}.{}".format(*sys.version_info)
SOURCE_ONLY = ["quickumls-simstring", "leveldb"]  # come as C++ source, which must be compiled
COMPILER = (
    "Two packages are compiled during the installation, and no C++ compiler with Python's headers was found: "
    "install them (Debian and Ubuntu: apt install g++ python3-dev; Fedora: dnf install gcc-c++ python3-devel; "
    "macOS: xcode-select --install) and start again."
)
REASONS = [
    (r"No space left on device|Errno 28",
     f"The disk is full: free some space (the installation takes up to 8 GB in {ROOT} and, while it lasts, in the "
     "folder for temporary files) and start again."),
    (r"Python\.h|Failed building wheel|command '[^']*(g\+\+|gcc|cc|clang|c\+\+)[^']*' failed|"
     r"Unable to find a compatible compiler|(g\+\+|gcc|cc|c\+\+): (command )?not found", COMPILER),
    (r"Failed to establish a new connection|name resolution|NameResolutionError|Read timed out|ConnectionError|"
     r"Connection (refused|reset)|Max retries exceeded|Network is unreachable|SSLError",
     "The packages could not be fetched: check the network connection (or pip's proxy settings) and start again."),
    (r"No matching distribution found for (?P<what>\S+)",
     f"There is no package <what> for Python {FOUND} on this machine: start with another Python, "
     "as in make run PYTHON=python3.12."),
    (r"Permission denied", f"The folder {VENV} may not be written: start as its owner."),
]  # fmt: skip


class Failure(Exception):
    """One sentence for the user."""


def main(arguments):
    """Install what the command needs, then become the command."""
    tests = arguments[:1] == ["--tests"]
    command = arguments[1:] if tests else arguments
    use_a_python_that_is_new_enough()
    if command == ["run"]:
        refuse_taken_port(os.environ.get("HOST") or "127.0.0.1", os.environ.get("PORT") or "8000")
        command = ["python", "-m", "launcher"]
    with only_one():
        ensure_installed(tests)
    os.environ["PATH"] = os.path.join(VENV, "bin") + os.pathsep + os.environ.get("PATH", os.defpath)
    os.environ["PYTHONPATH"] = os.pathsep.join([ROOT, os.path.join(ROOT, "platform")])
    os.environ["PYTHONUNBUFFERED"] = "1"
    # Nothing is compiled when it is installed, so what is not kept is compiled again by every process.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.chdir(ROOT)
    sys.stdout.flush()
    os.execvp(command[0], command)


def use_a_python_that_is_new_enough():
    """Go on as the newest suitable Python on the path where this one is too old."""
    if sys.version_info >= OLDEST:
        return
    for minor in (13, 12, 11, 14):
        other = shutil.which(f"python3.{minor}")
        # A version manager puts names on the path that only say that the version is not chosen.
        if other and subprocess.call([other, "-c", ""], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0:
            os.execv(other, [other, *sys.argv])
    raise Failure(f"Restyle needs Python 3.11 or newer, and only Python {FOUND} was found: install a newer one.")


def refuse_taken_port(host, port):
    """Say at once what would only be found out after the installation."""
    if not port.isdigit() or not 0 < int(port) < 65536:
        raise Failure(f"PORT is {port!r}: give a number from 1 to 65535.")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, int(port)))
        except PermissionError:
            raise Failure(f"Port {port} needs root: choose one above 1023, as in make run PORT=8080.") from None
        except OSError as error:
            raise Failure(
                f"Port {port} is taken ({error.strerror}): stop the program that has it, "
                "or choose another, as in make run PORT=8080."
            ) from None


@contextlib.contextmanager
def only_one():
    """Hold the folder's lock: two that start together do not install at the same time."""
    handle = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def ensure_installed(tests):
    """Bring .venv to what the requirements say; takes no time where it is already there."""
    wanted = [("run", "requirements.txt")] + ([("tests", os.path.join("tests", "requirements.txt"))] if tests else [])
    usable = venv_works() and not os.path.exists(UNFINISHED)
    missing = [(name, file) for name, file in wanted if not usable or read(stamp(name)) != digest(file)]
    if not missing:
        return
    if not usable:
        make_venv()
    for name, file in missing:
        install(name, os.path.join(ROOT, file))
        write(stamp(name), digest(file))


def venv_works():
    """Whether .venv has a Python that starts and is new enough; a folder left half made has not."""
    code = "import sys, pip; sys.exit(sys.version_info < (3, 11))"
    if not os.path.exists(stamp("run")):
        code += "; import pip._internal.cli.main"
    with open(os.devnull, "w") as quiet:
        return os.path.exists(PYTHON) and subprocess.call([PYTHON, "-c", code], stdout=quiet, stderr=quiet) == 0


def make_venv():
    """A new .venv in place of what is there."""
    if os.path.islink(VENV) or os.path.isfile(VENV):
        raise Failure(f"{VENV} is not a folder with a working Python: remove it and start again.")
    try:
        if os.path.isdir(VENV):
            shutil.rmtree(VENV)
    except OSError:
        raise Failure(f"The broken folder {VENV} cannot be removed: remove it and start again.") from None
    say("Making .venv ...")
    done = subprocess.run([sys.executable, "-m", "venv", VENV], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said = done.stdout.decode("utf-8", "replace")
    if done.returncode and "ensurepip" in said and "No space left" not in said:
        raise Failure("Python's venv module is incomplete here: install it (Debian and Ubuntu: apt install "
                      "python3-venv) and start again.")  # fmt: skip
    if done.returncode:
        raise Failure(explain(said, ".venv could not be made"))
    write(UNFINISHED, "")
    pip("install", "--upgrade", "pip")


def install(name, file):
    """Install one requirements file."""
    write(UNFINISHED, "")
    if name == "run":
        say("Installing what Restyle needs into .venv; this once takes some minutes ...")
        if not any(shutil.which(compiler) for compiler in (os.environ.get("CXX") or "c++", "g++", "clang++")):
            pip("install", "--no-deps", *SOURCE_ONLY)  # fails here in seconds, before gigabytes are fetched
    else:
        say("Installing what the tests need into .venv ...")
    # Python compiles a module when it is first used; most of what is installed here never is.
    pip("install", "--prefer-binary", "--no-compile", "-r", file)
    os.remove(UNFINISHED)


def pip(*arguments):
    """Run pip, its output into the log; raises Failure with one sentence."""
    command = [PYTHON, "-m", "pip", "--disable-pip-version-check", "--no-input"]
    command += [arguments[0], "--progress-bar", "off", *arguments[1:]]
    with open(LOG, "wb") as log:
        status = subprocess.call(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
    if status:
        output = read(LOG) or ""
        if "Installing collected packages" not in output:
            os.remove(UNFINISHED)  # pip gave up before it changed anything
        raise Failure(explain(output, "The packages could not be installed"))


def explain(output, what):
    """One sentence for why pip or venv failed; where nothing known fits, the end of its output."""
    for pattern, sentence in REASONS:
        found = re.search(pattern, output)
        if found:
            return sentence.replace("<what>", found.groupdict().get("what") or "")
    return f"{what}; the end of the output ({LOG}) is:\n" + "\n".join(output.strip().splitlines()[-8:])


def stamp(name):
    """The file that says what was installed."""
    return os.path.join(VENV, "installed-" + name)


def digest(file):
    """A hash of a requirements file."""
    with open(os.path.join(ROOT, file), "rb") as content:
        return hashlib.sha256(content.read()).hexdigest()


def read(path):
    """The text of a file, or None."""
    try:
        with open(path, errors="replace") as file:
            return file.read()
    except OSError:
        return None


def write(path, text):
    """Write a text file whole or not at all."""
    with open(path + ".new", "w") as file:
        file.write(text)
    os.replace(path + ".new", path)


def say(line):
    """Print a line at once."""
    print(line, flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Failure as failure:
        sys.exit(str(failure))
    except OSError as error:
        if error.errno != 28:
            raise
        sys.exit("The disk is full: free some space and start again.")
    except KeyboardInterrupt:
        sys.exit(130)
