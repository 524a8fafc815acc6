// What is filled in on this page and not known to be written down yet: the newest of each thing, sent one at a time. Pure.

/** @typedef {{ turn: number, value: unknown, event?: number | null }} Entry */
/** @typedef {{ ok: boolean, status: number, code: string, words: string, result?: { event: number } }} Answer */

/** @template {Entry} Kept */
export class Entries {
  /** @type {Map<string, Kept>} */
  #kept = new Map();
  /** @type {Promise<boolean> | null} */
  #sending = null;
  #seen = 0;
  #send;
  #refused;

  /**
   * @param {(entry: Kept) => Promise<Answer>} send
   * @param {(entry: Kept, answer: Answer) => void} refused told what the table does not take
   */
  constructor(send, refused) {
    this.#send = send;
    this.#refused = refused;
  }

  /**
   * Takes the place of what was filled in there before.
   * @param {string} key
   * @param {Kept} entry
   */
  put(key, entry) {
    this.#kept.set(key, { ...entry, event: null });
  }

  /** Send what waits. Resolves to whether all is written down; else the table gave no answer, and it is kept. */
  settled() {
    this.#sending ??= this.#all().finally(() => {
      this.#sending = null;
    });
    return this.#sending;
  }

  async #all() {
    for (;;) {
      const found = [...this.#kept].find(([, entry]) => entry.event === null);
      if (!found) return true;
      const [key, entry] = found;
      const answer = await this.#send(entry);
      if (answer.code === "offline" || answer.status === 503) return false;
      if (this.#kept.get(key) !== entry) continue; // another value came meanwhile
      if (answer.ok) entry.event = answer.result?.event ?? 0;
      else {
        this.#kept.delete(key);
        this.#refused(entry, answer);
      }
    }
  }

  /**
   * What this page has filled in for a turn and a table at an event does not show yet, by key.
   * @param {{ turn: number, event: number }} table
   * @returns {Record<string, unknown>}
   */
  of({ turn, event }) {
    if (event < this.#seen) this.#kept.clear(); // a new game
    this.#seen = event;
    for (const [key, entry] of this.#kept) {
      if (typeof entry.event === "number" && (entry.event <= event || entry.turn !== turn)) this.#kept.delete(key);
    }
    return Object.fromEntries([...this.#kept].filter(([, entry]) => entry.turn === turn).map(([key, { value }]) => [key, value]));
  }
}
