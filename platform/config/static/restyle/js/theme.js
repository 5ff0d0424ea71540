// The theme: as the system, light or dark. Loaded before the styles so that no page flashes in the wrong one.
(() => {
  const root = document.documentElement;
  const order = ["auto", "light", "dark"];
  const stored = () => {
    try { return localStorage.getItem("restyle-theme") ?? "auto"; } catch { return "auto"; }
  };
  const current = () => root.dataset.theme ?? "auto";

  function apply(theme) {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
    const words = document.getElementById("theme-words")?.dataset[current()];
    if (words) document.querySelectorAll("[data-theme-toggle]").forEach((button) => button.setAttribute("aria-label", words));
  }

  apply(stored());
  document.addEventListener("DOMContentLoaded", () => apply(stored()));
  addEventListener("storage", (event) => event.key === "restyle-theme" && apply(stored()));
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-theme-toggle]")) return;
    const next = order[(order.indexOf(current()) + 1) % order.length];
    try { localStorage.setItem("restyle-theme", next); } catch { /* private mode: it holds for this page */ }
    apply(next);
  });
})();
