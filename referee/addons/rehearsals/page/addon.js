// Rehearsals, on the page on which the table is set up.

import { html } from "/static/dom.js";
import { drawRehearsal } from "./rehearsal.js";

const section = html("section", { id: "rehearsal", class: "rehearsal" });
const video = html("video", { id: "rehearsal-camera", class: "camera-picture", muted: true, playsinline: true, hidden: true });

export const addon = {
  parts: {
    setup: { draw: ({ rehearsal, mayAct, view }) => {
      drawRehearsal(section, rehearsal, mayAct, view);
      return [section, video];
    } },
  },
};
