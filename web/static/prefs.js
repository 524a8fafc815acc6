// What this device remembers of its own: language, theme, how the page lies, sound, speech, its name.

const listeners = new Set();

/** @type {Record<string, string>} what each language calls itself, by its code */
export const LANGUAGES = Object.fromEntries(JSON.parse(document.documentElement.dataset.languages ?? "[]"));

export function kept(key, otherwise = "") {
  try {
    return localStorage.getItem(`referee-${key}`) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function keep(key, value) {
  try {
    localStorage.setItem(`referee-${key}`, value);
  } catch {
    // A browser that remembers nothing still plays.
  }
  apply(key, value);
  for (const listener of listeners) listener(key, value);
}

export function onKept(listener) {
  listeners.add(listener);
}

// How the page lies, in quarter turns clockwise, and the side from which the board is drawn on it.
export function face() {
  return Number(document.documentElement.dataset.face) || 0;
}

export function side() {
  return Number(kept("side", "0")) % 4 || 0;
}

export function language() {
  return document.documentElement.lang;
}

const dark = matchMedia("(prefers-color-scheme: dark)");
dark.addEventListener("change", () => apply("theme", kept("theme")));

function apply(key, value) {
  const root = document.documentElement;
  if (key === "face") root.dataset.face = value;
  if (key === "language") root.lang = value;
  if (key === "theme") root.dataset.theme = value === "light" || value === "dark" ? value : dark.matches ? "dark" : "light";
}
