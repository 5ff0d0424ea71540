// The header against forged requests, which htmx sends, too. What comes into a page later holds no token of its own.
export const csrfHeader = () => JSON.parse(document.body.getAttribute("hx-headers") ?? "{}");
