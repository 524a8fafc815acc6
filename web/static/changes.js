// What changed of a state, put into it (web/changes.py tells what there is). Gives a new state, or null where the
// changes begin at another version than the one that is known.

export function applied(before, told) {
  if (before === null || told.from !== before.version) return null;
  const after = { ...before, ...told.set, version: told.version };
  for (const name of told.gone) delete after[name];
  if (told.history) {
    const entries = new Map((before.history ?? []).map((entry) => [entry.entry, entry]));
    for (const entry of told.history.entries) entries.set(entry.entry, entry);
    const { first, last } = told.history;
    after.history = [...entries.values()].filter(({ entry }) => entry >= first && entry <= last);
    after.history.sort((one, other) => one.entry - other.entry);
  }
  return after;
}
