// This phone as a camera of the table: what its rear camera sees goes to the referee, one picture at a time.

import { keepAwake } from "./awake.js";
import { byId, html, say } from "./dom.js";
import { startInHand } from "./handheld.js";
import { learn, translate } from "./i18n.js";
import { keep, kept, language } from "./prefs.js";
import { HEIGHT, LENDS_CAMERA, WIDTH, battery, isRefused, openCamera, sendPictures, whyClosed } from "./phonecamera.js";
import { pairByLink, scannedSecret, session, speak } from "./session.js";

const STEP_MS = 120; // the referee takes no more than eight a second from a phone
const SETTLED_MS = 3000; // so long the camera looks for its exposure before that is held
const KEPT = 40;
const LENS_MS = 1500;
const AGAIN_MS = 2000;
const MINE = "phone"; // which camera this phone was last: it goes on as that by itself, until it is stopped

const sent = []; // the last ones: { at, age, ok }
let chosen = null;
let best = 0;
let again = 0; // the timer that offers anew

async function start() {
  speak(language());
  await learn(language());
  document.title = translate("This phone as a camera");
  say(byId("title"), translate("This phone as a camera"));
  say(byId("back"), translate("To the game"));
  const secret = scannedSecret();
  if (secret) await pairByLink(secret, translate("Phone"));
  if (!(await session()).paired) {
    say(byId("status"), translate("Pair this phone on the game’s page first, then come back."));
    return;
  }
  await offer();
}

async function offer() {
  clearTimeout(again);
  if (document.visibilityState !== "visible") await new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));
  const answer = await fetch(`/api/phones?lang=${language()}`, { cache: "no-store" }).catch(() => null);
  if (!answer) {
    say(byId("status"), translate("No connection to the referee"));
    again = setTimeout(offer, AGAIN_MS);
    return;
  }
  const found = await answer.json();
  if (!answer.ok) {
    say(byId("status"), found.detail ?? "");
    return;
  }
  say(byId("status"), "");
  if (found.phones.length === 1 && found.phones[0].held) return startInHand(found.phones[0]);
  if (!LENDS_CAMERA) {
    const held = found.phones.find((place) => place.held);
    if (held) return startInHand(held);
    byId("status").replaceChildren(
      translate("A browser lends its camera only to pages it may trust, and this phone is to stay in its place."), " ",
      html("a", { href: `/trust?lang=${language()}` }, translate("How it comes to trust this page")));
    return;
  }
  byId("choice").replaceChildren(
    html("h2", {}, translate("Which camera is this phone?")),
    ...found.phones.map((place) => {
      const note = place.sending ? ` (${translate("another phone sends now")})` : "";
      const button = html("button", { class: "main", type: "button" }, `${place.camera}: ${place.phone}${note}`);
      button.addEventListener("click", () => {
        clearTimeout(again);
        if (place.held) return inHand(place);
        keep(MINE, place.camera);
        look(place);
      });
      return button;
    }),
  );
  const mine = found.phones.find(({ camera }) => camera === kept(MINE));
  // What still counts as sending may be this very phone, from before it was loaded anew.
  if (mine?.sending) again = setTimeout(offer, AGAIN_MS);
  else if (mine) await look(mine);
}

function inHand(place) {
  byId("choice").replaceChildren();
  startInHand(place);
}

