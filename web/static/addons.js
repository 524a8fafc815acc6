// What add-ons bring to the page. The page names their modules (link[data-addon]); only these know an add-on.

/**
 * page/addon.js in an add-on's package exports it as `addon`. All of it may be missing.
 * @typedef {object} AddOn
 * @property {Record<string, Screen>} [screens] of the tablet's page, by the name in their address
 * @property {Record<string, Part>} [parts] of the core's own screens, by the name of the place (what calls partsAt has it)
 * @property {(kind: string) => void} [happened] told the kind of each event of the journal,
 *   "opened" once the page is there, and "paired" once this device may act
 * @property {(entry: any) => Promise<Truths>} [truths] what may stand in the place of a board that was ruled on
 */

/**
 * @typedef {object} Screen
 * @property {string} of the tab it belongs to
 * @property {() => Promise<(node: Element, part: string | null) => void>} draw brings what draws it
 */

/**
 * @typedef {object} Part
 * @property {(given: any) => unknown} [from] what it is drawn from: it is drawn anew when that changes
 * @property {(given: any) => (Element | null)[]} draw given: what the place has to give
 * @property {() => void} [again] called now and then while somebody looks at it
 */

/**
 * @typedef {object} Truths
 * @property {{ board: string, changes: Record<string, string>, differs: string[] }[]} boards the likeliest first
 * @property {string} words said below them
 */

/** @type {AddOn[]} */
let all = [];

export async function learnAddons() {
  const links = /** @type {HTMLLinkElement[]} */ ([...document.querySelectorAll("link[data-addon]")]);
  all = (await Promise.all(links.map(brought))).filter(Boolean);
}

// Each is loaded on its own: an add-on whose module is broken keeps no other from being shown.
async function brought({ href }) {
  try {
    return (await import(href)).addon;
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: for whoever writes the add-on; loading the page again does not help
    console.error(`${href}:`, error);
    return null;
  }
}

/** @returns {Screen | undefined} */
export function addedScreen(name) {
  return all.map(({ screens }) => screens?.[name]).find(Boolean);
}

// The parts at a place: what they are drawn from, what draws them all, and what keeps them fresh.
export function partsAt(place, given = null) {
  const found = all.flatMap(({ parts }) => parts?.[place] ?? []);
  return {
    from: found.map(({ from }) => from?.(given) ?? null),
    draw: () => found.flatMap(({ draw }) => draw(given)),
    again: () => {
      for (const { again } of found) again?.();
    },
  };
}

/** @returns {Promise<Truths[]>} */
export async function truthsOf(entry) {
  return Promise.all(all.flatMap(({ truths }) => truths?.(entry) ?? []));
}

export function tellAddons(kind) {
  for (const { happened } of all) happened?.(kind);
}
