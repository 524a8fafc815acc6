// Rulings for the ear, where somebody wants them: two short tones, and the words spoken.

import { kept, language } from "./prefs.js";

export const TONES = { legal: [660, 880], illegal: [330, 220], unsure: [440, 440], won: [660, 990], paused: [], busy: [] };
let sounds = null;

export function announce(state, before) {
  if (!before || before.language !== state.language) return;
  const { tone, headline, detail, advice } = state.banner;
  const said = [headline, detail, advice].filter(Boolean).join(". ");
  const old = before.banner;
  const fresh = headline !== old.headline || detail !== old.detail;
  if (!fresh || tone === "busy") return;
  if (kept("sound") === "on" && TONES[tone]?.length) play(TONES[tone]);
  if (kept("speech") === "on") utter(said);
}

// No tones: from then on the page may sound, if this is called at a touch.
export function play(tones) {
  if (!("AudioContext" in globalThis)) return;
  sounds ??= new AudioContext();
  sounds.resume();
  tones.forEach((hertz, index) => {
    const from = sounds.currentTime + index * 0.16;
    const oscillator = new OscillatorNode(sounds, { frequency: hertz, type: "triangle" });
    const volume = new GainNode(sounds, { gain: 0 });
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(0.25, from + 0.02);
    volume.gain.linearRampToValueAtTime(0, from + 0.15);
    oscillator.connect(volume).connect(sounds.destination);
    oscillator.start(from);
    oscillator.stop(from + 0.16);
  });
}

export function canSpeak() {
  return "speechSynthesis" in globalThis;
}

export function utter(words) {
  if (!canSpeak()) return;
  speechSynthesis.cancel();
  const spoken = new SpeechSynthesisUtterance(words);
  spoken.lang = language();
  speechSynthesis.speak(spoken);
}
