// The page: it draws whatever state the table is in and decides nothing.

import { learnAddons, tellAddons } from "./addons.js";
import { act, SPACE } from "./actions.js";
import { announce } from "./aloud.js";
import { keepAwake } from "./awake.js";
import { learnListening, listen as listenToSpeech } from "./listening.js";
import { drawFrame, screenAsked } from "./frame.js";
import { byId, say } from "./dom.js";
import { learn, translate, translateN } from "./i18n.js";
import { learnKinds } from "./kinds.js";
import { follow } from "./live.js";
import { drawPlay } from "./play.js";
import { language, onKept } from "./prefs.js";
import { keepPresses } from "./press.js";
import { leftSecret, pairByLink, scannedSecret, speak } from "./session.js";
import { drawScreen, leaveScreen } from "./screens.js";
import { closeSheet, sheetOpen } from "./sheet.js";
import { learnPaints } from "./paints.js";
import { action, changed, hushed, known, learnSession, mayAct, onChange, toast, toastAge } from "./store.js";
import { thisDevice } from "./thisdevice.js";

const JUST_SAID_MS = 1500; // a trouble that led to another screen is still to be read there

const brought = Promise.all([learnKinds(), learnAddons()]);
let line = null;

function draw() {
  if (!known.language) return;
  const { screen } = screenAsked();
  drawFrame();
  drawConnection();
  if (known.state === null) return;
  learnPaints(known.state);
  say(byId("title"), known.state.title);
  say(byId("source"), known.state.source);
  document.title = `${known.state.banner.headline} · ${known.state.title}`;
  if (screen === "play") {
    leaveScreen();
    drawPlay();
  } else drawScreen();
}

function drawConnection() {
  const { state, seconds } = known.link;
  byId("connection").dataset.state = state;
  byId("main").classList.toggle("stale", state === "lost");
  const lost = seconds === null || seconds === undefined
    ? translate("No connection to the referee")
    : translateN("Connection lost, last seen {n} s ago", "Connection lost, last seen {n} s ago", seconds);
  const words = {
    connecting: translate("Connecting"), live: translate("Live"), polling: translate("Live (slow)"),
    lost, locked: translate("Pair to watch"),
  };
  say(byId("connection-words"), words[state]);
}

// The state asked for before the scripts were there; what the table says meanwhile is newer.
async function drawEarly() {
  const { early } = /** @type {any} */ (globalThis);
  const state = await early?.state;
  if (!state || known.state !== null || early.language !== language()) return;
  known.state = state;
  changed();
}

function listen() {
  line?.close();
  line = follow({
    language: language(),
    onState: (state) => {
      const before = known.state;
      known.state = state;
      if (!state.violation && before?.violation) known.editing = stillMeant(state);
      announce(state, before);
      changed();
    },
    onEvent: ({ kind }) => tellAddons(kind),
    onConnection: (link) => {
      const before = known.link;
      if (before.state === link.state && (before.seconds === link.seconds || link.state !== "lost")) {
        known.link = link;
        return;
      }
      known.link = link;
      if (known.state === null || before.state !== link.state) changed();
      else if (known.language) drawConnection();
    },
  });
}

// A board half corrected when the table moves on stays only where it can still be sent.
function stillMeant(state) {
  return known.editing && state.actions.some(({ id }) => id === known.editing.what) ? known.editing : null;
}

async function spoken() {
  const chosen = language();
  speak(chosen);
  await Promise.all([learn(chosen), brought]);
  if (chosen !== language()) return;
  known.language = chosen; // only now: what is drawn before is still in the language before
  changed();
}

function paired(answer) {
  toast(answer.ok ? translate("This device is paired.") : answer.words, answer.ok ? "info" : "trouble");
  line.wake();
}

async function start() {
  onChange(draw);
  addEventListener("hashchange", async () => {
    closeSheet(); // what it asks belongs to the screen that was left
    const scanned = scannedSecret(); // a code opened in this tab
    if (scanned) {
      const answer = await pairByLink(scanned, thisDevice());
      await learnSession();
      return paired(answer);
    }
    if (byId("toast").dataset.tone !== "trouble" || toastAge() > JUST_SAID_MS) hushed(); // said on the screen before
    changed();
  });
  onKept(async (key) => {
    if (key === "language") {
      await spoken();
      listen();
      learnListening();
    }
    if (key === "listen") listenToSpeech();
    changed();
  });
  // All are asked for at once; nothing is drawn before the words are there.
  const words = spoken();
  listen();
  drawEarly();
  const [left, scanned] = [leftSecret(), scannedSecret()];
  const secret = scanned ?? left;
  const answer = secret ? await words.then(() => pairByLink(secret, thisDevice())) : null;
  await Promise.all([words, learnSession()]);
  if (answer && (scanned || answer.ok)) paired(answer);
  keepAwake();
  keepPresses(() => [known.state?.turn, known.state?.to_move, known.state?.phase.id]);
  tellAddons("opened");
  learnListening();
  if (document.documentElement.dataset.tour) (await import("./tour.js")).startTour();
  if ("serviceWorker" in navigator && isSecureContext) navigator.serviceWorker.register("/sw.js").catch(() => {});
}

// The space key is the button beside the board.
addEventListener("keydown", (event) => {
  if (event.key !== " " || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  const at = /** @type {Element} */ (event.target).closest?.("button, a, input, textarea, select, summary, [role=button], [role=gridcell]");
  if (at || sheetOpen() || known.editing || !mayAct() || screenAsked().screen !== "play") return;
  const meant = SPACE.find((id) => action(id)?.first);
  if (!meant) return;
  event.preventDefault();
  act(meant);
});

export function wake() {
  line?.wake();
}

addEventListener("paired", () => {
  line?.wake();
  tellAddons("paired");
});

start();
