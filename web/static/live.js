// Keeping up with the table: follow() passes on states, events and how the connection is, for as long as the page is
// open. Pages of one browser share one stream where the browser lets them.

import { Connection } from "./connection.js";

const WORKER_SILENT_MS = 4000;

// onState(state), onEvent(event) once for each event since the page was opened, and onConnection({state, seconds}):
// state is connecting, live, polling, lost or locked, seconds is how long ago the table was heard last (null: never).
// Returns {close(), wake()}; wake() after the device was paired or forgotten. room: for the screen of the room.
/** @param {{ language?: string, room?: boolean, onState: (state: any) => void, onEvent?: (event: any) => void, onConnection: (link: any) => void }} told */
export function follow({ language = "en", room = false, onState, onEvent = () => {}, onConnection }) {
  let link = { mode: "connecting", heard: null };
  const report = () => {
    const seconds = link.heard === null ? null : Math.round((Date.now() - link.heard) / 1000);
    onConnection({ state: link.mode, seconds });
  };
  const hear = (message) => {
    if (message.kind === "state") onState(message.state);
    else if (message.kind === "happened") onEvent(message.event);
    else {
      link = message;
      report();
    }
  };

  let line = (room ? null : shared(language, hear, () => (line = alone(language, hear, room)))) ?? alone(language, hear, room);
  const ticking = setInterval(report, 1000);
  const wake = () => line.wake();
  const shown = () => document.visibilityState === "visible" && wake();
  const hide = () => line.close(); // a page kept for the back button holds no stream of the few there are
  const again = (event) => event.persisted && line.open();
  addEventListener("online", wake);
  document.addEventListener("visibilitychange", shown);
  addEventListener("pagehide", hide);
  addEventListener("pageshow", again);
  report();

  return {
    wake,
    close() {
      clearInterval(ticking);
      removeEventListener("online", wake);
      document.removeEventListener("visibilitychange", shown);
      removeEventListener("pagehide", hide);
      removeEventListener("pageshow", again);
      line.close();
    },
  };
}

function alone(language, hear, room) {
  const connection = new Connection(language, hear, room);
  connection.open();
  return connection;
}

// The stream shared through a worker, or null where the browser has no such workers; fail() when it turns out so later.
function shared(language, hear, fail) {
  if (!("SharedWorker" in globalThis)) return null;
  let port = null;
  let answered = false;
  let given = false;
  const giveUp = () => {
    if (given || answered) return;
    given = true;
    port?.close();
    fail();
  };
  const open = () => {
    given = answered = false;
    try {
      const worker = new SharedWorker("/static/stream-worker.js", { type: "module", name: `table-${language}` });
      worker.addEventListener("error", giveUp);
      port = worker.port;
    } catch {
      return false;
    }
    port.addEventListener("message", ({ data }) => {
      answered = true;
      if (!given) hear(data);
    });
    port.start();
    setTimeout(giveUp, WORKER_SILENT_MS);
    return true;
  };
  if (!open()) return null;
  return {
    open,
    wake: () => port.postMessage("wake"),
    close() {
      given = true; // nothing that still comes is wanted, and nobody is to take over
      port.postMessage("bye");
      port.close();
    },
  };
}
