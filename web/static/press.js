// Counts a press on a button that is drawn anew before the finger is lifted: the browser sends that click to none.
// It counts where the button in its place looks the same and means the same.

const PRESSABLE = "button, summary, a.button";
const TWICE_MS = 600; // a slow tablet sends a click of its own within this time
const CLICK_MS = 80; // after a touch the browser sends its click only once the finger is lifted

/**
 * Let presses count that a redraw would swallow.
 * @param {() => unknown} meaning what a press is meant for, say the turn under way: one that began with another is dropped
 */
export function keepPresses(meaning) {
  /** @type {{ node: Element, markup: string, meant: string } | null} */
  let begun = null;
  const means = () => JSON.stringify(meaning());

  const begin = (/** @type {Element | null} */ target) => {
    const node = target?.closest(PRESSABLE) ?? null;
    begun = node && { node, markup: node.outerHTML, meant: means() };
  };
  const end = (/** @type {Element | null} */ target) => {
    const before = begun;
    begun = null;
    const node = before && !before.node.isConnected ? target?.closest(PRESSABLE) : null;
    if (node instanceof HTMLElement && node.outerHTML === before?.markup && means() === before.meant) pressOnce(node);
  };
  const drop = () => {
    begun = null;
  };

  const at = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY);
  addEventListener("pointerdown", (event) => (event.isPrimary && event.button === 0 ? begin(at(event)) : drop()), true);
  addEventListener("pointerup", (event) => event.isPrimary && end(at(event)), true);
  addEventListener("pointercancel", drop, true);
  addEventListener("keydown", (event) => event.key === " " && !event.repeat && begin(document.activeElement), true);
  addEventListener("keyup", (event) => event.key === " " && end(document.activeElement), true);
}

// Press a button unless the browser does so itself, and keep the browser from doing so a second time.
function pressOnce(node) {
  let pressed = false;
  const heard = (/** @type {MouseEvent} */ event) => {
    if (!(event.target instanceof Node) || !node.contains(event.target)) return;
    if (pressed && event.isTrusted) event.stopImmediatePropagation();
    pressed = true;
  };
  addEventListener("click", heard, true);
  setTimeout(() => !pressed && node.isConnected && node.click(), CLICK_MS);
  setTimeout(() => removeEventListener("click", heard, true), TWICE_MS);
}
