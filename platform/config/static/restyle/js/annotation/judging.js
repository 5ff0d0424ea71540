// Judging several texts: one text and one criterion at a time, long texts folded to what differs, places by clicks.
// All of it is drawn anew where htmx brings another item; without scripts the texts stand there whole.
import { foldTexts } from "./judging/folding.js";
import { showSteps } from "./judging/one_at_a_time.js";
import "./judging/last_place.js";
import { showPlaces } from "./judging/places.js";

function draw() {
  const root = document.querySelector("[data-judging]");
  if (!root || root.hasAttribute("data-drawn")) return;
  root.setAttribute("data-drawn", "");
  foldTexts(root);
  showSteps(root);
  if (root.dataset.judging === "rank") showPlaces(root);
  // What is longer than its room scrolls, by keys too.
  for (const beside of root.querySelectorAll(".judging-beside")) {
    if (beside.scrollHeight > beside.clientHeight) beside.tabIndex = 0;
  }
}

document.addEventListener("htmx:afterSettle", draw);
draw();
