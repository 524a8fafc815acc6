// The kinds of observation that are installed: each brings what draws, edits and names what it observes. The page names
// their modules (link[data-kind]), and here alone a kind is looked up by its name.

import { html, svg } from "./dom.js";
import { translate } from "./i18n.js";

/**
 * What a kind brings for the tablet and the screen for the room: page/widget.js in its package exports it as `widget`.
 * What it leaves out is as in PLAIN.
 * @typedef {object} Widget
 * @property {"svg" | "html"} surface what a board is drawn on. A drawing (svg) stands beside rulings and is taken away as a
 *   picture; what is told in words (html) is not.
 * @property {(node: Element, board: any, options: Options) => void} draw fills the node; board: of the state, or from `of`
 * @property {(text: string, kit: any, like: any) => any} of the board that a text of the record stands for; like: the
 *   state's. null where the record tells it in words
 * @property {() => Element[]} tools buttons below the board
 * @property {Editor | null} editor how a position is put right on the board; null: on the board nothing is
 * @property {boolean} asks whether players declare on the board itself, so that no form stands beside it
 * @property {((board: any, how: { called: (player: string) => string | null, looks?: boolean }) => Element) | null} accounts
 *   what everybody has, drawn apart from the rest of the board. called: a player's name; looks: accounts can be looked back on
 * @property {(board: any) => unknown} banked what the accounts are made of where they stand in the place of the players'
 *   cards; null: the cards stand there
 * @property {(task: any) => (Element | string | null)[]} task what stands at a place once it is put back
 * @property {(board: any, state: any) => string[]} told what stands where, place by place, for whoever hears it
 * @property {(before: any, after: any) => string[]} changed how places stand that stood otherwise before
 * @property {(board: any, names: string[]) => string[]} some what stands at these places
 * @property {(task: any) => string} taskWords a place, and what stands at it once it is put back, in words
 * @property {(state: any) => Way[]} tableWays further pages that help with the table
 * @property {(state: any) => Way[]} settingsWays the same for the players' own things
 */

/**
 * How a board is drawn; all of it may be missing.
 * @typedef {object} Options
 * @property {any[]} [seats] of the state
 * @property {any} [kit] of the state
 * @property {number} [side] from which the board is seen, in quarter turns
 * @property {any[]} [acts] what a turn did
 * @property {string | null} [actsBy] whose acts they are
 * @property {{ fields: string[], tone: string } | null} [marks] places to look at
 * @property {any[]} [tasks] what is to be put back
 * @property {string[]} [edited] names of places that were put right
 * @property {((name: string) => void) | null} [touch] called with the name of a place that is touched; places that may be
 *   touched have the class touch, and one of them tabindex 0
 * @property {boolean} [walk] whether places are walked over with the arrow keys, each saying what stands there (fieldwalk.js)
 * @property {string | null} [chosen] the place that is being put right
 * @property {boolean} [acting] whether something may be declared on the board
 * @property {any[]} [drafts] what is filled in and not declared
 * @property {string} [own] the one player whose device this is
 * @property {boolean} [apart] whether the accounts are drawn elsewhere
 * @property {string[]} [near] places: of the board only these are drawn, with what lies around them
 * @property {boolean} [told] whether who may not act is shown what was told of the turn so far
 */

/**
 * Puts a position right on the board; `known.editing` (store.js) is what is under way.
 * @typedef {object} Editor
 * @property {(state: any, what: string) => any} start the board to begin from; what: the command it is for
 * @property {(editing: any, state: any) => Element | null} panel
 * @property {(editing: any, state: any) => string | null} summed what was changed, in words
 * @property {(editing: any, state: any) => string | null} wrong why it can't be sent
 * @property {(editing: any) => string[]} differing names of the places that were changed
 * @property {(board: any, state: any) => string} text as formats write it
 * @property {(board: any, state: any) => Record<string, string>} [places] what stands at the places in which the board differs
 *   from the position, by their names; a kind without it sends the text of the whole board
 */

/** @typedef {{ href: string, key: string, words: string }} Way */

/** @type {Omit<Widget, "surface" | "draw">} */
const PLAIN = {
  of: () => null, tools: () => [], editor: null, asks: false, accounts: null, banked: () => null,
  task: () => [], told: () => [], changed: () => [], some: (_board, names) => names, taskWords: ({ field }) => field, tableWays: () => [], settingsWays: () => [],
};

/** @type {Widget} */
const UNDRAWN = {
  ...PLAIN, surface: "html",
  draw: (node) => node.replaceChildren(html("p", { class: "quiet" }, translate("The page can’t draw this board: load it again."))),
};

/** @type {(board: any) => Widget | undefined} */
let found = () => undefined;

export async function learnKinds() {
  found = await brought("widget", (widget) => ({ ...PLAIN, ...widget }));
}

// Load what the kinds' modules export under a name. Resolves to what finds it for a board or a kit. Each is loaded on its own:
// a kind whose module is broken keeps no other from being drawn.
export async function brought(name, whole = (exported) => exported) {
  const links = /** @type {HTMLLinkElement[]} */ ([...document.querySelectorAll("link[data-kind]")]);
  const all = await Promise.all(links.map(async ({ href, dataset }) => [dataset.kind, (await import(href).catch((error) => unread(href, error)))[name]]));
  const kinds = Object.fromEntries(all.filter(([, exported]) => exported).map(([kind, exported]) => [kind, whole(exported)]));
  return (one) => kinds[one?.kind];
}

function unread(href, error) {
  // biome-ignore lint/suspicious/noConsole: for whoever writes the kind; loading the page again does not help
  console.error(`${href}:`, error);
  return {};
}

/** @returns {Widget} */
export function widgetOf(board) {
  return found(board) ?? UNDRAWN;
}

// Whether a board is a drawing.
export function isDrawn(board) {
  return widgetOf(board).surface === "svg";
}

// A picture of a board of its own, null where there is none.
export function pictureOf(board, options, attributes = {}) {
  if (!board || !isDrawn(board)) return null;
  const node = svg("svg", { class: "mini", ...attributes });
  widgetOf(board).draw(node, board, options);
  return node;
}

// The board a text of the record stands for. open: fields of which it is not known what stands there.
export function boardFrom(text, { kit, board }, open = []) {
  const found = widgetOf(board).of(text, kit, board);
  return found && { ...found, open };
}

export function wayButton({ href, key, words }) {
  return html("a", { class: "button", href, "data-key": key }, words);
}