async function look(place) {
  const [width, height] = place.size ?? [WIDTH, HEIGHT];
  const video = /** @type {HTMLVideoElement} */ (byId("video"));
  let track;
  try {
    track = await openCamera(video, width, height);
  } catch (error) {
    say(byId("status"), whyClosed(error));
    if (!isRefused(error) && kept(MINE)) again = setTimeout(offer, 2 * AGAIN_MS);
    return;
  }
  chosen = { ...place, width, height };
  say(byId("status"), "");
  byId("choice").replaceChildren();
  byId("view").hidden = false;
  keepAwake();
  track.addEventListener("ended", () => location.reload());
  drawButtons(track);
  setTimeout(() => hold(track), SETTLED_MS);
  say(byId("advice"), translate("Fix the phone so that it sees the whole board and its frame, lying on its side. Leave this page open and the phone on its charger."));
  if (!shapeFits(video)) {
    say(byId("status"), translate("The picture is {is}, the lens was measured at {wanted}: turn the phone on its side, or measure its lens anew.", {
      is: `${video.videoWidth} × ${video.videoHeight}`,
      wanted: `${width} × ${height}`,
    }));
  }
  sendPictures(video, {
    camera: place.camera, size: () => [width, height], stepMs: STEP_MS, going: () => true, fits: () => shapeFits(video),
    told: (one) => {
      sent.push(one);
      if (sent.length > KEPT) sent.shift();
      if (one.status === 401) location.reload();
    },
  });
  setInterval(tell, 1000);
  setInterval(tellLens, LENS_MS);
}

const shapeFits = (video) => Math.abs(video.videoWidth / video.videoHeight - chosen.width / chosen.height) < 0.01;

// Exposure, focus and white balance as they have settled: a picture that changes by itself is no still board.
async function hold(track) {
  const can = track.getCapabilities?.() ?? {};
  const now = track.getSettings();
  const held = {};
  for (const [mode, value] of [["focusMode", "focusDistance"], ["exposureMode", "exposureTime"], ["whiteBalanceMode", "colorTemperature"]]) {
    if (!can[mode]?.includes("manual")) continue;
    held[mode] = "manual";
    if (now[value] !== undefined) held[value] = now[value];
  }
  if (Object.keys(held).length) await track.applyConstraints({ advanced: [held] }).catch(() => {});
}

function drawButtons(track) {
  const buttons = [];
  if (track.getCapabilities?.().torch) {
    let lit = false;
    const torch = html("button", { type: "button", "aria-pressed": "false" }, translate("Light"));
    torch.addEventListener("click", async () => {
      lit = !lit;
      await track.applyConstraints({ advanced: [{ torch: lit }] }).catch(() => {});
      torch.setAttribute("aria-pressed", String(lit));
    });
    buttons.push(torch);
  }
  const stop = html("button", { type: "button" }, translate("Stop"));
  stop.addEventListener("click", () => {
    keep(MINE, "");
    location.reload();
  });
  byId("buttons").replaceChildren(...buttons, stop);
}

// What is to be done so that the referee knows this phone's lens; nothing where it does.
async function tellLens() {
  if (document.visibilityState !== "visible") return;
  const answer = await fetch(`/api/phones?lang=${language()}`, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  const mine = (await answer.json()).phones.find(({ camera }) => camera === chosen.camera);
  say(byId("lens"), mine?.lens ?? "");
  byId("lens").hidden = !mine?.lens;
}

async function tell() {
  const since = performance.now() - 5000;
  const lately = sent.filter(({ at }) => at > since);
  const good = lately.filter(({ ok }) => ok);
  const rate = good.length / 5;
  best = Math.max(best, rate);
  if (!good.length) {
    say(byId("vitals"), translate("No picture gets to the referee now; it is tried again."));
    return;
  }
  const ages = good.map(({ age }) => age).sort((a, b) => a - b);
  const parts = [
    translate("{n} pictures a second", { n: rate.toFixed(1) }),
    translate("{n} ms old", { n: String(Math.round(ages[ages.length >> 1])) }),
    translate("{n} % lost", { n: String(Math.round((100 * (lately.length - good.length)) / lately.length)) }),
  ];
  const charge = await battery();
  if (charge) parts.push(translate("battery {n} %", { n: String(Math.round(charge.level * 100)) }));
  say(byId("vitals"), parts.join(" · "));
  if (charge && charge.level < 0.2 && !charge.charging) say(byId("status"), translate("The battery is nearly empty: put the phone on its charger."));
  else if (best > 4 && rate < best / 3) say(byId("status"), translate("This phone has become slow. It may be too warm: take it out of its case and out of the sun."));
  else if (shapeFits(byId("video"))) say(byId("status"), "");
}

start();
