// Keeping up with the table: an event stream, polling where there is none, and the truth about how old the news is.

const POLL_MS = 3000;
const STREAM_AGAIN_MS = 30000;
const SILENT_AFTER_MS = 22000; // two heartbeats and a little

export function follow({ onState, onConnection }) {
  let heard = null;
  let broken = false;
  let polling = null;
  let version = null;
  let current = null;

  const arrived = (state) => {
    heard = Date.now();
    broken = false;
    if (state && state.version !== version) {
      version = state.version;
      onState(state);
    }
    report();
  };
  const failed = () => {
    broken = true;
    report();
  };
  const report = () => {
    const age = heard === null ? null : Date.now() - heard;
    if (age === null) onConnection(broken ? { state: "lost", seconds: null } : { state: "connecting" });
    else if (broken || age > SILENT_AFTER_MS) onConnection({ state: "lost", seconds: Math.round(age / 1000) });
    else onConnection({ state: polling ? "polling" : "live" });
  };

  const poll = async () => {
    try {
      const answer = await fetch("/api/state", { cache: "no-store", signal: AbortSignal.timeout(8000) });
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      arrived(await answer.json());
    } catch {
      failed();
    }
  };
  const startPolling = () => {
    if (polling) return;
    polling = setInterval(poll, POLL_MS);
    poll();
    setTimeout(listen, STREAM_AGAIN_MS);
  };
  const stopPolling = () => {
    clearInterval(polling);
    polling = null;
  };

  function listen() {
    const stream = new EventSource("/api/events");
    stream.addEventListener("open", stopPolling);
    stream.addEventListener("state", (event) => arrived(JSON.parse(event.data)));
    stream.addEventListener("beat", () => arrived(null));
    stream.addEventListener("error", () => {
      // A closed stream was refused (too many pages listen): ask now and then. Otherwise the browser tries again.
      if (stream.readyState === EventSource.CLOSED) {
        stopPolling();
        startPolling();
      } else failed();
    });
    current = stream;
  }

  // A page kept for the back button holds no stream of the few there are.
  addEventListener("pagehide", () => current?.close());
  addEventListener("pageshow", (event) => event.persisted && listen());

  setInterval(report, 1000);
  listen();
}
