// Two short tones for a ruling, where somebody wants them.

export const TONES = { legal: [660, 880], illegal: [330, 220], unsure: [440, 440], won: [660, 990], paused: [], busy: [] };
let sounds = null;

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
