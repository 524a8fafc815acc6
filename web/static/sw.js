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
  if (pathname !== "/" && !/^\/(static|kinds|addons|packed)\//.test(pathname)) return;
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
    const kept = await caches.open(KEPT);
    await kept.put(request, answer);
    const { page, version } = joined(request);
    for (const old of page ? await kept.keys() : []) if (joined(old).page === page && joined(old).version !== version) await kept.delete(old);
  } catch {
    // kept another time
  }
}

// A joined script or style sheet, whose address bears its version: a new one takes the place of those before.
function joined({ url }) {
  const [, version, page] = new URL(url).pathname.match(/^\/packed\/([^/]+)\/(\w+)/) ?? [];
  return { page, version };
}
