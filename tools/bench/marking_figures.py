"""The figure of a mark set by its key in a long text with many marks, in a real Chromium."""

import os
import shutil
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from django.conf import settings as django_settings
from django.urls import reverse

from accounts.models import Person
from annotation.actions.read_guideline import read_guideline
from annotation.models import Assignment, Campaign, Guideline, Item
from annotation.task_types import TASK_TYPES
from corpora.models import Study
from tools.bench.bench_study import make_annotators, make_study, session_of
from tools.bench.figures import Figure
from tools.bench.web_server import HOST, web_server

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WORD = "word "
WORDS = 1_000  # of 5 characters each, their space counted
MARKS = (10, 500, 950)
KEYS = 40
PATIENCE = 120_000  # milliseconds until a page is there
# The draft's field takes the marks, as it does when a draft is restored.
PUT = """(marks) => {
  document.querySelector("[data-spans] [data-state]").value = JSON.stringify({ marks, none: false });
  document.dispatchEvent(new CustomEvent("restyle:restored"));
  document.querySelector("[data-marking=output]").focus();
}"""
COUNT = 'JSON.parse(document.querySelector("[data-spans] [data-state]").value).marks.length'
# From the key to where everything stands: to the page laid out, and to the frame that shows it.
PRESS = """async (key) => {
  const box = document.querySelector("[data-marking=output]");
  box.focus();
  const press = (key) => box.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  press("ArrowRight");
  document.body.getBoundingClientRect();
  const began = performance.now();
  press(key);
  document.body.getBoundingClientRect();
  const laidOut = performance.now() - began;
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return [laidOut, performance.now() - began];
}"""


def marking(by: Person) -> list[Figure]:
    """Milliseconds from the key to the page: the median, and the least; none without Playwright and Chromium."""
    path = os.environ.get("CHROMIUM") or next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None or find_spec("playwright") is None:
        return []
    study = make_study("bench-marks", 1, by)
    campaign = _campaign(study)
    annotator = make_annotators(campaign, 1)[0]
    read_guideline(campaign=campaign, person=annotator, version=1)
    with web_server(Path(django_settings.DATA)) as (port, _web):
        address = f"http://{HOST}:{port}{reverse('campaign_work', args=[study.slug, campaign.slug])}"
        return _measured(path, address, session_of(annotator))


def _campaign(study: Study) -> Campaign:
    """An open campaign with one text to mark."""
    kind, text = TASK_TYPES["spans"], (WORD * WORDS).strip()
    made = Campaign.objects.create(
        study=study, slug="marks", name="marks", task_type="spans", settings=kind.check_settings({}), size=1,
        state=Campaign.State.OPEN,
    )  # fmt: skip
    Guideline.objects.create(campaign=made, version=1, text="Mark what is wrong.")
    content = {"source": text, "references": [], "candidates": [text], "turn": 0}
    item = Item.objects.create(campaign=made, number=1, content=content)
    Assignment.objects.create(campaign=made, item=item, number=1, position=1, order=kind.order(content, 1, 1))
    return made


def _measured(path: str, address: str, session: str) -> list[Figure]:
    from playwright.sync_api import sync_playwright

    found = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.add_cookies([{"name": "sessionid", "value": session, "domain": HOST, "path": "/"}])
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        thread = context.new_cdp_session(page)
        thread.send("Performance.enable", {"timeDomain": "threadTicks"})
        for count in MARKS:
            page.goto(address)  # which puts the place of the keys before the first mark
            page.wait_for_selector("[data-marking=output] [role=option]")
            page.evaluate(PUT, [_mark(number) for number in range(count)])
            before = _thread_seconds(thread)
            times = [page.evaluate(PRESS, "1") for _ in range(KEYS)]
            if (there := page.evaluate(COUNT)) != count + KEYS:
                raise RuntimeError(f"{KEYS} keys made {there - count} marks.")
            name = f"a mark by its key, {len(WORD) * WORDS:,} characters with {count} marks"
            spent = 1000 * (_thread_seconds(thread) - before) / KEYS
            found.append(Figure(f"{name}: processor time of the page's thread", spent, "ms"))
            for upto, each in zip(("laid out", "shown"), zip(*times, strict=True), strict=True):
                found += [
                    Figure(f"{name}, until it is {upto}", median(each), "ms"),
                    Figure(f"{name}, until it is {upto}: least", min(each), "ms"),
                ]
        browser.close()
    return found


def _thread_seconds(thread: Any) -> float:
    """Seconds of the processor that the page's main thread has taken, by Chromium's count."""
    metrics = thread.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))


def _mark(number: int) -> dict[str, Any]:
    start = (WORDS - 1 - number) * len(WORD)
    return {
        "side": "output",
        "start": start,
        "end": start + len(WORD) - 1,
        "kind": "",
        "severity": "Minor",
        "reason": "",
    }


def rows(figures: list[Figure]) -> list[list[str]]:
    """The figures for a person."""
    head = ["", "milliseconds"]
    return (
        [head, *([figure.name, f"{figure.value:.1f}"] for figure in figures)]
        if figures
        else [head, ["no Chromium", "-"]]
    )
