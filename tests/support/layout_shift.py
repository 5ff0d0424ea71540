"""How far a page moved under its reader while it came in: cumulative layout shift, as web.dev defines it."""

from playwright.sync_api import Page

MOST, MOST_ON_A_PHONE = 0.02, 0.06
"""web.dev calls 0.1 good. What scripts draw has its place before; Arabic moves a foot by 0.056 if its font is late."""
SHIFTED = """async () => {
  await document.fonts.ready;
  const frame = () => new Promise(requestAnimationFrame);
  await frame().then(frame);
  const observer = new PerformanceObserver(() => {});
  observer.observe({ type: "layout-shift", buffered: true });
  // Nobody did anything yet; Chromium takes a phone's screen, which gets its size meanwhile, for somebody who does.
  return observer.takeRecords().reduce((sum, one) => sum + one.value, 0);
}"""
PUSHED = """async () => {
  scrollTo({ top: 0, behavior: "instant" });  // further down the browser holds what is read where it is
  const frame = () => new Promise(requestAnimationFrame);
  await frame().then(frame);
  const late = document.createElement("div");
  late.style.height = "300px";
  document.body.prepend(late);
}"""


def shift(page: Page) -> float:
    """Since the page was opened; 1 is a whole screen that moved as far as the screen is long."""
    page.wait_for_load_state()
    return float(page.evaluate(SHIFTED))


def push(page: Page) -> None:
    """Put a part above all others, as one that comes late does."""
    page.evaluate(PUSHED)
