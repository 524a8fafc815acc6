// Entries of the record that are older than those of the table's state, fetched when somebody looks for them.

import { translate } from "./i18n.js";
import { recordBefore } from "./session.js";
import { changed, toast } from "./store.js";

const MOST = 200;
const AROUND = 25;
let found = { mark: "", entries: [] };

async function fetched(before, limit) {
  const answer = await recordBefore(before, limit);
  if (!answer.ok) toast(translate("The older turns can’t be fetched now."), "trouble");
  return answer.entries ?? [];
}

// The whole record, as far as it can be fetched.
export async function wholeRecord({ history }) {
  let entries = history;
  while (entries[0]?.entry > 1) {
    const more = await fetched(entries[0].entry, MOST);
    if (!more.length) break;
    entries = [...more, ...entries];
  }
  return entries;
}

// The part of the record with an entry and some before it; drawn again once it is fetched.
export function recordAround(number, { history, version, language }) {
  const first = history[0]?.entry ?? 1;
  if (first === 1 || number > first || !(number > 0)) return history;
  const mark = JSON.stringify([version, language, number]);
  if (found.mark !== mark) {
    found = { mark, entries: found.entries };
    fetched(number + AROUND, 2 * AROUND).then((entries) => {
      if (found.mark !== mark) return; // asked for something else meanwhile
      found = { mark, entries };
      changed();
    });
  }
  return found.entries;
}
