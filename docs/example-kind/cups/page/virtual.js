// A row of cups on a virtual table: a press turns one over.

import { translate } from "/static/i18n.js";
import { slab, turnedBody } from "/static/solids.js";

const WORDS = { u: () => translate("mouth up"), d: () => translate("mouth down") };
const CLAY = 0xe0d3c0;

/** @type {import("/static/virtual.js").Virtual} */
export const virtual = {
  tool: "turn over",
  middle: 30,
  names: 14,
  ground: ({ columns }, { pitch }) => [slab(columns.length * pitch[0] + 8, pitch[1] + 8, 0, 0x7d8f86)],
  field: () => ({ z: 0, paint: 0x75877e }),
  solids: ({ lying, sizes: { stone } }, at) => [...lying].map((sign, col) => {
    const [wide, narrow, high] = [stone[0] / 2, (stone[0] / 2) * 0.75, stone[2]];
    const up = [[0, 1], [narrow, 0], [wide, high], [wide - 3, high], [narrow - 3, 3], [0, 3]];
    const cup = turnedBody(sign === "u" ? up : [[wide, 0], [narrow, high], [0, high]], CLAY);
    cup.position.set(...at(0, col), 0);
    cup.userData = { row: 0, col };
    return cup;
  }),
  tools: () => [["turn over", translate("Turn a cup over")]],
  more: () => [],
  there: ({ col }, { lying }) => ({ n: 1, piece: WORDS[lying[col]](), text: lying[col] === "u" ? "∪" : "∩" }),
  named: (_kit, field, _n, piece) => `${field}: ${piece}`,
  top: (_place, { sizes: { stone } }) => stone[2],
  touched: ({ name }, tool, _state, hand) => hand.act({ do: tool, field: name }),
};
