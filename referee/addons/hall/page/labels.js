// What the desk calls things, in the language spoken.

import { translate } from "/static/i18n.js";

const NEEDS = {
  dispute: () => translate("Dispute"),
  breach: () => translate("Breach"),
  flag: () => translate("Time is over"),
  torn: () => translate("Contradicts itself"),
  stuck: () => translate("Nothing can be written"),
  offline: () => translate("Cut off"),
  silent: () => translate("Silent"),
  unsure: () => translate("Unsure ruling"),
  blind: () => translate("No ruling possible"),
  question: () => translate("Question"),
  camera: () => translate("Camera lost"),
  "putting-back": () => translate("Putting back"),
};

const VERDICTS = {
  legal: () => translate("legal"), illegal: () => translate("illegal"), unsure: () => translate("unsure"),
};

const FATES = {
  accepted: () => translate("accepted"),
  "taken-back": () => translate("taken back"),
  replaced: () => translate("replaced"),
  withdrawn: () => translate("withdrawn"),
  undone: () => translate("undone"),
  "found-late": () => translate("found late"),
};

const OUTCOMES = {
  stands: () => translate("The ruling stands"),
  changed: () => translate("The ruling was changed"),
  withdrawn: () => translate("The dispute was withdrawn"),
};

export const outcomeName = (outcome) => (OUTCOMES[outcome] ?? (() => outcome))();
export const needName = (what) => (NEEDS[what] ?? (() => what))();
export const verdictName = (verdict) => (VERDICTS[verdict] ?? (() => verdict))();
export const fateName = (fate) => (FATES[fate] ?? (() => ""))();

// Of two tables with one name each is told by the beginning of its id, too.
export const tableName = ({ name, id, alike }) => (alike || !name ? `${name} (${id.slice(0, 4)})` : name);
