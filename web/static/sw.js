// Lets the page be installed and open when the referee is not there yet. Only the page's own files are kept, newest
// first from the network; what the table says is never kept.

const KEPT = "page";
/** @type {any} */
const worker = self;

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== self.location.origin) return;
  if (pathname !== "/" && !pathname.startsWith("/static/") && !pathname.startsWith("/kinds/") && !pathname.startsWith("/addons/")) return;
  event.respondWith(fresh(event.request));
});

async function fresh(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) await keep(request, answer.clone());
    return answer;
  } catch (error) {
    const old = await caches.match(request, { cacheName: KEPT });
    if (old) return old;
    throw error;
  }
}

// Where there is no room left the newest is shown all the same.
async function keep(request, answer) {
  try {
    await (await caches.open(KEPT)).put(request, answer);
  } catch {
    // kept another time
  }
}
