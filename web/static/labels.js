// Names cut short: the beginning of each name, as short as tells it from the others (Gelb and Grün: Ge, Gr). Where that
// takes more than two letters, the first and the one that tells (Rouge and Roi: Ru, Ri): three fit on no piece. Pure.

/**
 * @param {Record<string, string>} names by word
 * @returns {Record<string, string>} beginnings that differ, or first letter and the one that tells, by word
 */
export function labels(names) {
  const all = Object.entries(names);
  const found = all.map(([word, name]) => {
    const others = all.filter(([other, called]) => other !== word && called !== name).map(([, called]) => called);
    let length = 1;
    while (length < name.length && others.some((other) => other.startsWith(name.slice(0, length)))) length += 1;
    return [word, name.slice(0, length)];
  });
  const short = found.map(([word, label]) => [word, label.length > 2 ? label[0] + label[label.length - 1] : label]);
  const distinct = new Set(short.map(([, label]) => label)).size === new Set(found.map(([, label]) => label)).size;
  return Object.fromEntries(distinct ? short : found);
}
