// A phone in the hand: camera and tablet in one. It photographs the board, or shows it by live pictures where the browser lends
// the camera: that is on only while somebody shows the board, each picture is a view, and what the referee decides is told at
// arm's length, by a tone and a buzz.

import { keepAwake, letSleep } from "./awake.js";
import { forgetBoard, isTouched, mayForget, watchBoard } from "./boardtouch.js";
import { button, byId, html, redraw, say, show, unparted } from "./dom.js";
import { translate } from "./i18n.js";
import { follow } from "./live.js";
import { HEIGHT, LENDS_CAMERA, WIDTH, battery, openCamera, sendPictures, whyClosed } from "./phonecamera.js";
import { anyTaken, anyUnderWay, choosePictures, clearPhotographs, photograph, takePhotographs } from "./photographs.js";
import { language } from "./prefs.js";
import { keepPresses } from "./press.js";
import { ring } from "./ring.js";
import { command } from "./session.js";
import { beginning, decided } from "./showing.js";
import { TONES, play } from "./sound.js";
import { whoseTurn } from "./whoseturn.js";

const STEP_MS = 400; // two pictures a second are more than a walk around the board needs
const LENS_MS = 1000;
const SLOW_MS = 2500; // a picture that takes longer to get there: the phone may be too warm, or the network slow
const BUSY = ["reading", "ruling"];
const SIGNS = { time: "!", legal: "✓", illegal: "✕", unsure: "?", busy: "…", won: "★", paused: "‖" };
const BUZZES = { legal: [120], won: [120, 80, 120, 80, 240], illegal: [300, 120, 300], unsure: [80, 80, 80] };

let place = null;
let state = null;
let track = null; // of the camera, while it is on
let begun = null; // how the table stood when somebody began to show it
let photographed = null; // how it stood when somebody began to photograph it
let lens = "";
let trouble = "";
let slow = false;
let sending = false; // a command is under way

// A board without a printed frame is photographed; live pictures are of no use there.
const lendsVideo = () => LENDS_CAMERA && !place.bare;

const video = () => /** @type {HTMLVideoElement} */ (byId("hand-video"));

// found: the camera this phone is, as /api/phones tells.
export function startInHand(found) {
  place = found;
  show(byId("hand"), true);
  show(byId("back"), false); // it is at the bottom, where the thumb is
  follow({
    language: language(),
    onState: (newest) => {
      state = newest;
      if (track && decided(begun, state)) closeCamera(true);
      else if (track) begun.views = state.showing?.views ?? 0;
      watchPhotographed();
      draw();
    },
    onConnection: (link) => {
      if (link.state === "lost") trouble = translate("No connection to the referee");
      else if (trouble === translate("No connection to the referee")) trouble = "";
      draw();
    },
  });
  takePhotographs(byId("hand-photographs"), draw);
  if (place.bare) watchBoard(byId("hand-touch"), () => state, draw);
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && closeCamera(false));
  keepPresses(() => [state?.turn, state?.to_move, state?.phase.id]);
  setInterval(watchBattery, 10000);
  if (location.hash === "#show" && lendsVideo()) openWhenAsked();
}

// Whoever ended the turn on the game's page comes here to show it.
function openWhenAsked() {
  if (!state) return void setTimeout(openWhenAsked, 200);
  if (state.showing) showBoard();
}

async function showBoard() {
  if (track) return;
  play([]); // a browser lets a page sound only after a touch
  trouble = "";
  begun = beginning(state);
  photographed = null;
  try {
    track = await openCamera(video(), ...(place.size ?? (innerHeight > innerWidth ? [HEIGHT, WIDTH] : [WIDTH, HEIGHT])));
  } catch (error) {
    trouble = whyClosed(error);
    return draw();
  }
  const mine = track;
  keepAwake();
  track.addEventListener("ended", () => closeCamera(false));
  watchLens(mine);
  draw();
  await sendPictures(video(), {
    camera: place.camera, size: pictureSize, stepMs: STEP_MS, going: () => track === mine, fits,
    told: ({ ok, status, age }) => {
      slow = ok && age > SLOW_MS;
      if (status === 401) location.reload();
    },
  });
}

function closeCamera(told) {
  if (!track) return;
  track.stop();
  track = null;
  video().srcObject = null;
  letSleep();
  if (told) tellDecided();
  draw();
}

function tellDecided() {
  play(TONES[state.banner.tone] ?? []);
  navigator.vibrate?.(BUZZES[state.banner.tone] ?? [80]);
  scrollTo(0, 0);
}

