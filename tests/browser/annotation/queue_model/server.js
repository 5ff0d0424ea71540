// The server's contract with the work page, as annotation/actions has it: leases, keys of acts, drafts with versions.
// What it shows are pages that the real server rendered, with holes (@@SLOT@@).
const OURS = { "X-Restyle": "1" };

class Server {
  texts = new Map(); // by item: revisions {key, text}
  drafts = new Map(); // by item: {version, text, writer}
  leases = []; // of items that the person holds, in the order of leasing: {item, lease, ahead}
  acts = []; // items as they were answered
  keys = 0;
  session = 1; // 0: signed out
  away = 0; // requests that a server which starts again answers with 503
  refusals = [];

  constructor(shapes, items, prefetch) { Object.assign(this, { shapes, items, prefetch }); }

  get token() { return this.session ? `token${this.session}` : ""; }

  answer({ method, path, fields, headers }) {
    if (this.away > 0) {
      this.away -= 1;
      return { status: 503, headers: { ...OURS, "Retry-After": "2" }, text: "" };
    }
    if (!this.session) return { status: 401, headers: OURS, text: "" };
    const field = (name) => fields.find(([each]) => each === name)?.[1] ?? "";
    if (method === "POST" && (field("csrfmiddlewaretoken") || headers["X-CSRFToken"]) !== this.token) return this.say(403, "");
    const act = path.slice(this.shapes.base.length).replace(/\/$/, "");
    if (path.startsWith(this.shapes.answers)) return this.change(path.slice(this.shapes.answers.length), method, field);
    if (act === "") return this.say(200, headers["HX-Request"] ? this.next() : this.page());
    if (act === "submit") return this.submit(field, true);
    if (act === "send") return this.submit(field, false);
    if (act === "ahead") return this.ahead();
    if (act === "give-back") return this.giveBack(fields.filter(([name]) => name === "slot").map(([, value]) => value));
    if (act === "draft") return this.draft(field, this.itemOf(field), `${field("slot")}`);
    if (act === "undo") return this.undo(field("before"));
    if (act === "look") return this.look(field);
    throw new Error(`no such address: ${path}`);
  }

  say(status, text) { return { status, headers: OURS, text }; }
  tell(status, told) { return { status, headers: OURS, text: JSON.stringify(told) }; }
  fill(shape, values) {
    return Object.entries({ CSRF: this.token, ...values })
      .reduce((text, [name, value]) => text.replaceAll(`@@${name}@@`, () => value), this.shapes[shape]);
  }

  itemOf(field) { return Number(field("slot").replace("slot", "")); }
  key() { this.keys += 1; return `00000000-0000-4000-8000-${String(this.keys).padStart(12, "0")}`; }
  isDone(item) { return this.texts.has(item); }

  claim() {
    let own = this.leases.find(({ ahead }) => !ahead) ?? this.leases[0];
    if (own) own.ahead = false;
    else own = this.lease(false);
    return own;
  }

  lease(ahead) {
    for (let item = 1; item <= this.items; item++) {
      if (!this.isDone(item) && !this.leases.some((each) => each.item === item)) {
        const one = { item, ahead };
        this.leases.push(one);
        return one;
      }
    }
    return null;
  }

  shown({ item }, { text, panel } = {}) {
    const draft = this.drafts.get(item);
    const values = { SLOT: `slot${item}`, LEASE: `lease${item}`, KEY: this.key(), NUMBER: item };
    return this.fill("item", {
      ...values, VERSION: draft?.version ?? 0, TEXT: text ?? draft?.text ?? "", PANEL: panel ?? "",
    });
  }

  next() {
    const own = this.claim();
    return own ? this.shown(own) : this.fill("done", {});
  }

  page() { return this.fill("page", { WORK: this.next() }); }

  panel({ version }) {
    return `<button type="button" data-keep-mine="${version}">Mine</button><button type="button" data-take-other>Other</button>`;
  }

  isNewer(item, field, text) {
    const draft = this.drafts.get(item);
    return draft && field("seen") !== "" && draft.version > Number(field("seen")) && draft.writer !== field("writer") &&
      draft.text !== text;
  }

