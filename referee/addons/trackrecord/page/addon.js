// The table's own track record: a screen of its own, to which the games played here lead, and what puts a wrong ruling right.

import { html } from "/static/dom.js";
import { translate } from "/static/i18n.js";
import { wrongButton } from "./wrong.js";

export const addon = {
  screens: { evidence: { of: "record", draw: async () => (await import("./evidence.js")).drawEvidence } },
  parts: {
    games: { draw: () => [html("a", { class: "button", href: "#/evidence", "data-key": "evidence" }, translate("How often it was wrong here"))] },
    ruling: { draw: wrongButton },
  },
};
