// Small line drawings for buttons; words always stand beside them or in their label.

import { svg } from "./dom.js";

const PATHS = {
  play: "M4 4h7v7H4z M13 4h7v7h-7z M4 13h7v7H4z M13 13h7v7h-7z",
  record: "M8 6h12 M8 12h12 M8 18h12 M4 6h.01 M4 12h.01 M4 18h.01",
  table: "M4 8h3l2-3h6l2 3h3v11H4z M12 10a3.5 3.5 0 1 0 .01 0",
  settings: "M4 7h9 M17 7h3 M4 17h3 M11 17h9 M15 4.5v5 M9 14.5v5",
  left: "M5 19v-6a6 6 0 0 1 6-6h8 M15 3l4 4-4 4",
  right: "M19 19v-6a6 6 0 0 0-6-6H5 M9 3L5 7l4 4",
  across: "M7 20V4 M3 8l4-4 4 4 M17 4v16 M13 16l4 4 4-4",
  close: "M5 5l14 14 M19 5L5 19",
  back: "M15 4l-8 8 8 8",
  next: "M9 4l8 8-8 8",
  first: "M18 4l-8 8 8 8 M6 4v16",
  last: "M6 4l8 8-8 8 M18 4v16",
  more: "M5 12h.01 M12 12h.01 M19 12h.01",
  aloud: "M4 9v6h4l5 4V5L8 9z M16.5 8.5a5 5 0 0 1 0 7 M19 6a8.5 8.5 0 0 1 0 12",
  save: "M12 4v11 M7 10l5 5 5-5 M4 20h16",
};

export function icon(name) {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: PATHS[name] }));
}
