// The notes that this device signed, to be kept outside of it: with one of them anybody finds a game that was rewritten.

import { button, html } from "/static/dom.js";
import { translate, translateN } from "/static/i18n.js";
import { icon } from "/static/icons.js";
import { openSheet } from "/static/sheet.js";
import { known, toast } from "/static/store.js";
import { canWitness, keptNotes, witness } from "./witness.js";

export async function notesSheet() {
  await witness(); // so that what happened since the last turn is in it
  const notes = (await canWitness()) ? await keptNotes() : null;
  openSheet(translate("Notes of this device"), [
    html("p", { class: "sheet-words" }, translate("After each turn this device signs how far the record has come. Whoever keeps such a note can show later whether anybody rewrote the game.")),
    ...(notes === null ? [html("p", { class: "hint" }, translate("This browser can’t sign here: open the page over HTTPS, in a browser of today. The game goes on without."))]
      : notes.length === 0 ? [html("p", { class: "hint" }, translate("This device has signed nothing yet."))]
        : [html("ul", { class: "devices" }, ...notes.map(row))]),
  ]);
}

function row(note) {
  return html("li", { "data-game": note.game },
    html("span", { class: "device-name" }, note.title),
    html("span", { class: "quiet" }, new Date(note.at).toLocaleString(known.language, { dateStyle: "medium", timeStyle: "short" }),
      " · ", translateN("{n} event", "{n} events", note.events)),
    note.broken ? html("p", { class: "trouble" }, translate("The record no longer goes on from here.")) : null,
    html("span", { class: "row" }, button(translate("Keep this note"), () => give(note), { "data-key": `keep-${note.game}` }, icon("save"))));
}

// By the device's own way of sharing, where it has one for files; else as a download.
async function give(note) {
  const file = new File([note.note], `witness-${note.game}.txt`, { type: "text/plain" });
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file] });
      return;
    } catch (error) {
      if (error.name === "AbortError") return;
    }
  }
  const address = URL.createObjectURL(file);
  html("a", { href: address, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
  toast(translate("The note is saved. Send it to somebody, or keep it."));
}
