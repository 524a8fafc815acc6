// What this device is called: as it was named when it was paired, or what it seems to be.

import { translate } from "./i18n.js";
import { kept } from "./prefs.js";

export function thisDevice() {
  return kept("name") || guessed();
}

export function guessed() {
  const told = navigator.userAgent;
  if (/iPad|Tablet|Android(?!.*Mobile)/.test(told)) return translate("Tablet");
  return /Mobi|iPhone/.test(told) ? translate("Phone") : translate("A player’s computer");
}
