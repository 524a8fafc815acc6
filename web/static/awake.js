// Keeps the screen awake where the browser can: over HTTPS or on the referee's own machine.

let lock = null;

export function canKeepAwake() {
  return "wakeLock" in navigator && isSecureContext;
}

export function keepAwake() {
  if (!canKeepAwake()) return;
  const ask = async () => {
    if (document.visibilityState !== "visible" || (lock && !lock.released)) return;
    try {
      lock = await navigator.wakeLock.request("screen");
    } catch {
      lock = null; // a tablet low on power says no; asked again when the page is looked at again
    }
  };
  document.addEventListener("visibilitychange", ask);
  ask();
}
