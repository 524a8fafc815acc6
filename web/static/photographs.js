// Photographs by this device's own camera, or dropped on the page: each goes to the referee by itself, and what became of it
// stands beside it. This works on every page, also where a browser lends no camera.

import { html, redraw } from "./dom.js";
import { translate } from "./i18n.js";
import { language } from "./prefs.js";
import { token } from "./session.js";

const LONGEST_PX = 2000; // larger pictures tell the referee nothing more
const WORTH = 0.9; // a picture that would become hardly smaller is sent as it is
const QUALITY = 0.92;
const HEAD_BYTES = 1 << 18; // before so many the EXIF stands
const ASK_MS = 400;
const AGAIN_MS = 1500;
const [MOST_GOOD, MOST_WRONG] = [3, 5]; // the newest that are told of
const LOST = 8; // asked so often of a picture nobody knows, it is gone

/** @typedef {{ id: number, file: File, url: string, state: string, words: string, share: number, unknown: number, item?: HTMLElement }} Sent */

let sent = /** @type {Sent[]} */ ([]);
let node = /** @type {HTMLElement | null} */ (null);
let changed = () => {};
let line = Promise.resolve();
let asking = false;
const inputs = /** @type {Record<string, HTMLInputElement>} */ ({});

/**
 * Begin to take photographs.
 * @param {HTMLElement} list where they are told of
 * @param {() => void} onChange called when what became of one is known
 */
export function takePhotographs(list, onChange) {
  node = list;
  changed = onChange;
  inputs.camera = input("environment");
  inputs.files = input(null);
  list.before(inputs.camera, inputs.files); // not among the buttons, which are drawn anew while the camera is open
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    add([...(event.dataTransfer?.files ?? [])]);
  });
}

/** @param {string | null} capture which camera is opened at once; where none is, pictures that were taken already are chosen */
function input(capture) {
  const made = /** @type {HTMLInputElement} */ (html("input", {
    type: "file", accept: "image/*", multiple: true, hidden: true, capture,
    change: () => {
      add([...(made.files ?? [])]);
      made.value = ""; // the same picture may be chosen again
    },
  }));
  return made;
}

export const photograph = () => inputs.camera.click();
export const choosePictures = () => inputs.files.click();

/** Whether pictures were taken for the question that is open. */
export const anyTaken = () => sent.length > 0;

/** Whether it is not known yet what becomes of one. */
export const anyUnderWay = () => sent.some(isUnderWay);

/** @param {Sent} one */
const isUnderWay = ({ state }) => state === "sending" || state === "looked at";

/**
 * Tell no more of the pictures for a question, unless they may be for the next one.
 * @param {boolean} [decided] whether it is answered: then only those that the referee does not have yet may be
 */
export function clearPhotographs(decided = false) {
  const stays = (one) => (decided ? one.state === "sending" : isUnderWay(one));
  for (const { url } of sent.filter((one) => !stays(one))) URL.revokeObjectURL(url);
  sent = sent.filter(stays);
  draw();
}

/** @param {File[]} files */
function add(files) {
  for (const file of files) {
    const one = { id: 0, file, url: "", state: "sending", words: "", share: 0, unknown: 0 };
    sent.push(one);
    line = line.then(() => send(one)); // one after the other: the first is looked at while the next is on its way
  }
  draw();
  node?.lastElementChild?.scrollIntoView({ block: "nearest" }); // a small screen shows what becomes of it, too
}

/** @param {Sent} one */
async function send(one) {
  const blob = await reduced(one.file);
  one.url = URL.createObjectURL(blob);
  draw();
  for (;;) {
    const { status, id, words } = await upload(blob, one.file, (share) => {
      one.share = share;
      draw();
    });
    if (status === 202) {
      Object.assign(one, { id, state: "looked at" });
      draw();
      ask();
      return;
    }
    if (status === 401) return location.reload();
    if (status !== 503 && status !== 0) {
      Object.assign(one, { state: "wrong", words: status === 413 ? translate("This file is too large: choose a smaller size in the camera’s settings.") : words });
      draw();
      return;
    }
    await pause(AGAIN_MS);
  }
}

/**
 * @param {Blob} blob
 * @param {File} file
 * @param {(share: number) => void} onShare
 * @returns {Promise<{ status: number, id: number, words: string }>} status 0: no answer
 */
