// The recorded game without a referee behind it: the page asks as ever, and this answers from files that `make site`
// wrote. Loaded before every other script. told/LANGUAGE.json holds what a stream told and the answers to questions.

(() => {
  const AGAIN_MS = 20000; // how long the end stands before the game begins anew
  const BEAT_MS = 5000; // the page takes a stream that is silent for longer for a dead one
  const told = new Map(); // what was told, by language
  const open = globalThis.fetch.bind(globalThis);

  function tellIn(language) {
    if (!told.has(language)) told.set(language, open(`told/${language}.json`).then((answer) => answer.json()));
    return told.get(language);
  }

  /** @param {number} status @param {string} body */
  const answered = (status, body) => new Response(body, { status, headers: { "Content-Type": "application/json" } });

  globalThis.fetch = async (input, init) => {
    const address = new URL(String(input instanceof Request ? input.url : input), location.href);
    const asked = address.pathname.match(/\/api\/.*$/)?.[0];
    if (!asked || asked.startsWith("/api/pictures/")) return open(input, init);
    const { answers, refusal } = await tellIn(address.searchParams.get("lang") ?? document.documentElement.lang);
    return init?.method && init.method !== "GET" || !(asked in answers) ? answered(404, JSON.stringify(refusal)) : answered(200, answers[asked]);
  };

  // Plays what the table told, at a pace a person can follow, over and over.
  class RecordedStream extends EventTarget {
    /** @type {number} */
    readyState = EventSource.OPEN;
    #timers = new Set();

    constructor(address) {
      super();
      const language = new URL(address, location.href).searchParams.get("lang") ?? "en";
      tellIn(language).then(({ news }) => this.#play(news, 0));
      const beat = setInterval(() => this.#tell("beat", {}), BEAT_MS);
      this.#timers.add(beat);
    }

    close() {
      this.readyState = EventSource.CLOSED;
      for (const timer of this.#timers) clearTimeout(timer); // an interval's number is a timeout's, too
      this.#timers.clear();
    }

    #play(news, at) {
      if (this.readyState === EventSource.CLOSED) return;
      const { kind, data, stays_ms } = news[at];
      this.#tell(kind, data);
      const next = (at + 1) % news.length;
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        this.#play(news, next);
      }, next ? stays_ms : AGAIN_MS);
      this.#timers.add(timer);
    }

    #tell(kind, data) {
      this.dispatchEvent(new MessageEvent(kind, { data: JSON.stringify(data), lastEventId: "" }));
    }
  }

  // What this is, and where to read on.
  addEventListener("DOMContentLoaded", async () => {
    const [words, manual] = (await tellIn(document.documentElement.lang)).strip;
    const strip = Object.assign(document.createElement("p"), { className: "recorded" });
    strip.append(`${words} · `, Object.assign(document.createElement("a"), { href: "manual/index.html", textContent: manual }));
    document.body.prepend(strip);
  });

  const page = /** @type {any} */ (globalThis);
  page.EventSource = Object.assign(RecordedStream, { CONNECTING: 0, OPEN: 1, CLOSED: 2 });
  page.SharedWorker = undefined; // every page plays for itself
  delete page.Navigator.prototype.serviceWorker; // there is no table to look after
})();
