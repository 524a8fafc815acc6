// Which of the few words that may be spoken was heard. Pure.

/** @typedef {"turn_ended" | "yes" | "no"} Heard */

/** @type {Record<string, Record<Heard, string[]>>} */
const WORDS = {
  en: { turn_ended: ["turn ended", "turn is ended", "end turn", "end of turn"], yes: ["yes"], no: ["no"] },
  de: { turn_ended: ["zug beendet", "zug ist beendet", "zug zu ende", "zug fertig"], yes: ["ja"], no: ["nein"] },
  fr: { turn_ended: ["tour termine", "tour fini", "fin du tour", "fin de tour"], yes: ["oui"], no: ["non"] },
};

/**
 * Only the whole of what was said counts: who talks about a turn does not end it.
 * @param {string} transcript
 * @param {string} language
 * @returns {Heard | null}
 */
export function heard(transcript, language) {
  const said = transcript.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^a-z]+/g, " ").trim();
  const found = Object.entries(WORDS[language] ?? {}).find(([, all]) => all.includes(said));
  return found ? /** @type {Heard} */ (found[0]) : null;
}
