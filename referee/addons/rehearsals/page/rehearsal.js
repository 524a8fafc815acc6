// The rehearsal: a dozen small tasks, each looked at, and what they say of this table.

import { byId, html, redraw, say, svg } from "/static/dom.js";
import { translate, translateN } from "/static/i18n.js";
import { openCamera, sendPictures, whyClosed } from "/static/phonecamera.js";
import { language } from "/static/prefs.js";
import { act } from "/static/session.js";

const CELL = 30;
const STEP_MS = 200;
let refused = "";
let track = null; // of this device's camera, while it shows the board

export function drawRehearsal(node, rehearsal, mayAct, again) {
  const { possible, found, looking } = rehearsal;
  if (!looking) closeCamera();
  redraw(node, [rehearsal, mayAct, refused], () => {
    if (!possible) return [];
    return [html("h2", {}, translate("Rehearsal")), ...(found && !rehearsal.task ? figures(found) : []), ...steps(rehearsal, mayAct, again)];
  });
}

function steps({ task, looks, looking, sides, words, rehearsed, found }, mayAct, again) {
  const told = html("p", { class: "rehearsal-told", role: "status" });
  say(told, refused || words || "");
  if (!mayAct) return [told];
  const button = (step, text, main = false) => html("button", { type: "button", class: main ? "main" : "", "data-key": `rehearsal-${step}`,
    disabled: looking && step !== "stop" && !(step === "look" && sides), click: () => (step === "show" ? showHere(sides, again) : send(step, again)) }, text);
  if (!task) {
    return [told,
      found ? null : html("p", { class: "quiet" }, translate("A dozen small tasks, about three minutes: the table’s certificate then says how often this table is read right.")),
      html("div", { class: "rehearsal-buttons" }, button("begin", rehearsed ? translate("Rehearse again") : translate("Begin the rehearsal"), !rehearsed),
        rehearsed ? button("check", translate("Check it before a match (half a minute)"), true) : null)];
  }
  return [
    html("div", { class: "rehearsal-task" },
      html("p", { class: "quiet" }, translate("Task {number} of {of}", { number: task.number, of: task.of })),
      html("progress", { max: task.of, value: task.number - 1, "aria-label": translate("Progress of the rehearsal") }),
      html("p", { class: "rehearsal-words", "aria-live": "polite" }, task.words),
      html("p", { class: "quiet" }, task.why),
      task.drawing.length ? drawing(task) : null),
    told,
    html("p", { class: "quiet" }, translateN("{n} look counts so far.", "{n} looks count so far.", looks)),
    sides && looking ? html("p", {}, translate("{shown} of {of} sides shown: walk around the board with the phone.", sides)) : null,
    html("div", { class: "rehearsal-buttons" },
      button("look", looking ? (sides ? translate("These sides are enough") : translate("Looking …")) : translate("It stands so: look"), true),
      sides?.size && navigator.mediaDevices && !looking ? button("show", translate("It stands so: show it with this device")) : null,
      button("skip", translate("Leave this task out")), button("stop", translate("Give up"))),
  ];
}

// Whoever has only the phone shows the board with the very device on which the tasks stand.
async function showHere({ camera, size: [width, height] }, again) {
  const video = /** @type {HTMLVideoElement} */ (byId("rehearsal-camera"));
  try {
    track = await openCamera(video, width, height);
  } catch (error) {
    refused = whyClosed(error);
    return again();
  }
  const mine = track;
  video.hidden = false;
  refused = "";
  const answer = await act("POST", "/api/setup/rehearsal/look", {});
  if (!answer.ok) {
    refused = answer.words || translate("No connection to the referee");
    closeCamera();
    return again();
  }
  await sendPictures(video, {
    camera, size: () => [width, height], stepMs: STEP_MS, going: () => track === mine,
    fits: () => Math.abs(video.videoWidth / video.videoHeight - width / height) < 0.01, told: () => {},
  });
}

function closeCamera() {
  if (!track) return;
  track.stop();
  track = null;
  const video = /** @type {HTMLVideoElement} */ (byId("rehearsal-camera"));
  video.srcObject = null;
  video.hidden = true;
}

async function send(step, again) {
  const answer = await act("POST", `/api/setup/rehearsal/${step}`, {});
  refused = answer.ok ? "" : answer.words || translate("No connection to the referee");
  await again();
}

function figures({ words, groups, advice, holds, lapsed, made_at: made, renewed_at: renewed, ends_on: ends }) {
  const day = (moment) => new Date(moment.slice(0, 10)).toLocaleDateString(language(), { dateStyle: "medium" });
  return [
    html("p", { class: "rehearsal-holds", "data-holds": String(holds) }, holds
      ? translate("Rehearsed on {made}; holds until {ends}.", { made: day(renewed || made), ends: day(ends) })
      : translate("The rehearsal of {made} no longer holds:", { made: day(renewed || made) })),
    ...(holds ? [] : [html("ul", {}, ...lapsed.map((each) => html("li", {}, each)))]),
    html("p", {}, words),
    html("div", { class: "rehearsal-figures", tabindex: "0", role: "group", "aria-label": translate("Figures of the rehearsal") }, html("table", {},
      html("thead", {}, html("tr", {}, ...[translate("Eyes"), translate("Told right"), translate("Told wrong"), translate("Left open")].map((text) => html("th", { scope: "col" }, text)))),
      html("tbody", {}, ...groups.map(({ who, right, wrong, open }) =>
        html("tr", {}, html("th", { scope: "row" }, who), html("td", {}, right), html("td", {}, wrong), html("td", {}, open)))))),
    ...(advice.length ? [html("h3", {}, translate("What would raise it")), html("ul", {}, ...advice.map((each) => html("li", {}, each)))] : []),
  ];
}

function drawing({ drawing: rows, fields }) {
  const height = rows.length;
  const width = rows[0].length;
  const changed = new Set(fields);
  const cells = rows.flatMap((row, y) => row.map((text, x) => {
    const name = `${String.fromCharCode(65 + x)}${y + 1}`;
    const at = { x: (x + 1) * CELL, y: (height - 1 - y) * CELL };
    return svg("g", { class: changed.has(name) ? "changed" : "" },
      svg("rect", { class: "rehearsal-cell", ...at, width: CELL, height: CELL }),
      svg("text", { class: "rehearsal-text", x: at.x + CELL / 2, y: at.y + CELL * 0.66 }, text));
  }));
  const letters = rows[0].map((_, x) => svg("text", { class: "axis", x: (x + 1.5) * CELL, y: (height + 0.6) * CELL }, String.fromCharCode(65 + x)));
  const numbers = rows.map((_, y) => svg("text", { class: "axis", x: CELL / 2, y: (height - y - 0.34) * CELL }, String(y + 1)));
  return svg("svg", { class: "rehearsal-drawing", viewBox: `0 0 ${(width + 1) * CELL} ${(height + 1) * CELL}`, role: "img",
    "aria-label": translate("What then stands where") }, ...cells, ...letters, ...numbers);
}
