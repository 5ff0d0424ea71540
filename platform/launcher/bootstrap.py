"""Make .venv, install the packages of the lock files, and run a command in it. Needs only Python's standard library.

    python3 platform/launcher/bootstrap.py [--tests] COMMAND [ARGUMENT...]

Written so that an old Python can read it, which then says that it is too old.
"""

import contextlib
import fcntl
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
OLDEST, NEWEST = (3, 11), (3, 14)
MACHINES = {"Linux": ("x86_64", "aarch64"), "Darwin": ("arm64",)}  # what all that is locked is there for
FOUND = "{}.{}".format(*sys.version_info)
LOCK, TESTS = "requirements.lock", os.path.join("tests", "requirements.lock")
CPU, CUDA = "requirements-cpu.lock", "requirements-cuda.lock"  # PyTorch, one or the other
NO_CPU_BUILD = r"No matching distribution found for torch|requested torch==|DO NOT MATCH THE HASHES[^\n]*\n *torch"
PIP = ["pip"]  # half the time of the one that comes with Python 3.11
SOURCE_ONLY = ["quickumls-simstring", "leveldb"]  # come as C++ source, which must be compiled
COMPILER = (
    "Some packages are compiled during the installation, and no C++ compiler with Python's headers was found: "
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
     "as in make run PYTHON=python3.12, on Linux with glibc 2.28 or on macOS 14, or on a newer one."),
    (r"DO NOT MATCH THE HASHES[^\n]*\n *(?P<what>\S+)",
     "The file that pip found for <what> is not the one that was tested, as its SHA-256 is another: start again, and "
     "if it stays so, set pip up for a registry that has the package as it was published."),
    (r"Permission denied", f"The folder {VENV} may not be written: start as its owner."),
]  # fmt: skip


class Failure(Exception):
    """One sentence for the user, with the `output` of pip."""

    def __init__(self, sentence, output=""):
        super().__init__(sentence)
        self.output = output


def main(arguments):
    """Install what the command needs, then become the command."""
    tests = arguments[:1] == ["--tests"]
    command = arguments[1:] if tests else arguments
    use_a_python_that_fits()
    if command == ["run"]:
        refuse_taken_port(os.environ.get("HOST") or "127.0.0.1", os.environ.get("PORT") or "8000")
        command = ["python", "-m", "launcher"]
    with only_one():
        ensure_installed(tests)
    os.environ["PATH"] = os.path.join(VENV, "bin") + os.pathsep + os.environ.get("PATH", os.defpath)
    os.environ["PYTHONPATH"] = os.pathsep.join([ROOT, os.path.join(ROOT, "platform")])
    os.environ["PYTHONUNBUFFERED"] = "1"
    # Nothing is compiled when it is installed, so a module that is not kept is compiled again by every process.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.chdir(ROOT)
    sys.stdout.flush()
    os.execvp(command[0], command)


