// A search field with data-filter="#list" shows those [data-filter-item] of the list that hold all of its words, hides a
// [data-filter-group] without any, and writes how many there are into data-filter-count, in its data-counted. What is hidden
// is sent with the form all the same. Words in data-filter-also count as those of an item. Without scripts the field
// ([data-filter-field]) is not there. A list that scrolls begins where its choice is seen.
import { counted } from "../counted.js";

for (const field of document.querySelectorAll("input[data-filter]")) {
  const list = document.querySelector(field.dataset.filter);
  const count = document.querySelector(field.dataset.filterCount);
  const wordsOf = (item) => `${item.textContent} ${item.dataset.filterAlso ?? ""}`.toLowerCase();
  const items = [...list.querySelectorAll("[data-filter-item]")].map((item) => ({ item, text: wordsOf(item) }));
  field.closest("[data-filter-field]").hidden = false;
  const chosen = list.querySelector("[data-filter-item]:has([type=radio]:checked), [aria-current]");
  if (chosen) list.scrollTop = chosen.offsetTop - list.offsetTop - list.clientHeight / 2;

  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { item, text } of items) item.hidden = !words.every((word) => text.includes(word));
    for (const group of list.querySelectorAll("[data-filter-group]")) {
      group.hidden = !group.querySelector("[data-filter-item]:not([hidden])");
    }
    const shown = items.filter(({ item }) => !item.hidden).length;
    count.textContent = words.length ? counted(count.dataset.counted, items.length, { count: shown }) : "";
  });
}
