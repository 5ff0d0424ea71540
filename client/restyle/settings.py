"""Which site and which token: of the call, the environment, or the file that `restyle login` writes.

The file is JSON, `{"site": URL, "tokens": {URL: token}}`, readable by its owner alone (0600, in a folder of 0700).
"""

import json
import os
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from restyle.errors import NotSetUp

URL, TOKEN = "RESTYLE_URL", "RESTYLE_TOKEN"
LOCAL = ("localhost", "127.0.0.1", "::1")


@dataclass
class Settings:
    """The site that is asked where none is named, and the tokens by site."""

    site: str = ""
    tokens: dict[str, str] = field(default_factory=dict)


def file_of_settings() -> Path:
    """Its place, by the custom of the system."""
    if sys.platform == "win32":
        folder = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Application Support"
    else:
        folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return folder / "restyle" / "sites.json"


def read_settings() -> Settings:
    """Empty ones where there is no file."""
    path = file_of_settings()
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        return Settings(str(said["site"]), {str(url): str(token) for url, token in said["tokens"].items()})
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise NotSetUp(f"{path} cannot be read ({type(error).__name__}): remove it, and run `restyle login`.") from None


def write_settings(settings: Settings) -> Path:
    """Write the file whole, for its owner alone, or leave the old one as it was."""
    path = file_of_settings()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(dir=path.parent)  # it makes files of 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"site": settings.site, "tokens": settings.tokens}, file, indent=1)
        Path(beside).replace(path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
    return path


def whole_url(typed: str) -> str:
    """The address of a site as it is kept: `https://restyle.example.org`, without `/api/` and a last slash."""
    text = typed.strip()
    if "://" not in text:
        host = text.partition("/")[0].partition(":")[0]
        text = f"{'http' if host in LOCAL else 'https'}://{text}"
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise NotSetUp(f"'{typed}' is not the address of a site; expected one such as https://restyle.example.org.")
    path = parts.path.rstrip("/").removesuffix("/api")
    return f"{parts.scheme}://{parts.netloc}{path}"


def is_open_to_all(url: str) -> bool:
    """Whether a token travels to the site in plain text, and not only within this machine."""
    parts = urlsplit(url)
    return parts.scheme == "http" and parts.hostname not in LOCAL


def site_and_token(url: str | None = None, token: str | None = None) -> tuple[str, str]:
    """The site to ask and the token for it; NotSetUp where one is missing."""
    kept = read_settings()
    site = url or os.environ.get(URL) or kept.site
    if not site:
        raise NotSetUp(f"No site is known: run `restyle login URL`, or set {URL}.")
    site = whole_url(site)
    known = token or os.environ.get(TOKEN) or kept.tokens.get(site)
    if not known:
        raise NotSetUp(f"No token for {site} is known: run `restyle login {site}`, or set {TOKEN}.")
    if not known.isascii() or any(one.isspace() for one in known):
        raise NotSetUp("The token has a space or a letter that no token has: copy it again.")
    return site, known
