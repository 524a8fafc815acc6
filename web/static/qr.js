// A QR code from its rows of squares, dark on light in every theme, with the quiet zone scanners need.

import { svg } from "./dom.js";

const QUIET = 4;

export function qrCode(rows, words) {
  const size = rows.length + 2 * QUIET;
  const squares = rows.map((row, y) => [...row].map((dark, x) => (dark === "1" ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "")).join("")).join("");
  return svg("svg", { viewBox: `0 0 ${size} ${size}`, class: "qr", role: "img", "aria-label": words, "shape-rendering": "crispEdges" },
    svg("rect", { width: size, height: size, fill: "#fff" }), svg("path", { d: squares, fill: "#000" }));
}
