// Joined modules find each other here: this stands before them in one script (web/packed.py).

/** @typedef {(address: string) => any} Needs */
/** @type {Record<string, (needs: Needs, brings: (name: string) => Promise<any>) => any>} */
const makers = {};
const made = new Map();

// What a joined module exports; it runs when it is first needed.
export function needs(address) {
  if (!made.has(address)) made.set(address, makers[address](needs, (name) => brought(name, address)));
  return made.get(address);
}

// A module asked for by name, joined or not. from: the address of the module that asks.
async function brought(name, from) {
  const { href, origin, pathname } = new URL(name, location.origin + from);
  return origin === location.origin && Object.hasOwn(makers, pathname) ? needs(pathname) : import(href);
}
