// The table itself: what its certificate says, and what each camera sees with the fields drawn on it.

import { partsAt } from "./addons.js";
import { cameraName } from "./cameraname.js";
import { html, redraw } from "./dom.js";
import { translate } from "./i18n.js";
import { wayButton, widgetOf } from "./kinds.js";
import { known } from "./store.js";

const AGAIN_MS = 2000;
const SIGNS = { good: "✓", warning: "!", bad: "✕" };
let timer = null;

export function drawTable(node) {
  const { state } = known;
  const ways = widgetOf(state.board).tableWays(state);
  redraw(node, [state.certificate, state.cameras, ways, state.choices !== null, known.language], () => [
    html("h1", {}, translate("The table")),
    html("p", { class: "row" }, html("a", { class: "button main", href: "#/new", "data-key": "new" }, translate("New game")),
      html("a", { class: "button", href: "#/devices", "data-key": "devices" }, translate("Pairing and devices")),
      html("a", { class: "button", href: "/setup", "data-key": "setup" }, translate("Set up and check the table")),
      ...ways.map(wayButton)),
    html("section", { class: "looks", "aria-label": translate("Cameras") }, html("h2", {}, translate("What the cameras see")),
      html("div", { class: "look-list" }, ...state.cameras.map(look)),
      state.cameras.length ? null : html("p", { class: "quiet" }, translate("No camera has been heard of yet."))),
    ...partsAt("table").draw(),
    certificate(state.certificate),
  ]);
  clearInterval(timer);
  timer = setInterval(() => again(node), AGAIN_MS);
}

// Still pictures, asked for one after the other while somebody looks: no stream that never ends.
function again(node) {
  if (node.hidden || node.dataset.name !== "table") {
    clearInterval(timer);
    return;
  }
  if (document.visibilityState !== "visible") return;
  partsAt("table").again();
  for (const picture of node.querySelectorAll("img[data-camera]")) {
    if (!picture.complete) continue;
    const next = new Image();
    next.addEventListener("load", () => {
      picture.src = next.src;
      picture.hidden = false;
      picture.nextElementSibling.hidden = true;
    });
    next.src = address(picture.dataset.camera);
  }
}

function address(camera) {
  return `/api/cameras/${encodeURIComponent(camera)}?at=${Date.now()}`;
}

function look({ name, ok, words }) {
  const none = html("p", { class: "quiet no-picture", hidden: true }, translate("No picture of this camera now."));
  return html("figure", { class: ok ? "look" : "look look-lost" },
    html("img", { src: address(name), alt: translate("What {camera} sees, with the fields drawn on it", { camera: cameraName(name) }), "data-camera": name,
      error: (event) => {
        event.target.hidden = true;
        none.hidden = false;
      } }), none,
    html("figcaption", {}, words.startsWith(name) ? null : html("b", {}, cameraName(name)), html("span", { class: ok ? "" : "camera-lost" }, words)));
}

function certificate(found) {
  if (!found) {
    return html("section", { class: "certificate" }, html("h2", {}, translate("Certificate")),
      html("p", { class: "quiet" }, translate("This table has not been checked yet: “Set up and check the table” does it.")));
  }
  return html("section", { class: "certificate", "data-grade": found.verdict, "aria-label": translate("Certificate") },
    html("h2", {}, html("span", { class: "grade", "data-grade": found.verdict, "aria-hidden": "true" }, SIGNS[found.verdict] ?? ""),
      found.verdict_words ?? translate("Certificate")),
    html("p", {}, html("a", { class: "button", href: `/api/setup/certificate?lang=${known.language}`, target: "_blank", rel: "noopener", "data-key": "certificate" },
      translate("Open the certificate"))),
    html("p", { class: "quiet" }, `${found.table}, ${String(found.made_at).slice(0, 16).replace("T", " ")}`),
    checks(found.checks), ...(found.cameras ?? []).map((camera) => html("div", {}, html("h3", {}, camera.name), checks(camera.checks))));
}

function checks(list) {
  return html("ul", { class: "checks" }, ...list.map(({ what, value, grade, advice }) =>
    html("li", { "data-grade": grade }, html("span", { class: "grade", "data-grade": grade, "aria-hidden": "true" }, SIGNS[grade] ?? ""),
      html("span", { class: "check-what" }, what), html("b", {}, value), advice ? html("p", { class: "hint" }, advice) : null)));
}
