// Names cut short: the beginning of each name, as short as tells it from the others (Gelb and Grün: Ge, Gr). Pure.

/**
 * @param {Record<string, string>} names by word
 * @returns {Record<string, string>} the shortest beginnings that differ, by word
 */
export function labels(names) {
  const all = Object.entries(names);
  return Object.fromEntries(all.map(([word, name]) => {
    const others = all.filter(([other, called]) => other !== word && called !== name).map(([, called]) => called);
    let length = 1;
    while (length < name.length && others.some((other) => other.startsWith(name.slice(0, length)))) length += 1;
    return [word, name.slice(0, length)];
  }));
}
