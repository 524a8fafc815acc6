// One connection to the table: an event stream, polling where there is none left, and the truth about how old the
// news is. Runs in a page or in the worker that several pages share. Every event is passed on once and in order.

import { applied } from "./changes.js";

const POLL_MS = 1000;
const STREAM_AGAIN_MS = 30000;
const LOCKED_AGAIN_MS = 5000;
const SILENT_AFTER_MS = 12000; // two heartbeats and a little
const BEYOND_ALL = Number.MAX_SAFE_INTEGER;
const BASE = globalThis.document?.documentElement.dataset.base ?? ""; // where one of several tables is told of

export class Connection {
  #language;
  #room;
  #tell;
  #stream = null;
  #timer = null;
  #watch = null;
  #mode = "connecting";
  #heard = null;
  #state = null;
  #tag = null;
  #game = "";
  #number = null;
  #pollMs = POLL_MS;
  #streamAgainAt = 0;
  #polls = 0;

  // tell gets {kind: "state", state}, {kind: "happened", event} and {kind: "link", mode, heard}; mode is one of
  // connecting, live, polling, lost, locked (only paired devices may watch); heard is a time in ms, or null.
  // room: hear what the screen for the room may show, and no events.
  constructor(language, tell, room = false) {
    this.#language = language;
    this.#room = room ? "&room=true" : "";
    this.#tell = tell;
  }

  open() {
    if (this.#watch) return;
    this.#watch = setInterval(() => this.#look(), 1000);
    this.#listen();
  }

  close() {
    clearInterval(this.#watch);
    this.#watch = null;
    this.#drop();
    this.#link("connecting");
  }

  // Something may have changed (the page is looked at again, the network is back, the device was paired): try now.
  wake() {
    if (!this.#watch || (this.#mode === "live" && this.#fresh())) return;
    this.#listen();
  }

  get link() {
    return { kind: "link", mode: this.#mode, heard: this.#heard };
  }

  #fresh() {
    return this.#heard !== null && Date.now() - this.#heard < SILENT_AFTER_MS;
  }

  #link(mode) {
    this.#mode = mode;
    this.#tell(this.link);
  }

  #drop() {
    this.#stream?.close();
    this.#stream = null;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#polls += 1; // answers still under way are no longer wanted
  }

  #look() {
    if (this.#mode !== "live" || this.#fresh()) return;
    // The line is dead without having said so: ask anew where this one ended.
    this.#link("lost");
    this.#listen();
  }

  #listen() {
    this.#drop();
    this.#streamAgainAt = Date.now() + STREAM_AGAIN_MS;
    const since = this.#number === null ? "" : `&since=${this.#game}-${this.#number}`;
    const stream = new EventSource(`${BASE}/api/stream?lang=${this.#language}&changes=1${since}${this.#room}`);
    this.#stream = stream;
    stream.addEventListener("state", (event) => {
      this.#place(event.lastEventId);
      this.#shown(JSON.parse(event.data));
      this.#news("live");
    });
    stream.addEventListener("changed", (event) => {
      this.#place(event.lastEventId);
      const state = applied(this.#state, JSON.parse(event.data));
      if (state === null) return void this.#listen(); // something was missed: begin with a whole state
      this.#shown(state);
      this.#news("live");
    });
    stream.addEventListener("happened", (event) => {
      this.#happened(event.lastEventId.split("-")[0], JSON.parse(event.data));
      this.#news("live");
    });
    stream.addEventListener("beat", () => this.#news("live"));
    stream.addEventListener("error", () => {
      if (stream !== this.#stream) return;
      // A closed stream was refused: polling finds out why. Otherwise the browser tries again by itself.
      if (stream.readyState === EventSource.CLOSED) this.#poll();
      else this.#link("lost");
    });
  }

  #news(mode) {
    this.#heard = Date.now();
    this.#link(mode);
  }

  #shown(state) {
    if (state.version === this.#state?.version) return;
    this.#state = state;
    this.#tell({ kind: "state", state });
  }

  // The id of a state says how far the events had come; only a page that has heard none takes its place from it.
  #place(id) {
    if (!id || this.#number !== null) return;
    const [game, number] = id.split("-");
    this.#game = game;
    this.#number = Number(number);
  }

  #happened(game, event) {
    if (game === this.#game && this.#number !== null && event.number <= this.#number) return;
    this.#game = game;
    this.#number = event.number;
    this.#tell({ kind: "happened", event });
  }

  async #poll() {
    this.#drop();
    const mine = this.#polls;
    let next = this.#pollMs;
    try {
      const headers = this.#tag === null ? {} : { "If-None-Match": this.#tag };
      const answer = await ask(`${BASE}/api/state?lang=${this.#language}${this.#room}`, headers);
      const state = answer.status === 200 ? await answer.json() : null;
      if (mine !== this.#polls) return;
      if (answer.status === 401) {
        this.#link("locked");
        next = LOCKED_AGAIN_MS;
      } else if (answer.status === 200 || answer.status === 304) {
        if (!this.#room && state && state.version !== this.#state?.version) await this.#catchUp(mine);
        if (mine !== this.#polls) return;
        this.#tag = answer.headers.get("ETag");
        if (state) this.#shown(state);
        this.#news("polling");
      } else throw new Error(`status ${answer.status}`);
    } catch {
      if (mine !== this.#polls) return;
      this.#link("lost");
    }
    const streamAgain = Date.now() > this.#streamAgainAt;
    next *= 0.9 + 0.2 * Math.random(); // so that many pages don't all ask at once
    this.#timer = setTimeout(() => (streamAgain ? this.#listen() : this.#poll()), next);
  }

  // The events that a poll has jumped over.
  async #catchUp(mine) {
    for (;;) {
      const after = this.#number === null ? BEYOND_ALL : this.#number;
      const answer = await ask(`/api/events?after=${after}&limit=200`, {});
      if (answer.status === 404) return; // a table without a journal
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      const { game, last, events } = await answer.json();
      if (mine !== this.#polls) return;
      if (this.#number === null) {
        this.#game = game;
        this.#number = last;
        return;
      }
      if (game !== this.#game) {
        this.#game = game;
        this.#number = 0; // another game: all of it is new
        continue;
      }
      for (const event of events) this.#happened(game, event);
      if (!events.length || this.#number >= last) return;
    }
  }
}

function ask(address, headers) {
  return fetch(address, { cache: "no-store", headers, signal: AbortSignal.timeout(8000) });
}
