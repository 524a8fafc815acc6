// The colours and names the table sends, by their words: painted through one style sheet, so no script knows a colour.

import { labels } from "./labels.js";
import { blends } from "./outlines.js";

const NEUTRAL = { light: "#6a6a6a", dark: "#8a8a8a", ink: "#ffffff", outline: "circle" };
const HEX = /^#[0-9a-f]{6}$/i;
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets.push(sheet);

/** @type {Record<string, { light: string, dark: string, ink: string, outline: string }>} */
let paints = {};
/** @type {Record<string, any>} */
let kinds = {};
/** @type {Record<string, string>} */
let names = {};
/** @type {Record<string, string>} */
let short = {};
let written = "";
/** @type {Record<string, string>} */
const rules = {};

// Take in what a state says of colours and pieces. scope: of many tables on one page, the one that is drawn next; what is
// drawn of it stands in an element that says so (data-scope).
export function learnPaints({ kit, palette, players, language }, scope = "") {
  const key = JSON.stringify([scope, kit.pieces, palette, players, language]);
  if (key === written) return;
  written = key;
  kinds = Object.fromEntries(kit.pieces.map((kind) => [kind.word, kind]));
  const all = { ...kinds, ...players, ...palette };
  paints = Object.fromEntries(Object.entries(all).map(([word, { paint }]) => [word, paint]));
  names = Object.fromEntries(Object.entries(all).map(([word, { name }]) => [word, name]));
  // Among those who play fewer letters tell them apart than among all there are.
  const here = Object.entries(names).filter(([word]) => word in players || (word in kinds && !kinds[word].owner));
  short = { ...labels(names), ...labels(Object.fromEntries(here)) };
  const told = Object.entries(paints).map(([word, paint]) => rule(word, paint, scope)).join("\n");
  if (rules[scope] === told) return;
  rules[scope] = told;
  sheet.replaceSync(Object.values(rules).join("\n"));
}

function rule(word, { light, dark, ink }, scope) {
  if (![light, dark, ink].every((hex) => HEX.test(hex))) return "";
  const one = `${scope ? `[data-scope="${CSS.escape(scope)}"] ` : ""}[data-paint="${CSS.escape(word)}"]`;
  const edge = (hex, isDark) => (blends(hex, isDark) ? "var(--soft)" : "inherit"); // white on white, black on black
  return `${one} { --paint: ${light}; --on-paint: ${ink}; --piece-edge: ${edge(light, false)}; }`
    + ` [data-theme="dark"] ${one} { --paint: ${dark}; --piece-edge: ${edge(dark, true)}; }`;
}

export function outlineOf(word) {
  return (paints[word] ?? NEUTRAL).outline;
}

export function kindOf(word) {
  return kinds[word] ?? null;
}

// The name of a colour or a kind of piece, in the language spoken.
export function nameOf(word) {
  return names[word] ?? word;
}

// The same in so few letters that it differs from all others.
export function labelOf(word) {
  return short[word] ?? word.slice(0, 1);
}
