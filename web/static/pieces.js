// A colour is always told by a shape and a letter too: red and green alone are the same to many people.

import { svg } from "./dom.js";
import { translate } from "./i18n.js";

const SHAPES = {
  red: (r) => svg("circle", { r: r * 0.94 }),
  yellow: (r) => polygon([[0, -1.16], [1.16, 0], [0, 1.16], [-1.16, 0]], r),
  green: (r) => svg("rect", { x: -r * 0.86, y: -r * 0.86, width: r * 1.72, height: r * 1.72, rx: r * 0.16 }),
  blue: (r) => polygon([[-0.56, -0.98], [0.56, -0.98], [1.1, 0], [0.56, 0.98], [-0.56, 0.98], [-1.1, 0]], r),
};

function polygon(points, r) {
  return svg("polygon", { points: points.map(([x, y]) => `${x * r},${y * r}`).join(" ") });
}

export function colourName(colour) {
  const names = {
    red: translate("Red"), yellow: translate("Yellow"), green: translate("Green"), blue: translate("Blue"),
  };
  return names[colour] ?? colour;
}

// The beginning of the colour's name in the language spoken, as short as tells the four apart (Gelb and Grün: Ge, Gr).
export function letter(colour) {
  const name = colourName(colour);
  const others = Object.keys(SHAPES).filter((other) => other !== colour).map(colourName);
  let length = 1;
  while (length < name.length && others.some((other) => other.startsWith(name.slice(0, length)))) length += 1;
  return name.slice(0, length);
}

export function shape(colour, x, y, r) {
  const outline = (SHAPES[colour] ?? SHAPES.red)(r);
  outline.setAttribute("transform", `translate(${x} ${y})`);
  outline.setAttribute("class", `piece piece-${colour}`);
  return outline;
}

// A player's sign beside words: the shape with the letter in it.
export function sign(colour) {
  const text = svg("text", { y: 9, class: `piece-text piece-text-${colour}` }, letter(colour));
  return svg("svg", { viewBox: "-30 -30 60 60", class: "sign", "aria-hidden": "true" }, shape(colour, 0, 0, 24), text);
}