  // Whose revision stands in the way of this act: none where it stands under a key that this one replaces.
  submit(field, shows) {
    const [item, text, key] = [this.itemOf(field), field("text").trim(), field("key")];
    if (!shows && field("person") !== "P") return this.say(409, "");
    const refuse = (answer, why) => (shows ? answer() : this.tell(422, { detail: why }));
    const took = () => (shows ? this.say(200, this.next()) : this.tell(200, { late: "" }));
    const revisions = this.texts.get(item) ?? [];
    const newest = revisions.at(-1);
    const other = () => refuse(() => this.say(409, this.changing(item, text)), "handed in");
    if (!text) return refuse(() => this.say(422, this.shown({ item })), "empty");
    const twin = revisions.find((each) => each.key === key);
    if (twin) return [twin.text, newest.text].includes(text) ? took() : other();
    const replaced = field("replaces").split(" ").includes(newest?.key);
    if (newest?.text === text) return took();
    if (newest && !replaced) return other();
    if (!newest && this.isNewer(item, field, text)) {
      const draft = this.drafts.get(item);
      return refuse(() => this.say(409, this.shown({ item }, { text, panel: this.panel(draft) })), "newer");
    }
    this.texts.set(item, [...revisions, { key, text }]);
    this.acts.push(item);
    this.leases = this.leases.filter((each) => each.item !== item);
    this.drafts.delete(item);
    return took();
  }

  ahead() {
    while (this.leases.some(({ ahead }) => !ahead) && this.leases.filter(({ ahead }) => ahead).length < this.prefetch) {
      if (!this.lease(true)) break;
    }
    const items = this.leases.filter(({ ahead }) => ahead).map((one) => ({ slot: `slot${one.item}`, html: this.shown(one) }));
    return this.tell(200, { items, renew: 200 });
  }

  giveBack(slots) {
    this.leases = this.leases.filter(({ item, ahead }) => !ahead || !slots.includes(`slot${item}`));
    return this.say(204, "");
  }

  draft(field, item) {
    const [version, text] = [Number(field("version")), field("text")];
    const lease = this.leases.find((each) => each.item === item);
    if (!lease && this.isDone(item)) return this.tell(422, { detail: "not yours" });
    return this.keep(field, item, version, text);
  }

  keep(field, item, version, text) {
    const draft = this.drafts.get(item);
    const isMine = draft && draft.writer === field("writer") && draft.writer !== "";
    const isSeen = draft && (draft.version <= Number(field("seen")) || draft.text === text || isMine);
    if (draft && !(draft.version < version && isSeen)) {
      return this.tell(409, { version: draft.version, panel: this.panel(draft) });
    }
    this.drafts.set(item, { version, text, writer: field("writer") });
    return this.tell(200, { version });
  }

  // With `text` beside what stands there the page asks which of the two stays.
  changing(item, text) {
    const draft = this.drafts.get(item);
    const newest = this.texts.get(item).at(-1);
    const asks = text === undefined ? "" : '<section class="handed-in"></section>';
    return this.fill("change", {
      PANEL: asks,
      HANDLE: `answer${item}`, KEY: this.key(), NUMBER: item, REVISION: this.texts.get(item).length,
      VERSION: draft?.version ?? 0, TEXT: text ?? draft?.text ?? newest.text,
    });
  }

  undo(before) {
    const acts = [...new Set(this.acts.toReversed())];
    const item = before ? acts[acts.indexOf(Number(before.replace("answer", ""))) + 1] : acts[0];
    return item ? this.say(200, this.changing(item)) : this.say(422, this.next());
  }

  look(field) {
    const item = this.itemOf(field);
    if (!this.isDone(item)) return this.say(204, "");
    const typed = field("text").trim();
    return typed && typed !== this.texts.get(item).at(-1).text
      ? this.say(409, this.changing(item, typed))
      : this.say(200, this.fill("handed_in", { HANDLE: `answer${item}`, NUMBER: item }));
  }

  change(rest, method, field) {
    const [handle, act] = rest.split("/");
    const item = Number(handle.replace("answer", ""));
    if (method === "GET") return this.say(200, this.changing(item));
    if (act === "draft") return this.keep(field, item, Number(field("version")), field("text"));
    const [revisions, text, key] = [this.texts.get(item), field("text").trim(), field("key")];
    const newest = revisions.at(-1);
    const twin = revisions.find((each) => each.key === key);
    if (twin) return twin.text === text ? this.say(200, this.next()) : this.say(409, this.changing(item, text));
    const isLater = revisions.length > Number(field("revision")) && !field("replaces").split(" ").includes(newest.key);
    if (isLater && newest.text !== text) return this.say(409, this.changing(item, text));
    if (isLater) return this.say(200, this.next());
    if (this.isNewer(item, field, text)) {
      return this.say(409, this.changing(item, text).replace("</section></div>", `</section>${this.panel(this.drafts.get(item))}</div>`));
    }
    this.texts.set(item, [...revisions, { key, text }]);
    this.acts.push(item);
    this.drafts.delete(item);
    return this.say(200, this.next());
  }
}
