// A slider [data-slider]: a range, and the number that is handed in, which is empty until somebody chose. Whoever has
// not moved it has said nothing; its thumb is hidden until then, so that no value stands there as if it were usual.
// Digits typed on the range go into the number. Enter goes on, where it would else hand everything in half done.
const PAGE = 10; // steps
const DIGIT = /^\d$/;
const plain = (event) => !(event.ctrlKey || event.metaKey || event.altKey);
const parts = (element) => {
  const slider = element.closest?.("[data-slider]");
  return slider && { slider, range: slider.querySelector("[type=range]"), number: slider.querySelector("[type=number]") };
};
const fits = (number) => number.value !== "" && number.validity.valid;

// What the number says, drawn: the thumb's place, whether it is there at all, and what a screen reader says.
function draw({ range, number }) {
  const given = fits(number);
  if (given) range.value = number.value;
  range.toggleAttribute("data-answered", given);
  if (given) range.removeAttribute("aria-valuetext");
  else range.setAttribute("aria-valuetext", range.dataset.wordsOpen);
  if (given || number.value === "") number.removeAttribute("aria-invalid");
  else number.setAttribute("aria-invalid", "true");
}

// The number is taken as its own change, so that drafts and stages hear of it.
function take(all, value) {
  all.number.value = value;
  for (const name of ["input", "change"]) all.number.dispatchEvent(new Event(name, { bubbles: true }));
}

document.addEventListener("input", (event) => {
  const all = parts(event.target);
  if (!all) return;
  if (event.target === all.range) take(all, all.range.value);
  else draw(all);
}, true);
// A click where the hidden thumb stands moves nothing, and yet it is an answer.
document.addEventListener("click", (event) => {
  const all = parts(event.target);
  if (all && event.target === all.range && !fits(all.number)) take(all, all.range.value);
});
// Typing is heard at each digit, not only when the field is left.
document.addEventListener("input", (event) => {
  const all = parts(event.target);
  if (all && event.target === all.number && event.isTrusted) {
    all.number.dispatchEvent(new Event("change", { bubbles: true }));
  }
});

document.addEventListener("keydown", (event) => {
  const all = parts(event.target);
  if (!all || !plain(event)) return;
  if (event.key === "Enter") {
    event.target.dispatchEvent(new CustomEvent("restyle:answered", { bubbles: true }));
  } else if (event.target === all.range && DIGIT.test(event.key)) {
    all.number.focus();
    take(all, event.key);
  } else if (event.target === all.number && ["PageUp", "PageDown"].includes(event.key)) {
    const step = (event.key === "PageUp" ? PAGE : -PAGE) * Number(all.range.step || 1);
    const from = Number(all.number.value || all.range.value);
    take(all, Math.min(Math.max(from + step, Number(all.range.min)), Number(all.range.max)));
  } else return;
  event.preventDefault();
}, true);

const drawAll = () => document.querySelectorAll("[data-slider]").forEach((slider) => draw(parts(slider)));
document.addEventListener("restyle:restored", drawAll);
drawAll(); // what was restored before this was here
