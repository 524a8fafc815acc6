// What a camera is called: as the table's file names it, but for photographs, which come from whatever phone.

import { translate } from "./i18n.js";

const PHOTOGRAPHS = "photographs";
const NUMBER = "#"; // before that of a picture among several of a look

/** @param {string} name */
export function cameraName(name) {
  const [camera, number] = name.split(NUMBER);
  if (camera !== PHOTOGRAPHS) return name;
  return number ? translate("Picture {n}", { n: number }) : translate("Photographs");
}
