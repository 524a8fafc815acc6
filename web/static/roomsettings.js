// What the screen for the room may show: set at the table, kept by the referee.

import { html, redraw } from "./dom.js";
import { translate } from "./i18n.js";
import { room, setRoom } from "./session.js";
import { changed, known, mayAct, toast } from "./store.js";

let set = null;
let asked = false;

export function drawRoom(node) {
  if (!asked || !node.childElementCount) { // come to anew
    asked = true;
    room().then((answer) => {
      set = answer.ok ? answer : null;
      changed();
    });
  }
  redraw(node, [set, mayAct(), known.language], () => [
    html("h1", {}, translate("A screen for the room")),
    html("p", { class: "lead" }, translate("A television or a beamer shows the board and the rulings to everybody: open this address there.")),
    html("p", { class: "row" }, link("/watch", translate("For a screen")), link("/watch?overlay", translate("Over a film, as in OBS"))),
    html("p", { class: "hint" }, translate("With ?lang=de and ?theme=dark behind it, the address chooses language and colours.")),
    ...(set ? switches() : []),
    html("p", { class: "hint" }, translate("This is about that screen alone: whoever may watch sees everything on their own device.")),
  ]);
}

function link(address, words) {
  return html("a", { class: "button", href: address, target: "_blank", rel: "noopener", "data-key": address }, words, html("span", { class: "quiet" }, `${location.host}${address}`));
}

function switches() {
  return [
    choice("shown", translate("The room’s screen"), translate("shows the game"), translate("shows nothing")),
    choice("names", translate("Players"), translate("with their names"), translate("as colours")),
    choice("pictures", translate("Pictures of the cameras"), translate("shown"), translate("not shown")),
    choice("breaches", translate("Broken rules"), translate("shown, with the turn step by step"), translate("only that something is being settled")),
    mayAct() ? null : html("p", { class: "hint" }, translate("Pair this device to take part")),
  ];
}

function choice(name, title, on, off) {
  const put = async (value) => {
    const answer = await setRoom({ [name]: value });
    if (answer.ok) set = { ...set, ...answer.result };
    else toast(answer.words, "trouble");
    changed();
  };
  return html("fieldset", { class: "chips" }, html("legend", {}, title), ...[[true, on], [false, off]].map(([value, words]) =>
    html("button", { type: "button", class: "chip", "aria-pressed": String(set[name] === value), "data-key": `${name}-${value}`, disabled: !mayAct(),
      click: () => put(value) }, words)));
}
