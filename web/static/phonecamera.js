// This device's camera: opening it, and sending what it sees to the referee, one picture at a time.

import { translate } from "./i18n.js";
import { sendPicture } from "./session.js";

export const WIDTH = 1280;
export const HEIGHT = 960;
/** Whether the browser lets this page have the camera's live pictures. */
export const LENDS_CAMERA = window.isSecureContext && Boolean(navigator.mediaDevices);
const QUALITY = 0.85;
const LATE_MS = 1000;
const OLD_MS = 5000; // a picture that is older when it gets there says nothing of the table as it is
const AGAIN_MS = 400;
const PAUSE_MS = 500;

const canvas = document.createElement("canvas");

// Show what the rear camera sees in a video element. Raises what the browser raises where it may not, or can't.
export async function openCamera(video, width, height) {
  const wanted = { facingMode: { ideal: "environment" }, width: { ideal: width }, height: { ideal: height }, frameRate: { ideal: 15 } };
  const stream = await navigator.mediaDevices.getUserMedia({ video: wanted, audio: false });
  video.srcObject = stream;
  await video.play();
  return stream.getVideoTracks()[0];
}

export function isRefused(error) {
  return error instanceof DOMException && error.name === "NotAllowedError";
}

export function whyClosed(error) {
  return isRefused(error)
    ? translate("The browser may not use the camera: allow it for this page in the browser’s settings, then try again.")
    : translate("No camera answers. Close other apps that use it, then try again.");
}

// Send one picture after the other. One is on its way at a time; while it is, newer ones are left out: that is all the back
// pressure there is. going() tells whether to go on, fits() whether the picture may be sent; told({at, age, ok, status}).
export async function sendPictures(video, { camera, size, stepMs, going, fits, told }) {
  let last = 0; // how long the one before took to get there: as long is assumed of the next
  while (going()) {
    const takenMs = await shown(video);
    if (!going()) return;
    if (document.visibilityState !== "visible" || !fits()) {
      await pause(PAUSE_MS);
      continue;
    }
    if (takenMs === null) {
      if (video.paused) await video.play().catch(() => {}); // as some do that were locked
      continue;
    }
    const blob = await picture(video, ...size());
    if (!blob) continue;
    const began = performance.now();
    const ageMs = began - takenMs + last;
    if (ageMs > OLD_MS) {
      last = 0;
      continue;
    }
    const { ok, status } = await sendPicture(camera, blob, ageMs);
    const ended = performance.now();
    last = ended - began;
    told({ at: ended, age: ended - takenMs, ok, status });
    await pause(ok ? Math.max(0, stepMs - last) : AGAIN_MS);
  }
}

function picture(video, width, height) {
  canvas.width = width;
  canvas.height = height;
  canvas.getContext("2d").drawImage(video, 0, 0, width, height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// The next frame of the camera: when it was taken, in the page's own time; null where none comes, for the last one is
// no new picture of the table, however often it is sent.
function shown(video) {
  return new Promise((done) => {
    const late = setTimeout(() => done(null), LATE_MS);
    const taken = (now, frame) => {
      clearTimeout(late);
      done(frame?.captureTime ?? now);
    };
    if (video.requestVideoFrameCallback) video.requestVideoFrameCallback(taken);
    else requestAnimationFrame((now) => taken(now, null));
  });
}

// The battery as {level, charging}, or null where the browser does not tell.
export async function battery() {
  const { getBattery } = /** @type {any} */ (navigator);
  return getBattery ? getBattery.call(navigator).catch(() => null) : null;
}
