// Building elements without markup in strings, so nothing that comes over the wire can become markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function byId(id) {
  return document.getElementById(id);
}

// Leaves equal text alone: a live region speaks again at every touch.
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// Words with a hyphen, such as “set-up”, that a line does not part: no sign without a break goes into what is read aloud or copied.
export function unparted(text) {
  return html("span", {}, ...text.split(/(?<!\p{L})(\p{L}{1,8}-\p{L}{1,8})(?!\p{L})/u)
    .map((part, index) => (index % 2 ? html("span", { class: "unparted" }, part) : part)));
}

export function show(node, visible) {
  node.toggleAttribute("hidden", !visible); // SVG elements have no property of that name
}

// Builds a part anew when what it is made of has changed.
const made = new WeakMap();

export function redraw(node, from, build) {
  const key = JSON.stringify(from);
  if (made.get(node) === key) return;
  made.set(node, key);
  rebuild(node, build);
}

// Builds a part anew, and gives the focus back to what had it (by data-key). Where that is gone or can't be pressed now, the
// part itself has it, and not the page's beginning.
export function rebuild(node, build) {
  const had = node.contains(document.activeElement) ? document.activeElement : null;
  const active = had?.getAttribute("data-key");
  const caret = had instanceof HTMLInputElement ? had.selectionStart : null;
  const top = node.scrollTop;
  node.replaceChildren(...[build()].flat().filter(Boolean));
  node.scrollTop = top;
  if (!had || had === node) return;
  const now = active ? node.querySelector(`[data-key="${CSS.escape(active)}"]`) : null;
  now?.focus({ preventScroll: true });
  if (caret !== null && now instanceof HTMLInputElement) now.setSelectionRange(caret, caret);
  if (node.contains(document.activeElement)) return;
  node.tabIndex = -1;
  node.focus({ preventScroll: true });
}

export function forgetDrawn(node) {
  made.delete(node);
}

export function button(words, act, attributes = {}, ...signs) {
  return html("button", { type: "button", click: act, ...attributes }, ...signs, html("span", {}, words));
}

/**
 * Make a part that opens under its summary.
 * @param {Record<string, unknown>} attributes
 * @param {boolean} isOpen
 * @param {(now: boolean) => void} note told at once whether it is open now: a toggle event would come only after a redraw
 *   that falls between, which would fold the part again
 * @param {HTMLElement} summary
 * @param {...(Node | string | null)} children
 */
export function folding(attributes, isOpen, note, summary, ...children) {
  const whole = html("details", { ...attributes, open: isOpen }, summary, ...children);
  summary.addEventListener("click", () => note(!whole.open));
  return whole;
}

/**
 * Scroll what would come unseen to the top of what scrolls.
 * @param {HTMLElement} scroller
 * @param {HTMLElement} node
 * @param {number} [covered_px] how much of the scroller's foot lies under something
 */
export function intoSight(scroller, node, covered_px = 0) {
  if (!node.offsetParent) return; // on another screen
  const top = node.offsetTop - scroller.offsetTop; // boxes on the screen lie turned where the page does
  const bottom = scroller.scrollTop + scroller.clientHeight - covered_px;
  if (top < scroller.scrollTop || top + node.offsetHeight > bottom) scroller.scrollTop = top;
}