// Photographs are wanted from a question of the referee's to its answer; those of the question before are told of no more.
function watchPhotographed() {
  if (photographed && decided(photographed, state)) {
    photographed = null;
    if (anyTaken()) tellDecided();
    clearPhotographs(true);
  }
  if (!photographed && state.showing && !track) {
    clearPhotographs();
    photographed = beginning(state);
  }
  if (photographed) photographed.views = state.showing?.views ?? 0;
}

// The size a lens is measured at, or, before it is, the picture's own with its longer side as the referee likes it.
function pictureSize() {
  if (place.size) return place.size;
  const { videoWidth, videoHeight } = video();
  const scale = Math.min(1, WIDTH / Math.max(videoWidth, videoHeight));
  return [Math.round(videoWidth * scale), Math.round(videoHeight * scale)];
}

function fits() {
  if (!place.size) return true;
  const [width, height] = place.size;
  return Math.abs(video().videoWidth / video().videoHeight - width / height) < 0.01;
}

// What is to be done so that the referee knows this phone's lens, for as long as it does not.
async function watchLens(mine) {
  while (track === mine) {
    const answer = await fetch(`/api/phones?lang=${language()}`, { cache: "no-store" }).catch(() => null);
    const found = answer?.ok ? (await answer.json()).phones.find(({ camera }) => camera === place.camera) : null;
    if (found) {
      place = found;
      lens = found.size ? "" : found.lens;
      draw();
    }
    if (place.size) return;
    await new Promise((done) => setTimeout(done, LENS_MS));
  }
}

async function watchBattery() {
  const charge = await battery();
  const low = charge && charge.level < 0.15 && !charge.charging;
  say(byId("hand-battery"), charge ? `${translate("battery {n} %", { n: String(Math.round(charge.level * 100)) })}${low ? ` · ${translate("soon empty")}` : ""}` : "");
}

async function press(name) {
  if (sending) return;
  sending = true;
  play([]);
  draw();
  const answer = await command(name, {}, state.event);
  sending = false;
  trouble = answer.ok ? "" : answer.words;
  draw();
  if (!answer.ok) return;
  await new Promise((done) => {
    const by = Date.now() + 3000;
    const look = () => (BUSY.includes(state.phase.id) || Date.now() > by ? done(undefined) : setTimeout(look, 50));
    look();
  });
  if (state.showing && lendsVideo()) showBoard();
}

function draw() {
  if (!state) return;
  const { banner, showing, title } = state;
  say(byId("title"), title);
  const on = Boolean(track);
  const read = Boolean(showing) && !on && anyUnderWay(); // below stands how far that is, and nothing else is to be done
  byId("hand").dataset.on = String(on);
  byId("hand-said").dataset.tone = banner.tone;
  say(byId("hand-sign"), SIGNS[banner.tone] ?? "");
  const headline = read ? translate("Looking at the picture") : banner.headline;
  redraw(byId("hand-headline"), headline, () => [unparted(headline)]);
  // Before the first turn the ruling itself says who begins.
  say(byId("hand-next"), on || state.phase.id !== "playing" || !state.history.length ? "" : whoseTurn(state, nameOf(state.to_move)));
  say(byId("hand-detail"), on || read ? "" : banner.detail);
  say(byId("hand-advice"), on || read || repeatsTheSide() ? "" : banner.advice);
  show(byId("hand-view"), on);
  byId("hand").dataset.touching = String(isTouched());
  const told = isTouched() ? trouble : trouble || (on ? toldNow(showing) : read ? "" : wantedNext());
  say(byId("hand-told"), told);
  show(byId("hand-told"), Boolean(told));
  drawProgress(showing, on);
  redraw(byId("hand-ring"), [showing?.sides, showing?.show, state.kit.columns, state.kit.rows], () =>
    (showing?.sides.length ? [ring(showing, state.kit)] : []));
  byId("hand-rim").setAttribute("points", on && showing ? showing.rim.map(([x, y]) => `${100 * x},${100 * y}`).join(" ") : "");
  byId("hand-rim").dataset.good = String(!showing?.advice || showing.advice.id === "done");
  redraw(byId("hand-buttons"), [on, Boolean(showing), asksForPhotographs(), state.phase.id, state.banner.tone, state.actions, state.form, state.board.ready, state.to_move, sending, isTouched(), mayForget(), language()], buttons);
}

const offered = (name) => state.actions.find(({ id }) => id === name);

// Whether nothing more need be shown of the set-up.
const mayBegin = () => state.phase.id === "set-up" && state.banner.tone === "legal" && Boolean(offered("begin"));

// Whether somebody is to photograph the table, and not only may: what fixed cameras look at by themselves needs no phone.
function asksForPhotographs() {
  if (!state.showing || mayBegin()) return false;
  if (!state.cameras.some(({ ok, held }) => ok && !held)) return true;
  if (isPutBack()) return state.live.tasks.some(({ done, unseen }) => unseen && !done);
  return state.banner.tone !== "busy";
}

