"""A work page that has the next items in its memory, so that the network may go."""

from playwright.sync_api import Page

COUNT = "document.addEventListener('restyle:ahead', ({ detail }) => { window.itemsAhead = detail; });"
ANSWERS = """async () => {
  const request = indexedDB.open("restyle");
  const database = await new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
  if (!database.objectStoreNames.contains("answers")) return 0;
  const count = database.transaction("answers").objectStore("answers").count();
  const number = await new Promise((resolve) => { count.onsuccess = () => resolve(count.result); });
  database.close();
  return number;
}"""


def open_with_items_ahead(page: Page, address: str) -> None:
    """Open a work page and wait for its items: their response alone does not say that the page has read it."""
    page.add_init_script(COUNT)
    page.goto(address)
    page.wait_for_function("() => window.itemsAhead !== undefined")
