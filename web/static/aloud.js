// Speaking: rulings by themselves where that is set, everything on request, and never while somebody's clock runs who did not
// ask for it.

import { html, redraw } from "./dom.js";
import { translate } from "./i18n.js";
import { icon } from "./icons.js";
import { kept, language } from "./prefs.js";
import { maySpeak, ruling, situation } from "./situation.js";
import { play, TONES } from "./sound.js";
import { known, ownPlayer, playerName, toast } from "./store.js";

/** @type {{ sentences: string[], headline: string }} what waits until it may be said, and of which headline */
let waiting = { sentences: [], headline: "" };

export function canSpeak() {
  return "speechSynthesis" in globalThis;
}

// For whom this device speaks while a clock runs: a player's own for that player.
export function speaksFor() {
  return ownPlayer() || kept("speech-for");
}

export function allowed(state = known.state) {
  return maySpeak(state, speaksFor());
}

/**
 * Say sentences, each for itself: browsers break long speeches off.
 * @param {string[]} sentences
 * @param {(said: boolean) => void} [after] told once the last was said, or once they were stopped
 */
export function utter(sentences, after = () => {}) {
  if (!canSpeak()) return after(false);
  silence();
  const list = sentences.filter(Boolean);
  if (!list.length) after(false);
  list.forEach((words, index) => {
    const spoken = new SpeechSynthesisUtterance(words);
    spoken.lang = language();
    if (index === list.length - 1) {
      spoken.addEventListener("end", () => after(true));
      spoken.addEventListener("error", () => after(false));
    }
    speechSynthesis.speak(spoken);
  });
}

export function silence() {
  waiting = { sentences: [], headline: "" };
  if (canSpeak()) speechSynthesis.cancel();
}

export function announce(state, before) {
  hush(state);
  if (!before || before.language !== state.language) return;
  const { tone, headline, detail } = state.banner;
  const old = before.banner;
  const fresh = headline !== old.headline || detail !== old.detail;
  if (!fresh || tone === "busy") return;
  if (kept("sound") === "on" && TONES[tone]?.length) play(TONES[tone]);
  if (kept("speech") === "on") sayWhenAllowed(ruling(state), state);
}

// A new state: what may no longer be said stops, and what waited is said where it may be now.
function hush(state) {
  if (!canSpeak()) return;
  const { sentences, headline } = waiting;
  if (headline !== state.banner.headline || kept("speech") !== "on") waiting = { sentences: [], headline: "" }; // it stands no longer
  else if (allowed(state) && sentences.length) utter(sentences);
  if (!allowed(state)) speechSynthesis.cancel();
}

// A ruling: at once, or as soon as nobody thinks on the clock who did not ask for it.
function sayWhenAllowed(sentences, state) {
  if (allowed(state)) utter(sentences);
  else waiting = { sentences, headline: state.banner.headline };
}

// On request: everything, or silence where something is being said.
export function readAloud() {
  if (!canSpeak()) return toast(translate("This browser can’t speak."), "trouble");
  if (speechSynthesis.speaking) return silence();
  if (!allowed()) return toast(unasked(), "trouble");
  utter(situation(known.state, playerName));
}

// Why nothing is said.
export function unasked() {
  return translate("Nothing is said while the clock of {who} runs: the settings tell for whom this device speaks.", { who: playerName(known.state.clock.player) });
}

export function drawAloud(node) {
  redraw(node, [known.language, canSpeak()], () => (canSpeak()
    ? [html("button", { type: "button", class: "icon-button", "data-key": "read-aloud", "aria-label": translate("Read aloud"), title: `${translate("Read aloud")} (Alt + R)`,
      "aria-keyshortcuts": "Alt+R", click: readAloud }, icon("aloud"))] : []));
}

addEventListener("keydown", (event) => {
  if (event.key === "Escape") silence();
  if (event.code !== "KeyR" || !event.altKey || event.ctrlKey || event.metaKey || event.repeat || !known.state) return;
  event.preventDefault();
  readAloud();
});