def use_a_python_that_fits():
    """Go on as the newest suitable Python on the path where this one is too old or too new."""
    system, _, _, _, machine = os.uname()
    if machine not in MACHINES.get(system, ()):
        known = "; ".join(f"{name} on {' or '.join(machines)}" for name, machines in MACHINES.items())
        raise Failure(f"Restyle needs {known}, and this is {system} on {machine}: start it on another machine.")
    if OLDEST <= sys.version_info[:2] <= NEWEST:
        return
    for minor in (13, 12, 11, 14):
        other = shutil.which(f"python3.{minor}")
        # A version manager puts names on the path that only say that the version is not chosen.
        if other and subprocess.call([other, "-c", ""], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0:
            os.execv(other, [other, *sys.argv])
    raise Failure("Restyle needs Python {}.{} to {}.{}, and only Python {} was found: install one of these.".format(
        *OLDEST, *NEWEST, FOUND))  # fmt: skip


def refuse_taken_port(host, port):
    """Fail at once where the port is taken, and not only after the installation."""
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
    """Hold the folder's lock: two processes that start together do not install at the same time."""
    handle = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def ensure_installed(tests):
    """Bring .venv to the state of the lock files; takes no time where it is there already."""
    wanted = {"torch": locked(CPU) + locked(CUDA), "run": locked(LOCK)}
    if tests:
        wanted["tests"] = locked(TESTS)
    usable = venv_works() and not os.path.exists(UNFINISHED)
    if not usable:
        make_venv()
    missing = [name for name in wanted if read(stamp(name)) != wanted[name]]
    if not missing:
        return
    before = [package for name in ("torch", "run", "tests") for package in packages(read(stamp(name)) or "")]
    if "run" in missing:
        say("Installing what Restyle needs into .venv; this once takes some minutes ...")
        install_alone(PIP)
        check_compiler()
    for name in missing:
        if name == "tests":
            say("Installing what the tests need into .venv ...")
        install_torch() if name == "torch" else install(os.path.join(ROOT, LOCK if name == "run" else TESTS))
        write(stamp(name), wanted[name])
    remove_dropped(before)


def venv_works():
    """Whether .venv has a Python that starts and fits; a folder left half made has not."""
    code = f"import sys, pip; sys.exit(not {OLDEST} <= sys.version_info[:2] <= {NEWEST})"
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


def check_compiler():
    """Fail in seconds, before gigabytes are fetched, where the packages that come as source cannot be compiled."""
    if not any(shutil.which(compiler) for compiler in (os.environ.get("CXX") or "c++", "g++", "clang++")):
        install_alone(SOURCE_ONLY)


def install_alone(names):
    """Install some of the packages of requirements.lock before the others."""
    alone, lines = os.path.join(VENV, "alone.lock"), packages(locked(LOCK))
    write(alone, "\n".join(lines[name] for name in names))
    install(alone)


def install_torch():
    """PyTorch's build for processors, which is a tenth as large, where pip can have it and no GPU is there."""
    if not has_gpu():
        try:
            return install(os.path.join(ROOT, CPU))
        except Failure as failure:
            if not re.search(NO_CPU_BUILD, failure.output):
                raise
        say("PyTorch's build for processors was not found (docs/upgrading.md): fetching the usual one, up to 3 GB ...")
    return install(os.path.join(ROOT, CUDA))


def has_gpu():
    """Whether NVIDIA's driver finds a GPU."""
    found = shutil.which("nvidia-smi")
    return bool(found) and subprocess.call([found, "-L"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0


def install(file):
    """Install a lock file exactly; it names all packages, so pip looks for no more. One that names none needs none."""
    if not packages(locked(file)):
        return
    write(UNFINISHED, "")
    # Python compiles a module when it is first used; most of what is installed here never is.
    pip("install", "--no-compile", "--no-deps", "--require-hashes", "-r", file)
    os.remove(UNFINISHED)


def remove_dropped(before):
    """Remove packages that an earlier lock file named and none does now; others (an installed plugin) stay."""
    now = [name for file in (LOCK, CPU, CUDA, TESTS) for name in packages(locked(file))]
    dropped = sorted(set(before) - set(now))
    if dropped:
        pip("uninstall", "--yes", *dropped)


def pip(*arguments):
    """Run pip, its output into the log; raises Failure with one sentence."""
    command = [PYTHON, "-m", "pip", "--disable-pip-version-check", "--no-input"]
    command += [arguments[0], *(["--progress-bar", "off"] if arguments[0] == "install" else []), *arguments[1:]]
    with open(LOG, "wb") as log:
        status = subprocess.call(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
    if status:
        output = read(LOG) or ""
        if "Installing collected packages" not in output and os.path.exists(UNFINISHED):
            os.remove(UNFINISHED)  # pip gave up before it changed anything
        raise Failure(explain(output, "The packages could not be installed"), output)


def explain(output, what):
    """One sentence for why pip or venv failed; where nothing known fits, the end of its output."""
    for pattern, sentence in REASONS:
        found = re.search(pattern, output)
        if found:
            return sentence.replace("<what>", found.groupdict().get("what") or "")
    return f"{what}; the end of the output ({LOG}) is:\n" + "\n".join(output.strip().splitlines()[-8:])


def stamp(name):
    """The record of an installation: the lock file as it was then."""
    return os.path.join(VENV, "installed-" + name)


def locked(file):
    """The text of a lock file."""
    with open(os.path.join(ROOT, file), encoding="utf-8") as content:
        return content.read()


def packages(text):
    """The lines of each package that a lock file names."""
    parts = re.split(r"\n(?=\w)", "\n" + text)
    return {part.split("==")[0]: part for part in parts if "==" in part}


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
