// "Turn ended", "yes" and "no", spoken: only where the browser itself understands speech, so that no sound leaves the device. A
// word does what the one button does that stands for it, and that is said aloud before it counts.

import { allowed, canSpeak, unasked, utter } from "./aloud.js";
import { heard } from "./heardwords.js";
import { translate } from "./i18n.js";
import { keep, kept, language } from "./prefs.js";
import { changed, known, toast } from "./store.js";

const AGAIN_MS = 300; // after the first end; the pause doubles while nothing is heard in between
const MOST_ENDS = 8; // one after the other with nothing heard: half a minute, then this browser is taken not to listen
const REFUSED = ["not-allowed", "service-not-allowed", "language-not-supported", "audio-capture"];

/** @type {string | null} the language that is known to be understood on this device */
let understood = null;
/** @type {any} */
let ear = null;
let ends = 0;
let saying = false; // what the device says itself is not taken for an answer

// A browser without a voice can't say what it heard, so it is not asked; one without windows would fall over the question.
function recognition() {
  if (!canSpeak() || !speechSynthesis.getVoices().length) return null;
  const found = /** @type {any} */ (globalThis).SpeechRecognition;
  return found && "available" in found && "processLocally" in found.prototype ? found : null;
}

export function canListen() {
  return understood === language();
}

// Ask the browser whether it understands this language by itself.
export async function learnListening() {
  const [asked, found] = [language(), recognition()];
  try {
    understood = found && (await found.available({ langs: [asked], processLocally: true })) === "available" ? asked : null;
  } catch {
    understood = null;
  }
  listen();
  changed();
}

// What may be said, each in its ways.
function spokenWords() {
  return { turn_ended: translate("turn ended, turn is ended, end turn, end of turn"), yes: translate("yes"), no: translate("no") };
}

// Listen, or no longer, as it is set.
export function listen() {
  const wanted = canListen() && kept("listen") === "on" && !saying;
  if (!wanted || ear?.lang !== language()) {
    const before = ear;
    ear = null;
    before?.abort();
  }
  if (!wanted || ear) return;
  const now = new (recognition())();
  ear = now;
  Object.assign(now, { lang: language(), continuous: true, interimResults: false, processLocally: true });
  now.addEventListener("result", ({ results, resultIndex }) => {
    if (ear !== now) return;
    ends = 0;
    for (const result of [...results].slice(resultIndex)) if (result.isFinal) taken(heard(result[0].transcript, spokenWords()));
  });
  now.addEventListener("error", ({ error }) => {
    if (REFUSED.includes(error)) givenUp(error);
  });
  now.addEventListener("end", () => {
    if (ear !== now) return;
    ear = null;
    ends += 1;
    if (ends > MOST_ENDS) givenUp("it ends again and again");
    else setTimeout(listen, AGAIN_MS * 2 ** (ends - 1));
  });
  try {
    now.start();
  } catch (error) {
    ear = null;
    givenUp(String(error));
  }
}

function givenUp(why) {
  ends = 0;
  keep("listen", "off");
  toast(translate("This browser does not listen: {why}", { why }), "trouble");
}

if (canSpeak()) speechSynthesis.addEventListener?.("voiceschanged", () => {
  if (!canListen()) learnListening();
});

function taken(word) {
  if (!word || saying) return;
  const found = meantButton(word);
  if (!found) return toast(translate("Heard, but there is no such button now."), "trouble");
  if (!allowed()) return toast(unasked(), "trouble");
  const event = known.state.event;
  saying = true;
  listen();
  utter([translate("Heard: {words}", { words: found.textContent })], (said) => {
    saying = false;
    listen();
    if (said && known.state.event === event && meantButton(word) === found) found.click();
    else toast(translate("Not done: the referee has gone on meanwhile, or it was stopped."), "trouble");
  });
}

// The one button that a word stands for, where it can be pressed.
function meantButton(word) {
  const all = /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll(`button[data-spoken="${word}"]`)]);
  const [found, ...more] = all.filter((one) => !one.disabled && one.checkVisibility());
  return found && !more.length && !document.querySelector(".sheet") ? found : null;
}
