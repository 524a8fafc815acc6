// Players who want statistics over their games: taken in here, looked at, and forgotten with one touch.

import { button, html, redraw } from "/static/dom.js";
import { translate, translateN } from "/static/i18n.js";
import { act } from "/static/session.js";
import { changed, known, mayAct, toast } from "/static/store.js";

let listed = null; // { players, offered } once they are known
let open = null; // what is told of the player looked at
let asked = "";
let looked = null; // the player looked at, or all

export function drawPlayers(node, part) {
  if (!node.childElementCount || looked !== part) { // come to anew
    asked = "";
    open = null;
    looked = part;
  }
  const wish = `${part ?? ""}/${known.language}/${mayAct()}`;
  if (asked !== wish && mayAct()) load(wish, part);
  redraw(node, [listed, open, part, mayAct(), known.language], () => [
    html("h1", {}, translate("Players")),
    ...(mayAct() ? (part === null ? all() : one()) : [html("p", {}, translate("Statistics are shown on paired devices alone: pair this device first."))]),
  ]);
}

async function load(wish, part) {
  asked = wish;
  const answer = await act("GET", part === null ? "/api/players" : `/api/players/${encodeURIComponent(part)}`);
  if (asked !== wish) return;
  if (!answer.ok) toast(answer.words || answer.detail || translate("No connection to the referee"), "trouble");
  else if (part === null) listed = answer;
  else open = answer;
  changed();
}

function all() {
  return [
    html("p", { class: "lead" }, translate("Turns, times, captures and heights over all games played here: only of players who want it.")),
    listed ? null : html("p", { class: "quiet" }, "…"),
    listed?.players.length ? html("ul", { class: "games" }, ...listed.players.map(entry)) : null,
    adding(),
    listed?.offered.length ? offered() : null,
    html("p", { class: "hint" }, translate("Only the name and the date are kept, until they are deleted; the rest is counted anew from the games that lie here. What a game’s own record says of who played stays in that game.")),
    html("p", { class: "row" }, html("a", { class: "button", href: "#/games", "data-key": "games" }, translate("Games played here"))),
  ];
}

function entry(player) {
  return html("li", { class: "player-entry" },
    html("a", { class: "game", href: `#/players/${player.id}`, "data-key": `player-${player.id}` }, html("b", {}, player.name),
      html("span", { class: "quiet" }, translate("since {date}", { date: day(player.since) }))),
    button(translate("Delete"), () => forget(player), { class: "danger", "data-key": `forget-${player.id}`, "aria-label": translate("Delete {name} and the statistics", { name: player.name }) }));
}

function adding() {
  const name = html("input", { id: "player-name", maxlength: 40, required: true, autocomplete: "off", "data-key": "player-name" });
  return html("form", { class: "form", submit: (event) => {
    event.preventDefault();
    add(name.value);
  } },
  html("label", { for: "player-name" }, translate("A player who wants statistics")), name,
  html("button", { type: "submit", class: "main", "data-key": "player-add" }, translate("Keep statistics")));
}

function offered() {
  return html("fieldset", { class: "chips" }, html("legend", {}, translate("Or touch your own name, as it was given in a game:")),
    ...listed.offered.map((name) => button(name, () => add(name), { class: "chip", "data-key": `offer-${name}` })));
}

function one() {
  if (!open) return [html("p", { class: "quiet" }, "…")];
  return [
    html("p", { class: "row" }, html("a", { class: "button", href: "#/players", "data-key": "back" }, translate("All players"))),
    html("h2", {}, open.name),
    ...(open.games.length ? open.games.map(figures) : [html("p", { class: "quiet" }, translate("No game of this name has been played here."))]),
    open.unread ? html("p", { class: "hint" }, translateN("{n} game can’t be read and is not counted.", "{n} games can’t be read and are not counted.", open.unread)) : null,
    html("p", { class: "row" }, button(translate("Delete name and statistics"), () => forget(open), { class: "danger", "data-key": "forget" })),
  ];
}

function figures({ title, lines }) {
  return html("section", { class: "figures", "aria-label": title }, html("h3", {}, title),
    html("dl", {}, ...lines.map(([name, value]) => html("div", {}, html("dt", {}, name), html("dd", {}, value)))));
}

const day = (since) => new Date(`${since}T12:00`).toLocaleDateString(known.language, { dateStyle: "medium" });

async function add(name) {
  await told(await act("POST", "/api/players", { name: name.trim() }));
}

async function forget({ id }) {
  const done = await told(await act("POST", `/api/players/${id}/forget`, {}));
  if (done) location.hash = "#/players";
}

async function told(answer) {
  toast(answer.words || translate("No answer from the referee: nothing was done."), answer.ok ? "info" : "trouble");
  asked = "";
  changed();
  return answer.ok;
}
