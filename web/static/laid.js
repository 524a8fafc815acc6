// Has the table laid, waits until it answers, and goes there.

const AGAIN_MS = 500;
const LATE_MS = 3000; // an answer that does not come was lost between the first page's server and the table's
const there = /** @type {HTMLAnchorElement} */ (document.getElementById("there"));

// Who presses too early is shown no table, but that the browser can't reach one.
/** @type {HTMLElement} */ (there.parentElement).hidden = true;

// The table speaks as the choice did, whatever the browser prefers.
try {
  localStorage.setItem("referee-language", document.documentElement.lang);
  localStorage.setItem("referee-lets-in", there.hash.replace("#pair=", "")); // for whoever leaves this page too early
} catch {
  // A browser that remembers nothing still plays.
}

async function wait() {
  await fetch("/go", { method: "POST", signal: AbortSignal.timeout(LATE_MS) }).catch(() => null);
  for (;;) {
    await new Promise((done) => setTimeout(done, AGAIN_MS));
    const answer = await fetch("/health", { cache: "no-store", signal: AbortSignal.timeout(LATE_MS) }).catch(() => null);
    if (answer?.status !== 404 && answer) break; // the first page has no such address
  }
  location.replace(there.href);
}

wait();
