// How scripts ask the server: with the header against forged requests, and telling its answers from those of others.
// A network that wants a sign-in of its own (a hotel's, a proxy's) answers in the server's place, often with 200.
const TOKEN = /(?:^|; )(?:restyle_)?csrftoken=([^;]*)/; // the longer name below a path (RESTYLE_PATH)
const FIELD = "csrfmiddlewaretoken";
const OURS = "X-Restyle"; // config/middleware/request_log.py

// Of errors, only those that a form shows beside its fields (409, 422) are put into the page.
Object.assign(htmx.config, {
  includeIndicatorStyles: false, allowEval: false, allowScriptTags: false, selfRequestsOnly: true, historyCacheSize: 0,
  responseHandling: [
    { code: "204", swap: false }, { code: "[23]..", swap: true }, { code: "4(09|22)", swap: true },
    { code: "[45]..", swap: false, error: true },
  ],
});

// The cookie's: a page that was open when its person signed in again holds an older one. "" where nobody is signed in.
export const csrfToken = () => TOKEN.exec(document.cookie)?.[1] ?? "";
export const csrfHeader = () => ({ "X-CSRFToken": csrfToken() });

// Whatever is sent of a form, by htmx, by a script or by the browser, has the token of that moment.
document.addEventListener("formdata", ({ formData }) => {
  if (formData.has(FIELD) && csrfToken()) formData.set(FIELD, csrfToken());
});
document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (csrfToken()) Object.assign(detail.headers, csrfHeader());
});

// Of a fetch; without `redirect: "follow"` what leads elsewhere shows no headers, and is not ours either.
export const isOurs = (answer) => answer.headers.has(OURS);

// What somebody else answered is as if nobody had: nothing of it is shown, and whoever waits hears of no network.
document.addEventListener("htmx:beforeOnLoad", (event) => {
  if (event.detail.xhr.getResponseHeader(OURS) !== null) return;
  event.preventDefault();
  event.stopPropagation();
  htmx.trigger(event.target, "htmx:sendError", event.detail);
}, true);
