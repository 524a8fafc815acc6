// Shared by all pages of one browser that show the table in one language: they hold one stream together.
// A browser allows six connections to a host, and the referee has only so many streams.

import { Connection } from "./connection.js";

const ports = new Set();
let newest = null;

const connection = new Connection(self.name.replace(/^.*-/, ""), (message) => {
  if (message.kind === "state") newest = message;
  for (const port of ports) port.postMessage(message);
});

self.addEventListener("connect", (event) => {
  const port = /** @type {MessageEvent} */ (event).ports[0];
  ports.add(port);
  port.addEventListener("message", ({ data }) => {
    if (data === "bye") {
      ports.delete(port);
      if (!ports.size) connection.close();
    } else if (data === "wake") connection.wake();
  });
  port.start();
  if (newest) port.postMessage(newest);
  port.postMessage(connection.link);
  connection.open();
});
