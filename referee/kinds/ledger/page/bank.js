// What may be chosen now, as large buttons in groups: dice, cards with what they cost, choices of every player.

import { button, folding, html, svg } from "/static/dom.js";
import { signed, translate } from "/static/i18n.js";
import { sign } from "/static/pieces.js";

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
const open = new Set();

// own: the one player whose device this is; what is not that player's is left out.
export function drawOptions(board, choose, own, drafts, drop) {
  const offered = (board.options ?? []).filter((option) => !own || option.player === own || (option.kind === "undo" && lastBy(board) === own));
  const undo = offered.find(({ kind }) => kind === "undo");
  const groups = board.groups ?? [];
  const rest = groups.length ? [] : offered.filter((option) => option !== undo);
  return [
    said(board, undo, choose),
    ...drafts.map((draft) => unsaid(draft, offered.find(({ id }) => id === draft.option), { choose, drop, own })),
    board.blocked && board.stuck ? html("p", { class: "bank-blocked", role: "status" }, board.blocked) : null,
    ...groups.map((group) => drawGroup(group, offered.filter((option) => option.group === group.id), choose)),
    rest.length ? html("div", { class: "bank-options" }, ...rest.map((option) => plain(option, choose))) : null,
  ];
}

// What is filled in on some page and not declared yet.
function unsaid(draft, option, { choose, drop, own }) {
  if (own && !option) return null;
  return html("div", { class: "bank-draft", role: "group", "aria-label": translate("Filled in and not declared") },
    html("p", {}, html("b", {}, translate("Filled in and not declared")), ` ${option?.name ?? ""} (${draft.by})`),
    html("div", { class: "row" },
      option ? button(translate("Go on with it"), () => choose(option, draft.values), { class: "main", "data-key": `draft-${draft.option}` }) : null,
      button(translate("Leave it out"), () => drop(draft), { "data-key": `drop-${draft.option}` })));
}

function lastBy(board) {
  return board.acts?.at(-1)?.act.by ?? board.player;
}

// What was told so far of this turn, the last of it to be taken back.
export function said(board, undo = null, choose = null) {
  if (!board.acts?.length && !undo) return null;
  return html("div", { class: "bank-said", role: "group", "aria-label": translate("Told so far") },
    html("ol", {}, ...(board.acts ?? []).map(({ words }) => html("li", {}, words))),
    undo ? button(undo.name, () => choose(undo), { class: "bank-undo", "data-key": "option-undo" }) : null);
}

const STYLES = { dice: drawDice, cards: drawCards, folded: drawFolded, buttons: drawButtons };

function drawGroup(group, options, choose) {
  return options.length ? (STYLES[group.style] ?? drawButtons)(group, options, choose) : null;
}

function drawButtons(group, options, choose) {
  return html("fieldset", { class: "bank-group", "data-group": group.id }, html("legend", {}, group.name),
    html("div", { class: "bank-options" }, ...options.map((option) => plain(option, choose))));
}

function drawFolded(group, options, choose) {
  return folding({ class: "bank-folded", "data-group": group.id }, open.has(group.id), (now) => (now ? open.add(group.id) : open.delete(group.id)),
    html("summary", { "data-key": `group-${group.id}` }, group.name),
    html("div", { class: "bank-options" }, ...options.map((option) => plain(option, choose))));
}

function plain(option, choose) {
  return button(option.name, () => choose(option), { class: option.needed ? "bank-option bank-needed" : "bank-option", "data-key": `option-${option.id}`,
    "data-hindered": option.hindrance ? "true" : null },
  option.player ? sign(option.player) : null, amounts(option), option.hindrance ? html("span", { class: "hindrance" }, option.hindrance) : null);
}

function amounts({ amounts: list }) {
  return list?.length ? html("b", { class: "option-amounts" }, list.map((each) => (typeof each === "number" ? signed(each) : String(each))).join("  ")) : null;
}

function drawDice(group, options, choose) {
  return html("fieldset", { class: "bank-group", "data-group": group.id }, html("legend", {}, group.name),
    html("div", { class: "bank-dice" }, ...options.map((option) => html("button", {
      type: "button", class: option.seen ? "bank-throw bank-seen" : "bank-throw", "data-key": `option-${option.id}`,
      "aria-label": [option.name, option.seen, option.leads].filter(Boolean).join(", "),
      title: option.leads || null, click: () => choose(option),
    }, die(option.dice[0]), die(option.dice[1]), html("small", {}, option.leads || String(option.dice[0] + option.dice[1])),
    option.seen ? html("em", {}, option.seen) : null))));
}

function die(pips) {
  return svg("svg", { class: "die", viewBox: "0 0 30 30", "aria-hidden": "true" }, svg("rect", { x: 1, y: 1, width: 28, height: 28, rx: 6 }),
    ...PIPS[pips].map((at) => svg("circle", { cx: 7 + 8 * (at % 3), cy: 7 + 8 * Math.floor(at / 3), r: 2.8 })));
}

// Cards as tiles: what is usual is large, the other choice of the same card small below it.
function drawCards(group, options, choose) {
  const tiles = new Map();
  for (const option of options) tiles.set(option.tile, [...(tiles.get(option.tile) ?? []), option]);
  const parts = new Map();
  for (const tile of tiles.values()) parts.set(tile[0].part, [...(parts.get(tile[0].part) ?? []), tile]);
  return html("fieldset", { class: "bank-group", "data-group": group.id }, html("legend", {}, group.name),
    ...[...parts].map(([name, cards]) => html("div", { class: "bank-part" }, html("h3", {}, name),
      html("div", { class: "bank-tiles" }, ...cards.map((tile) => card(tile, choose))))));
}

function card([main, ...others], choose) {
  return html("div", { class: "bank-tile", role: "group", "aria-label": main.tile_name },
    html("button", { type: "button", class: "bank-card", "data-key": `option-${main.id}`, "data-hindered": main.hindrance ? "true" : null, click: () => choose(main) },
      html("b", {}, main.tile_name), html("span", { class: "for-reader" }, main.name),
      main.hindrance ? html("span", { class: "hindrance" }, main.hindrance) : html("span", { class: "tile-amounts" }, main.amounts.map((each) => html("span", {}, each)))),
    ...others.map((other) => html("button", { type: "button", class: "bank-other", "data-key": `option-${other.id}`, "aria-label": `${other.name}: ${other.tile_name}`,
      click: () => choose(other) }, other.name)));
}
