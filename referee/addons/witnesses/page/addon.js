// This device witnesses the game, says why turns get no timestamps, and gives its notes away.

import { button, html } from "/static/dom.js";
import { translate } from "/static/i18n.js";
import { icon } from "/static/icons.js";
import { language } from "/static/prefs.js";
import { known, toast } from "/static/store.js";

const WITNESSED = ["opened", "paired", "ruling", "game_ended"]; // after these it signs how far the journal has come
const AGAIN_MS = 60_000;
let asked = 0;
const untimed = html("p", { class: "quiet", "data-key": "timestamps", hidden: true });

export const addon = {
  happened: (kind) => WITNESSED.includes(kind) && witnessed(),
  parts: {
    table: { draw: () => [untimed], again },
    takeaway: { draw: () => [known.session?.paired ? button(translate("Keep my note"), notes, { "data-key": "my-note" }, icon("save")) : null] },
  },
};

// A paired device that can sign does so; the others play on.
async function witnessed() {
  if (!known.session?.paired || !isSecureContext) return;
  try {
    await (await import("./witness.js")).witness();
  } catch {
    // The line is gone: the next ruling's signature stands for this one, too.
  }
}

async function notes() {
  try {
    await (await import("./witnessnotes.js")).notesSheet();
  } catch {
    toast(translate("The notes can’t be fetched now."), "trouble");
  }
}

async function again() {
  if (Date.now() - asked < AGAIN_MS) return;
  asked = Date.now();
  const answer = await fetch(`/api/timestamps?lang=${language()}`, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return; // what was told before stays
  const { trouble } = await answer.json();
  untimed.textContent = trouble ?? "";
  untimed.hidden = !trouble;
}
