// Whose turn it is, in words for the table's page and for the room's.

import { translate } from "./i18n.js";

/**
 * Nobody is told to play where no more pictures come.
 * @param {{ ended: string }} state
 * @param {string} who
 */
export function whoseTurn({ ended }, who) {
  return ended ? translate("{who} would be next", { who }) : translate("{who} to play", { who });
}
