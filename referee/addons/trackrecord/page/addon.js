// The table's own track record: a screen of its own, to which the games played here lead, and the boards that may stand in the place of a wrong one.

import { html } from "/static/dom.js";
import { translate } from "/static/i18n.js";
import { act } from "/static/session.js";

export const addon = {
  screens: { evidence: { of: "record", draw: async () => (await import("./evidence.js")).drawEvidence } },
  parts: {
    games: { draw: () => [html("a", { class: "button", href: "#/evidence", "data-key": "evidence" }, translate("How often it was wrong here"))] },
  },
  truths: async ({ entry }) => ({
    boards: (await act("GET", `/api/rulings/${entry}/boards`)).boards ?? [],
    words: translate("The pictures of the board behind this ruling stay with the game, as an example of what was read wrongly. Nothing is sent."),
  }),
};
