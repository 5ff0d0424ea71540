// Puts the menu of languages in the place of the link to them. Closes an open <details data-menu> on Escape, on a click outside and when the focus leaves it; and on a phone, where
// tabs scroll sideways, brings the current one into sight.
const languages = document.getElementById("language-menu");
for (const link of languages ? document.querySelectorAll("a[data-language]") : []) {
  const menu = languages.content.cloneNode(true).firstElementChild;
  menu.querySelector("summary").append(...link.childNodes);
  link.replaceWith(menu);
}

const open = () => document.querySelectorAll("details[data-menu][open]");

document.addEventListener("click", (event) => {
  open().forEach((menu) => { if (!menu.contains(event.target)) menu.open = false; });
});
document.addEventListener("focusin", (event) => {
  open().forEach((menu) => { if (!menu.contains(event.target)) menu.open = false; });
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  open().forEach((menu) => { menu.open = false; menu.querySelector("summary").focus(); });
});

const isInSight = (one, tabs) => {
  const [inner, outer] = [one.getBoundingClientRect(), tabs.getBoundingClientRect()];
  return inner.left >= outer.left && inner.right <= outer.right;
};
document.querySelectorAll(".tabs").forEach((tabs) => {
  const current = tabs.querySelector("[aria-current]");
  if (current && !isInSight(current, tabs)) current.scrollIntoView({ inline: "center", block: "nearest" });
});
