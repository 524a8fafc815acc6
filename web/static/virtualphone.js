// A phone in the hand at a virtual table: dragged around the board on a ring, moved with sliders, or walked around by itself.

import { button, html, redraw } from "./dom.js";
import { translate } from "./i18n.js";
import { ring } from "./ring.js";
import { azimuthAt } from "./sides.js";

const EVERY_MS = 300;
const NOTHING = { sides: [], show: null };

let sent = 0;

/**
 * Draw the phone's part of the page.
 * @param {HTMLElement} node
 * @param {{ phone: { side: [number, number], on: boolean, walking: boolean }, showing: any, kit: any, mayAct: boolean }} now
 * @param {(body: Record<string, unknown>) => void} send as POST /api/virtual/phone takes it
 */
export function phonePart(node, now, send) {
  redraw(node, now, () => {
    const { phone, showing, kit, mayAct } = now;
    const [azimuth, elevation] = phone.side;
    const hold = (to, up, done) => throttled({ azimuth_deg: to, elevation_deg: up }, send, done);
    const drawing = ring(showing ?? NOTHING, kit, azimuth, 0);
    if (mayAct) drawing.addEventListener("pointerdown", (event) => drag(drawing, event, (to, done) => hold(to, elevation, done)));
    const told = showing?.show?.message ?? (phone.on ? translate("The phone shows the board.") : translate("Drag the phone around the board to show it."));
    return [drawing, html("div", { class: "phone-more" },
      html("p", {}, told),
      slider("side", translate("Side of the board, degrees"), Math.round(azimuth), [0, 359, 15], mayAct, (to) => hold(to, elevation, true)),
      slider("height", translate("Height of the phone, degrees"), Math.round(elevation), [25, 80, 5], mayAct, (up) => hold(azimuth, up, true)),
      html("div", { class: "turn" },
        button(translate("Walk around for me"), () => send({ walk: true }), { "data-key": "walk", disabled: !mayAct || phone.walking }),
        button(translate("Put the phone away"), () => send({}), { "data-key": "away", disabled: !mayAct || !phone.on })))];
  });
}

function slider(key, words, value, [min, max, step], mayAct, moved) {
  const input = html("input", { type: "range", min, max, step, value, "data-key": key, disabled: !mayAct });
  input.addEventListener("change", () => moved(Number(input.value)));
  return html("label", {}, html("span", {}, words), input);
}

// The page is drawn anew while somebody drags, so the whole window is listened to.
function drag(drawing, begun, moved) {
  begun.preventDefault();
  const box = drawing.getBoundingClientRect();
  const to = ({ clientX, clientY }) => azimuthAt(clientX - box.left - box.width / 2, clientY - box.top - box.height / 2);
  const move = (event) => moved(to(event), false);
  const end = (event) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    moved(to(event), true);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
  move(begun);
}

// A few places a second while it is dragged; the last one surely.
function throttled(body, send, done) {
  if (!done && Date.now() < sent + EVERY_MS) return;
  sent = Date.now();
  send(body);
}