// Whether the advice on the set-up is to show the board, which what the next photograph is to show says better.
const repeatsTheSide = () => state.phase.id === "set-up" && Boolean(state.showing) && (state.banner.tone === "busy" || !state.banner.fields.length);

const nameOf = (player) => state.seats.find(({ colour }) => colour === player).name;

function toldNow(showing) {
  if (!fits()) return translate("Turn the phone as it was when its lens was found.");
  if (lens) return lens;
  const { advice, show: side } = showing ?? {};
  if (showing?.legal && side && (!advice || ["done", "show"].includes(advice.id))) {
    return `${translate("Legal so far: one more side, then we are done.")} ${side.message}`;
  }
  if (advice?.id === "done" && side) return side.message; // which side to walk on to
  if (advice && advice.id !== "show") return advice.words;
  if (slow) return translate("Pictures take long to get there: go nearer to the access point, or let the phone cool down.");
  if (showing?.show) return showing.show.message;
  return showing?.views ? translate("Walk on around the board.") : translate("Get the whole frame into the picture.");
}

const isPutBack = () => ["violation", "restoring"].includes(state.phase.id);

// What the next photograph is to show, unless it is said already.
function wantedNext() {
  const { banner, showing } = state;
  return asksForPhotographs() && !banner.advice.includes(showing.show?.message ?? "\n") ? nextSide(showing) : "";
}

function nextSide({ views, show: side, legal }) {
  if (side) return legal ? `${translate("Legal so far: one more side, then we are done.")} ${side.message}` : side.message;
  if (views) return translate("Go round the table by a quarter, and photograph from there.");
  if (isPutBack()) return translate("When it is put back, photograph it from one side, at an angle.");
  return place.bare
    ? translate("Photograph the whole board from one side, at an angle.")
    : translate("Photograph the whole frame and all that lies in it from one side, at an angle.");
}

function drawProgress(showing, on) {
  const node = byId("hand-progress");
  const told = Boolean(showing) && (on ? !lens : showing.views > 0);
  show(node, told);
  if (!told) return;
  redraw(node, [showing.views, showing.most, showing.fields], () => [
    html("span", { class: "hand-dots", "aria-hidden": "true" },
      ...Array.from({ length: showing.most }, (_, at) => html("i", { "data-done": String(at < showing.views) }))),
    html("span", {}, translate("{n} of at most {most} views", { n: String(showing.views), most: String(showing.most) })),
    showing.fields.length ? html("span", {}, translate("still open: {fields}", { fields: showing.fields.slice(0, 6).join(", ") })) : null,
  ]);
}

function buttons() {
  if (track) return [button(translate("Stop showing"), () => closeCamera(false), { "data-key": "stop" })];
  if (isTouched()) return [];
  const leading = offered("take_seats") ?? (mayBegin() ? offered("begin") : null);
  const kind = leading || !asksForPhotographs() ? null : "main";
  const all = [toGame()];
  if (place.bare && mayForget()) all.push(button(translate("Touch the corners anew"), forgetBoard, { "data-key": "forget" }));
  if (state.showing) {
    const early = offered("not_ended"); // whoever said too early that the turn was over
    if (early) all.push(button(early.words, () => press("not_ended"), { "data-key": "not-ended", disabled: sending }));
    all.push(button(translate("Choose pictures"), choosePictures, { "data-key": "choose" }));
    all.push(button(translate("Photograph"), photograph, { class: lendsVideo() ? null : kind, "data-key": "photograph" }));
    if (lendsVideo()) all.push(button(showWords(), showBoard, { class: kind, "data-key": "show" }));
  } else if (mayEnd()) {
    all.push(button(offered("turn_ended").words, () => press("turn_ended"), { class: "main", "data-key": "ended", disabled: sending }));
  }
  if (leading) all.push(button(leading.words, () => press(leading.id), { class: "main", "data-key": LEADING[leading.id], disabled: sending }));
  return all;
}

const LEADING = { take_seats: "seats", begin: "begin" };

// Where all is declared, no turn ends before that.
const mayEnd = () => state.phase.id === "playing" && Boolean(offered("turn_ended")) && (state.board.ready ?? true);

function toGame() {
  const declares = Boolean(offered("turn_ended") && state.form);
  const words = declares ? translate("Declare something for {who}", { who: nameOf(state.to_move) }) : translate("To the game");
  return html("a", { class: declares && !mayEnd() ? "button main" : "button", href: "/", "data-key": "game" }, words);
}

function showWords() {
  const { id } = state.phase;
  if (id === "set-up") return translate("Walk around the board");
  if (isPutBack()) return translate("Show that it is put back");
  return id === "unsure" ? translate("Show it from another side") : translate("Show the board");
}
