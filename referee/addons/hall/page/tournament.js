// A tournament: who plays where, how it came out, and how the players stand.

import { html, redraw } from "/static/dom.js";
import { translate } from "/static/i18n.js";

/**
 * @param {Element} node
 * @param {any} tournament
 */
export function drawTournament(node, tournament) {
  redraw(node, ["tournament", tournament, document.documentElement.lang], () => {
    const rounds = [...new Set(tournament.games.map(({ round }) => round))];
    return [
      html("div", { class: "row" }, html("a", { class: "button", href: "#/", "data-key": "back" }, translate("All tables")), html("h1", {}, translate("Tournament"))),
      html("section", {}, html("h2", {}, translate("Standings")), table(translate("Standings"), [translate("Player"), translate("Games"), translate("Points")],
        tournament.standings.map(({ player, games, points }) => [player, games, points]))),
      ...rounds.map((round) => html("section", {}, html("h2", {}, translate("Round {n}", { n: round })),
        table(translate("Round {n}", { n: round }), [translate("Table"), translate("Players"), translate("Result")], tournament.games.filter((one) => one.round === round)
          .map((one) => [one.table, one.players.join(", "), result(one)])))),
    ];
  });
}

function result({ over, others, winners }) {
  if (over) return winners.join(", ") || translate("nobody won");
  return others ? translate("Not counted: the table had other names. Enter the result in the file.") : "…";
}

function table(name, heads, rows) {
  return html("div", { class: "desk-wide", tabindex: 0, role: "region", "aria-label": name }, html("table", { class: "desk-table" },
    html("thead", {}, html("tr", {}, ...heads.map((head) => html("th", { scope: "col" }, head)))),
    html("tbody", {}, ...rows.map(([first, ...rest]) => html("tr", {}, html("th", { scope: "row" }, first), ...rest.map((cell) => html("td", {}, String(cell))))))));
}
