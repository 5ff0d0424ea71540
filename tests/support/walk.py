"""A web process that shows pages to people, and says what it loaded for them: `python -m support.walk`, with a task.

In, as JSON: `people`, each with a `session` (null for who is not signed in), the `paths` that they open, those of them
that they read `in_chinese`, and whether they `follow` a link of each kind that they come by; and the libraries that are
`heavy`. Out: what was `loaded` (library: path), what `failed` (path: status, or a field that shows Python), all paths
that were `seen`, the messages that gettext was `asked` for, the words in English that Chinese pages show (`english`,
path: words), and the memory of the process (`pss`, MiB).
"""

import html
import json
import os
import re
import sys
import zlib
from urllib.parse import urldefrag, urljoin

from support.english_words import english_words

LINK = re.compile(r'(?:href|src|hx-get|action)="([^"]+)"')
NUMBER = re.compile(r"\d+|=[^&]*")
OF_PYTHON = rb"None|\(\)|\[\]|\{\}"  # an empty value that a field shows as the program writes it
SHOWN = re.compile(rb'<input[^>]* value="(?:%b)"[^>]*>|<textarea[^>]*>\s*(?:%b)\s*</textarea>' % (OF_PYTHON, OF_PYTHON))
OF_A_KIND = 1
LEFT_OUT = ("/static", "//", "/accounts/logout")
DRAWN = ("/svg/", "/png/", "/pdf/")  # of these those that are asked for by name are enough: each takes half a second


def walk(task):
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    from django.conf import settings

    settings.WHITENOISE_AUTOREFRESH = True
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # nothing was collected
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    from django.test import Client

    import config.wsgi

    assert config.wsgi.application
    asked, chinese = messages_asked_for(), []
    told = {"loaded": _noted(task["heavy"], "the start", {}), "failed": {}, "seen": []}
    for person in task["people"]:
        client = Client(raise_request_exception=False, headers={"host": "localhost"})
        if person["session"]:
            client.cookies["sessionid"] = person["session"]
        _open_all(client, person, task["heavy"], told, chinese)
    told |= {"asked": sorted(asked), "pss": pss(), "english": {}}  # as it was before the words were read
    for path, page in chinese:
        if found := english_words(zlib.decompress(page).decode()):
            told["english"][path] = found
    return told


def messages_asked_for():
    """The messages that gettext is asked for from here on."""
    from django.utils import translation

    asked = set()

    def remembering(function, place):
        def remember(*arguments):
            asked.add(str(arguments[place]))
            return function(*arguments)

        return remember

    for name, place in (("gettext", 0), ("ngettext", 0), ("pgettext", 1), ("npgettext", 1)):
        setattr(translation._trans, name, remembering(getattr(translation._trans, name), place))
    return asked


def pss():
    """The memory of this process in MiB, of what it shares its part."""
    with open("/proc/self/smaps_rollup") as rollup:
        return next(int(line.split()[1]) for line in rollup if line.startswith("Pss:")) / 1024


def _open_all(client, person, heavy, told, chinese):
    """Open each path once; `chinese` is given the pages in Chinese, each a path with what came, compressed."""
    waiting, kinds, in_chinese = list(person["paths"]), {}, set(person["in_chinese"])
    queued = set(waiting)
    while waiting:
        path = waiting.pop(0)
        answer = client.get(path, headers={"Accept-Language": "zh-Hans" if path in in_chinese else "en"})
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        if path in in_chinese and answer.status_code == 200:
            chinese.append((path, zlib.compress(body)))
        told["seen"].append(path)
        _noted(heavy, path, told["loaded"])
        if answer.status_code == 500:
            told["failed"][path] = answer.status_code
        if found := SHOWN.search(body) if answer.get("Content-Type", "").startswith("text/html") else None:
            told["failed"][path] = found[0].decode()
        for found in _links(path, answer, body) if person["follow"] else ():
            kind = NUMBER.sub("", found)
            if found not in queued and kinds.get(kind, 0) < OF_A_KIND:
                kinds[kind] = kinds.get(kind, 0) + 1
                queued.add(found)
                waiting.append(found)


def _links(path, answer, body):
    if not answer.get("Content-Type", "").startswith("text/html"):
        return
    for link in LINK.findall(body.decode()):
        found = urldefrag(urljoin(path, html.unescape(link)))[0]
        if found.startswith("/") and not found.startswith(LEFT_OUT) and not found.endswith(DRAWN):
            yield found


def _noted(heavy, where, loaded):
    for name in {module.partition(".")[0] for module in list(sys.modules)} & set(heavy):
        loaded.setdefault(name, where)
    return loaded


if __name__ == "__main__":
    sys.stdout.write(json.dumps(walk(json.load(sys.stdin))))
