// What this device does its own way.

import { allowed, canSpeak, unasked, utter } from "./aloud.js";
import { canKeepAwake } from "./awake.js";
import { html, redraw } from "./dom.js";
import { translate } from "./i18n.js";
import { wayButton, widgetOf } from "./kinds.js";
import { canListen } from "./listening.js";
import { keep, kept, language, LANGUAGES, side } from "./prefs.js";
import { play } from "./sound.js";
import { EVERYBODY } from "./situation.js";
import { known, ownPlayer, toast } from "./store.js";

export function drawSettings(node) {
  const ways = widgetOf(known.state.board).settingsWays(known.state);
  redraw(node, [ways, known.language, kept("theme"), kept("sound"), kept("speech"), kept("speech-for"), kept("listen"), canListen(), known.state.seats.map(({ name }) => name), side(), known.session], () => [
    html("h1", {}, translate("Settings")),
    chosen(translate("Language"), "language", language(), Object.entries(LANGUAGES)),
    chosen(translate("Colours"), "theme", kept("theme", "auto"), [
      ["auto", translate("As the device")], ["light", translate("Light")], ["dark", translate("Dark")],
    ]),
    chosen(translate("The board is seen from"), "side", String(side()), [
      ["0", translate("below")], ["1", translate("the left")], ["2", translate("above")], ["3", translate("the right")],
    ]),
    chosen(translate("Sound"), "sound", kept("sound", "off"), [["off", translate("Off")], ["on", translate("On")]], () => play([660, 880])),
    canSpeak()
      ? chosen(translate("Rulings spoken aloud"), "speech", kept("speech", "off"), [["off", translate("Off")], ["on", translate("On")]],
        () => (allowed() ? utter([translate("Rulings are spoken aloud.")]) : toast(unasked())))
      : html("p", { class: "hint" }, translate("This browser can’t speak.")),
    canSpeak() && !ownPlayer() ? chosen(translate("While a game clock runs, this device speaks"), "speech-for", kept("speech-for"),
      [["", translate("never")], ...known.state.seats.map(({ colour, name }) => [colour, translate("in the time of {who}", { who: name })]), [EVERYBODY, translate("always: all have agreed")]]) : null,
    canListen() ? chosen(translate("“Turn ended”, “yes” and “no” may be spoken"), "listen", kept("listen", "off"), [["off", translate("Off")], ["on", translate("On")]]) : null,
    canListen() ? html("p", { class: "hint" }, translate("This browser understands them by itself: no sound leaves the device. What was heard is said aloud before it counts; Escape stops it.")) : null,
    html("p", { class: "hint" }, canKeepAwake()
      ? translate("The screen is kept awake while this page is looked at.")
      : translate("Browsers keep a screen awake only over HTTPS; set the device’s own screen time-out instead.")),
    html("p", { class: "row" }, html("a", { class: "button", href: "#/devices", "data-key": "devices" }, translate("Pairing and devices")),
      html("a", { class: "button", href: "#/room", "data-key": "room" }, translate("A screen for the room")),
      ...ways.map(wayButton),
      html("a", { class: "button", href: `/help?lang=${known.language}`, "data-key": "help" }, translate("Help")),
      html("a", { class: "button", href: "/docs", "data-key": "manual" }, translate("The whole manual"))),
    html("p", { class: "hint" }, translate("The space key ends a turn on a paired device.")),
    canSpeak() ? html("p", { class: "hint" }, translate("Alt + R reads aloud what was ruled, what changed, what may follow and what stands where; once more, or Escape, stops it.")) : null,
  ]);
}

function chosen(title, key, value, choices, tried = () => {}) {
  return html("fieldset", { class: "chips" }, html("legend", {}, title),
    ...choices.map(([id, words]) => html("button", {
      type: "button", class: "chip", "aria-pressed": String(id === value), "data-key": `${key}-${id}`, lang: key === "language" ? id : null,
      click: () => {
        keep(key, id);
        if (id === "on") tried();
      },
    }, words)));
}
