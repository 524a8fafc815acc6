// Keeps the screen awake where the browser can: over HTTPS or on the referee's own machine.

let lock = null;
let wanted = false;

export function canKeepAwake() {
  return "wakeLock" in navigator && isSecureContext;
}

export function keepAwake() {
  if (!canKeepAwake()) return;
  wanted = true;
  document.addEventListener("visibilitychange", ask);
  ask();
}

export function letSleep() {
  wanted = false;
  lock?.release();
}

async function ask() {
  if (!wanted || document.visibilityState !== "visible" || (lock && !lock.released)) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    if (!wanted) lock.release();
  } catch {
    lock = null; // a tablet low on power says no; asked again when the page is looked at again
  }
}
