// A tab: a frame of its own with the page as the server rendered it, and the page's own modules and htmx in it. What
// they would take from the browser (time, storage, locks, the network) is given to them by the world.
const IMPORT = /import\s+(?:\{([^}]*)\}\s+from\s+)?"([^"]+)";/g;
const EXPORT = /^export (const|let|function|async function) (\w+)/gm;
const GIVEN = [
  "document", "window", "localStorage", "sessionStorage", "indexedDB", "navigator", "fetch", "XMLHttpRequest", "setTimeout",
  "clearTimeout", "setInterval", "Date", "performance", "AbortSignal", "location", "crypto", "addEventListener",
];

const translated = (source) => {
  const names = [...source.matchAll(EXPORT)].map(([, , name]) => name);
  const body = source
    .replace(IMPORT, (_, wanted, path) => (wanted === undefined
      ? `need("${path}");`
      : `const {${wanted.replace(/(\w+) as (\w+)/g, "$1: $2")}} = need("${path}");`))
    .replace(EXPORT, "$1 $2");
  return `"use strict";\n${body}\nreturn { ${names.join(", ")} };`;
};
const resolved = (from, path) => new URL(path, `http://x/${from}`).pathname.slice(1);

class Tab {
  static bodies = new Map();
  memory = new KeptStrings(); // sessionStorage
  frame = null;
  life = 0;

  constructor(world, number) { Object.assign(this, { world, number }); }

  get document() { return this.frame?.contentDocument; }
  get form() { return this.document?.querySelector("form[data-work]"); }
  get field() { return this.document?.querySelector("#work textarea[name=text]"); }
  get slot() { return this.form?.elements.slot?.value; }
  find(selector) { return this.document?.querySelector(selector); }

  given() {
    const { world, frame } = this;
    const life = ++this.life;
    const lives = (act) => (...args) => { if (this.life === life) act(...args); };
    const ask = (request, told) => world.network.ask(request, lives(told));
    const { contentWindow: window } = frame;
    const headersOf = (answer) => {
      const find = (name) => Object.entries(answer.headers).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
      return { has: (name) => find(name) !== undefined, get: (name) => find(name) ?? null };
    };
    class XHR extends window.EventTarget {
      upload = new window.EventTarget();
      headers = {};
      open(method, path) { Object.assign(this, { method, path }); }
      overrideMimeType() {}
      setRequestHeader(name, value) { this.headers[name] = value; }
      abort() { this.isOver = true; this.onabort?.(); }
      getResponseHeader(name) { return headersOf(this.answer).get(name); }
      getAllResponseHeaders() { return Object.entries(this.answer.headers).map(([name, value]) => `${name}: ${value}\r\n`).join(""); }
      send(body) {
        const fields = [...new URLSearchParams(body ?? "")];
        ask({ method: this.method.toUpperCase(), path: this.path, fields, headers: this.headers }, (answer) => {
          if (this.isOver) return;
          this.isOver = true;
          if (!answer) { this.status = 0; this.onerror?.(); return; }
          const { status, text } = answer;
          Object.assign(this, { answer, status, response: text, responseText: text, responseURL: `${window.origin}${this.path}` });
          this.onload?.();
        });
      }
    }
    const fetch = (path, { method = "GET", body, headers = {}, signal } = {}) => new window.Promise((resolve, reject) => {
      const lost = () => reject(new Error("lost"));
      if (signal) world.clock.set(lives(lost), signal.timeout);
      ask({ method, path, fields: body ? [...body] : [], headers }, (answer) => {
        if (!answer) { lost(); return; }
        resolve({
          status: answer.status, ok: answer.status < 300, redirected: false, url: path, headers: headersOf(answer),
          json: async () => JSON.parse(answer.text),
        });
      });
    });
    const timer = (act, pause, ...args) => world.clock.set(lives(act), pause, ...args);
    // The clock of active seconds alone ticks; it is looked at seldom, since each tick costs a moment.
    const every = (act, pause) => timer(() => { act(); every(act, pause); }, Math.max(pause, 5000));
    return {
      document: window.document, window, localStorage: world.kept, sessionStorage: this.memory, indexedDB: world.database, fetch,
      XMLHttpRequest: XHR, setTimeout: timer, clearTimeout: (id) => world.clock.clear(id), setInterval: every,
      Date: { now: () => world.clock.now }, performance: { now: () => world.clock.now }, AbortSignal: { timeout: (timeout) => ({ timeout }) },
      location: {
        pathname: world.shapes.base, href: window.origin + world.shapes.base, protocol: "http:", origin: window.origin, search: "", hash: "", assign() {}, 
        reload: () => world.clock.set(() => this.load()),
      },
      crypto: { getRandomValues: (all) => all.map(() => Math.floor(world.random() * 2 ** 32)) },
      addEventListener: window.addEventListener.bind(window),
      navigator: {
        locks: { request: (name, act) => world.locks.request(this, name, act) },
        sendBeacon: (path, body) => world.network.ask({ method: "POST", path, fields: [...body], headers: {} }, () => {}),
      },
    };
  }

  // True once the page is there.
  load() {
    this.leave();
    return new Promise((resolve) => {
      this.world.network.ask({ method: "GET", path: this.world.shapes.base, fields: [], headers: {} }, async (answer) => {
        if (answer?.status === 200) await this.show(answer.text);
        resolve(answer?.status === 200);
      });
    });
  }

  // The clock stands still until the browser has read the page.
  async show(html) {
    this.leave();
    const frame = document.createElement("iframe");
    frame.style.display = "none"; // nobody looks at it: to lay it out and to paint it took a third of the time
    this.frame = document.body.appendChild(frame);
    const { contentWindow: window, contentDocument } = this.frame;
    contentDocument.open();
    contentDocument.write(html);
    const read = new Promise((resolve) => { this.frame.onload = resolve; });
    contentDocument.close();
    await read;
    window.addEventListener("unhandledrejection", (event) => { // htmx rejects what is lost without a reason
      if (event.reason === undefined) event.preventDefault();
    });
    const given = this.given();
    Object.assign(window, { setTimeout: given.setTimeout, clearTimeout: given.clearTimeout, setInterval: given.setInterval });
    Object.defineProperty(contentDocument, "visibilityState", { get: () => (this.world.front === this ? "visible" : "hidden") });
    Object.defineProperty(contentDocument, "cookie", { get: () => (this.world.server.session ? `csrftoken=${this.world.server.token}` : "") });
    const values = GIVEN.map((name) => given[name]);
    const made = new Map();
    const run = (body, more = {}) => new window.Function(...GIVEN, ...Object.keys(more), body)(...values, ...Object.values(more));
    const htmx = run(`${this.world.htmx}\nreturn htmx;`);
    window.htmx = htmx;
    const need = (from) => (path) => {
      const name = resolved(from, path);
      if (!Tab.bodies.has(name)) Tab.bodies.set(name, translated(this.world.sources[name]));
      if (!made.has(name)) made.set(name, run(Tab.bodies.get(name), { need: need(name), htmx }));
      return made.get(name);
    };
    for (const name of this.world.modules) need("")(`./${name}`);
  }

  leave() {
    this.frame?.remove(); // the page hears "pagehide"
    this.frame = null;
    this.life += 1;
    this.world.locks.leave(this);
  }

  fire(target, name, detail = {}) {
    const { contentWindow: window } = this.frame;
    target.dispatchEvent(Object.assign(new window.Event(name, { bubbles: true }), detail));
  }
}
