// What surrounds a page, without chance and without waiting: a clock, storage, locks and a network that loses what the
// seed says. Everything happens at a moment of the clock, so a sequence of acts ends the same each time.
class Clock {
  now = 0;
  timers = [];
  next = 1;
  channel = new MessageChannel();

  set(act, pause = 0, ...args) {
    this.timers.push({ id: this.next, at: this.now + Math.max(1, Number(pause) || 0), act: () => act(...args) });
    return this.next++;
  }

  clear(id) { this.timers = this.timers.filter((timer) => timer.id !== id); }

  // All promises that can go on have gone on.
  settle() {
    return new Promise((resolve) => {
      this.channel.port1.onmessage = resolve;
      this.channel.port2.postMessage(0);
    });
  }

  async advance(milliseconds) {
    const end = this.now + milliseconds;
    for (;;) {
      await this.settle();
      const first = this.timers.reduce((one, other) => (!one || other.at < one.at ? other : one), null);
      if (!first || first.at > end) break;
      this.timers.splice(this.timers.indexOf(first), 1);
      this.now = first.at;
      await first.act();
    }
    this.now = end;
  }
}

// mulberry32
const randomOf = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
};

class KeptStrings {
  getItem(name) { return Object.hasOwn(this, name) ? this[name] : null; }
  setItem(name, value) { this[name] = String(value); }
  removeItem(name) { delete this[name]; }
  clear() { for (const name of Object.keys(this)) delete this[name]; }
}

// One object store, as queue/store.js uses it; each request and each transaction ends at a later moment.
class Database {
  rows = new Map();
  number = 1;

  constructor(clock) { this.clock = clock; }

  request(result) {
    const request = { result };
    this.clock.set(() => request.onsuccess?.());
    return request;
  }

  open() {
    const store = {
      getAll: () => this.request([...this.rows.values()].map((row) => structuredClone(row))),
      add: (row) => {
        const number = this.number++;
        this.rows.set(number, { ...structuredClone(row), number });
        return this.request(number);
      },
      put: (row) => this.request(this.rows.set(row.number, structuredClone(row)) && row.number),
      delete: (number) => this.request(this.rows.delete(number) && undefined),
      clear: () => this.request(this.rows.clear()),
    };
    const transaction = () => {
      const one = { objectStore: () => store };
      this.clock.set(() => this.clock.set(() => one.oncomplete?.()));
      return one;
    };
    return this.request({ transaction, close() {} });
  }
}

class Locks {
  held = new Map(); // name: [tab, ...those that wait]

  request(tab, name, act) {
    return new Promise((resolve, reject) => {
      const line = this.held.get(name) ?? this.held.set(name, []).get(name);
      line.push({ tab, run: async () => { try { resolve(await act()); } catch (error) { reject(error); } } });
      if (line.length === 1) this.go(name);
    });
  }

  async go(name) {
    const line = this.held.get(name);
    const first = line[0];
    if (!first) return;
    await first.run();
    if (line[0] === first) { line.shift(); this.go(name); }
  }

  leave(tab) {
    for (const [name, line] of this.held) {
      const wasFirst = line[0]?.tab === tab;
      this.held.set(name, line.filter((each) => each.tab !== tab));
      if (wasFirst) this.go(name);
    }
  }
}

// What becomes of a request: [is it heard, is its answer heard, how long each way takes].
const FATES = {
  up: () => [true, true, 20],
  down: () => [false, false, 5],
  bad: (random) => {
    const drawn = random();
    const pause = 5 + Math.floor(random() * 400);
    if (drawn < 0.25) return [false, false, pause];
    if (drawn < 0.5) return [true, false, pause];
    if (drawn < 0.6) return [true, true, 2500 + pause];
    return [true, true, pause];
  },
};

class Network {
  mode = "up";

  constructor(clock, random, server) { Object.assign(this, { clock, random, server }); }

  // `told(answer)` once; null where there was none. What a tab no longer waits for is still heard by the server.
  ask(request, told) {
    const [heard, answered, pause] = FATES[this.mode](this.random);
    this.clock.set(() => {
      const answer = heard ? this.server.answer(request) : null;
      const said = request.fields.filter(([name]) => name === "slot" || name === "text").map(([, value]) => value);
      this.note?.(`  ${request.path.split("/").slice(-3).join("/")} ${said}: ${answer?.status}${answered ? "" : ", not heard of"}`);
      this.clock.set(() => told(answered ? answer : null), pause);
    }, pause);
  }
}
