// Pairing, and the devices that may act.

import { partsAt } from "./addons.js";
import { button, byId, html, redraw } from "./dom.js";
import { translate, translateN } from "./i18n.js";
import { keep } from "./prefs.js";
import { sign } from "./pieces.js";
import { qrCode } from "./qr.js";
import { devices, forget, newCode, pairByPin, rename } from "./session.js";
import { confirmed, openSheet } from "./sheet.js";
import { changed, known, learnSession, ownPlayer, playerName, toast } from "./store.js";
import { guessed, thisDevice } from "./thisdevice.js";

const DIGITS = 6;
const AGAIN_MS = 1000;
let list = null;
let asking = false;
let trouble = "";

export function drawDevices(node) {
  const paired = Boolean(known.session?.paired);
  if (!node.childElementCount) list = null; // come to anew
  if (paired && !ownPlayer() && list === null && !asking) load();
  const added = paired && !ownPlayer() ? partsAt("devices", known.state?.notices ?? []) : null;
  redraw(node, [known.session, list, added?.from, trouble, known.state?.seats.map(({ name }) => name), known.language], () => [
    html("h1", {}, translate("Who may act")),
    html("p", { class: "lead" }, paired
      ? translate("This device may act in the players’ name. Watching needs no pairing where the table allows it.")
      : translate("Everybody at the table may watch. To end turns, correct and decide, pair this device once.")),
    paired ? pairedPart() : known.session?.may_pair === false
      ? html("p", {}, translate("This table takes no devices: it can only be watched.")) : pinForm(),
    ...(added?.draw() ?? []),
    html("p", {}, html("a", { class: "help-link", href: `/trust?lang=${known.language}` }, translate("Use a phone as a camera, and open this page over HTTPS"))),
  ]);
}

async function load() {
  asking = true;
  const answer = await devices();
  asking = false;
  list = answer.ok ? answer.devices : [];
  changed();
}

function pinForm() {
  const pin = html("input", { id: "pin", inputmode: "numeric", autocomplete: "one-time-code", pattern: "[0-9 ]*", maxlength: DIGITS + 1,
    required: true, "data-key": "pin", "aria-describedby": "pin-trouble", class: "pin" });
  const name = html("input", { id: "device-name", value: thisDevice(), maxlength: 40, required: true, "data-key": "device-name" });
  const send = async (event) => {
    event.preventDefault();
    const digits = pin.value.replace(/\D/g, "");
    if (digits.length !== DIGITS) {
      say(translateN("The code has {n} digit.", "The code has {n} digits.", DIGITS));
      return;
    }
    keep("name", name.value.trim());
    const answer = await pairByPin(digits, name.value.trim() || guessed());
    if (answer.ok) {
      trouble = "";
      list = null;
      await learnSession();
      dispatchEvent(new Event("paired"));
      toast(translate("This device is paired."));
      location.hash = "#/play";
    } else say(answer.words || translate("No answer from the referee: nothing was done."));
  };
  const say = (words) => {
    document.getElementById("pin-trouble").textContent = words;
    pin.select();
  };
  return html("form", { class: "form", submit: send },
    html("label", { for: "pin" }, translate("Code")), pin,
    html("p", { class: "hint" }, translate("The referee shows it when it starts; 'referee pair' shows another one. A paired device can show one too.")),
    html("label", { for: "device-name" }, translate("Name of this device")), name,
    html("p", { class: "hint" }, translate("It stands in the record beside what is decided here.")),
    html("p", { class: "trouble", id: "pin-trouble", role: "alert" }, ""),
    html("button", { type: "submit", class: "main", "data-key": "send-pin" }, translate("Pair")));
}

function pairedPart() {
  if (ownPlayer()) return html("p", {}, translate("This device acts for {who} only.", { who: playerName(ownPlayer()) }));
  return html("div", { class: "stack" },
    html("div", { class: "row" }, button(translate("Pair one more device"), () => showCode(), { class: "main", "data-key": "new-code" })),
    html("fieldset", { class: "chips" }, html("legend", {}, translate("A phone that acts for one player only")), ...known.state.seats.map(({ colour, name }) =>
      html("button", { type: "button", class: "chip", "data-key": `new-code-${colour}`, click: () => showCode(colour) }, sign(colour), html("span", {}, name)))),
    html("ul", { class: "devices" }, ...(list ?? []).map((device) => html("li", { "data-device": device.id },
      html("span", { class: "device-name" }, device.name, device.here ? html("em", {}, translate("this device")) : null,
        device.player ? html("em", {}, playerName(device.player)) : null),
      html("span", { class: "quiet" }, translate("last seen {when}", { when: when(device.seen_at) })),
      html("span", { class: "row" },
        button(translate("Rename"), () => renamed(device), { "data-key": `rename-${device.id}` }),
        button(translate("Forget"), () => forgotten(device), { class: "danger", "data-key": `forget-${device.id}` }))))));
}

function when(iso) {
  return new Date(iso).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
}

let codeAsked = false;

// player: whose own the device will be; empty for one of the whole table. page: "camera" for one that opens the page it photographs with.
export async function showCode(player = "", page = "") {
  if (codeAsked) return; // touched twice
  codeAsked = true;
  const answer = await newCode(player, page);
  codeAsked = false;
  if (!answer.ok) {
    toast(answer.words || translate("No answer from the referee: nothing was done."), "trouble");
    return;
  }
  const title = page ? translate("The phone that shows the board") : translate("Pair one more device");
  const close = openSheet(player ? translate("Pair a phone of {who}", { who: playerName(player) }) : title, [
    ...(answer.words ? [html("p", { class: "trouble" }, answer.words)] : []),
    html("p", { class: "sheet-words" }, translate("Scan this with the other device. Or open {address} there, touch “{button}” and type the code.", {
      address: new URL(answer.link).origin, button: translate("Pair this device to take part") })),
    qrCode(answer.qr, translate("QR code that pairs one device")),
    html("p", { class: "big-code" }, `${answer.pin.slice(0, 3)} ${answer.pin.slice(3)}`),
    html("p", { class: "hint" }, translateN("Open for {n} minute, for one device.", "Open for {n} minutes, for one device.", Math.max(1, Math.round(answer.seconds / 60)))),
  ], () => {
    list = null;
    changed();
  });
  closeOnceUsed(close);
}

// A code is for one device: once that has joined, the table is what everybody wants to see again.
async function closeOnceUsed(close) {
  const sheet = /** @type {Element} */ (byId("sheet").firstElementChild);
  const before = await devices();
  while (before.ok && sheet.isConnected) {
    await new Promise((done) => setTimeout(done, AGAIN_MS));
    const now = sheet.isConnected ? await devices() : before;
    if (now.ok && now.devices.some(({ id }) => !before.devices.some((known) => known.id === id))) close();
  }
}

function renamed(device) {
  const name = html("input", { value: device.name, maxlength: 40, "aria-label": translate("Name") });
  const close = openSheet(translate("Rename"), [html("form", { class: "form", submit: async (event) => {
    event.preventDefault();
    const answer = await rename(device.id, name.value.trim());
    if (!answer.ok) toast(answer.words, "trouble");
    close();
    list = null;
    changed();
  } }, name, html("button", { type: "submit", class: "main" }, translate("Save")))]);
  name.select();
}

async function forgotten(device) {
  const words = translate("{name} may act no longer until it is paired again.", { name: device.name });
  if (!(await confirmed(translate("Forget"), words, translate("Forget"), "danger"))) return;
  const answer = await forget(device.id);
  if (!answer.ok) toast(answer.words, "trouble");
  list = null;
  await learnSession();
}