function upload(blob, file, onShare) {
  const now = Date.now();
  const query = new URLSearchParams({
    lang: language(), age_ms: String(Math.max(0, now - file.lastModified)), clock_ms: String(now), ahead_min: String(-new Date().getTimezoneOffset()),
  });
  return new Promise((done) => {
    const request = new XMLHttpRequest(); // fetch does not tell how far it is
    request.open("POST", `/api/photographs?${query}`);
    request.setRequestHeader("X-CSRF-Token", token());
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => onShare(loaded / total);
    request.onloadend = () => done({ status: request.status, id: request.response?.id ?? 0, words: request.response?.detail ?? "" });
    request.send(blob);
  });
}

// Ask what became of those that are looked at, until it is known of all.
async function ask() {
  if (asking) return;
  asking = true;
  while (sent.some(({ state }) => state === "looked at")) {
    await pause(ASK_MS);
    const answer = await fetch(`/api/photographs?lang=${language()}`, { cache: "no-store" }).catch(() => null);
    if (!answer?.ok) continue;
    const { photographs } = await answer.json();
    for (const one of sent.filter(({ state }) => state === "looked at")) {
      const told = photographs.find(({ id }) => id === one.id);
      if (told) Object.assign(one, { state: told.state, words: told.words });
      else if (++one.unknown > LOST) Object.assign(one, { state: "wrong", words: translate("The referee was started anew: take this picture again.") });
    }
    draw();
    changed();
  }
  asking = false;
}

function draw() {
  if (!node) return;
  const list = node;
  const items = sent.map((one) => (one.item ??= html("li")));
  // Those before stay as they are: a voice would read each of them again.
  if (items.length !== list.childElementCount || items.some((item, at) => item !== list.children[at])) list.replaceChildren(...items);
  for (const [at, one] of sent.entries()) {
    // A long list would push what is said of the turn off a small screen.
    items[at].hidden = !isUnderWay(one) && at < sent.length - (one.state === "wrong" ? MOST_WRONG : MOST_GOOD);
    drawOne(items[at], one, translate("Picture {n}", { n: String(at + 1) }));
  }
}

/** @param {HTMLElement} item @param {Sent} one @param {string} name */
function drawOne(item, one, name) {
  const { url, state } = one;
  const underWay = isUnderWay(one);
  item.dataset.state = state;
  redraw(item, [url, state, words(one), name], () => [
    url ? html("img", { src: url, alt: name }) : html("span", { class: "photograph-none", "aria-hidden": "true" }),
    html("p", {}, words(one)),
    underWay ? html("progress", { max: 1, "aria-label": name }) : null,
  ]);
  if (state === "sending") item.querySelector("progress")?.setAttribute("value", String(one.share));
}

/** @param {Sent} one */
function words({ state, words: told }) {
  if (state === "sending") return translate("On its way …");
  return told || translate("It has arrived, and will be looked at …");
}

// A JPEG made smaller, lying as it was stored, its EXIF as it was; any other file, or one that this browser can't read, as it is.
/** @param {File} file */
async function reduced(file) {
  try {
    const head = new DataView(await file.slice(0, HEAD_BYTES).arrayBuffer());
    if (head.getUint16(0) !== 0xffd8) return file;
    const exif = exifIn(head);
    const plain = exif ? new Blob([file.slice(0, exif[0]), file.slice(exif[1])], { type: "image/jpeg" }) : file;
    const picture = await createImageBitmap(plain); // without its EXIF it is not turned
    const share = LONGEST_PX / Math.max(picture.width, picture.height);
    if (share > WORTH) return file;
    const canvas = /** @type {HTMLCanvasElement} */ (html("canvas", { width: Math.round(picture.width * share), height: Math.round(picture.height * share) }));
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    pen.imageSmoothingQuality = "high";
    pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const small = /** @type {Blob} */ (await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY)));
    return exif ? new Blob([small.slice(0, 2), file.slice(...exif), small.slice(2)]) : small;
  } catch {
    return file;
  }
}

/**
 * @param {DataView} head
 * @returns {[from: number, to: number] | null} where the EXIF stands
 */
function exifIn(head) {
  for (let at = 2; at + 10 < head.byteLength && head.getUint8(at) === 0xff && head.getUint8(at + 1) !== 0xda;) {
    const to = at + 2 + head.getUint16(at + 2);
    if (head.getUint8(at + 1) === 0xe1 && head.getUint32(at + 4) === 0x45786966) return [at, to]; // "Exif"
    at = to;
  }
  return null;
}

/** @param {number} ms */
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
