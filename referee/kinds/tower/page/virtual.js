// A tower of bars on a virtual table.

import { button } from "/static/dom.js";
import { translate } from "/static/i18n.js";
import { block, slab } from "/static/solids.js";
import { barName, bars, dropped, highest, over } from "./bars.js";
import { lying, named } from "./barwords.js";

const BARS = { true: 0xd8b98a, false: 0x4f3320 };

let colour = "light"; // of the bar that is laid next

/** @type {import("/static/virtual.js").Virtual} */
export const virtual = {
  tool: "lay-e",
  middle: 45,
  names: 14,
  ground: ({ columns, rows }, { pitch, base }) => [slab(columns.length * pitch[0] + 4, rows.length * pitch[1] + 4, base, 0x3e6b45)],
  field: (_row, _col, { base }) => ({ z: base, paint: 0x4a7a52 }),
  solids: (state, at) => barsOf(state).map((bar) => solid(bar, state.sizes, at)),
  tools: () => [
    ["lay-e", translate("Lay across")], ["lay-n", translate("Lay away from you")], ["lay-u", translate("Stand upright")],
    ["remove", translate("Take a bar off")],
  ],
  // Its board is turned, and the bars are of two colours.
  more: ({ befall, drawn, mayAct }) => [
    button(translate("Turn the board"), () => befall("turn"), { "data-key": "turn-board", disabled: !mayAct }),
    button(colour === "light" ? translate("Light bars") : translate("Dark bars"), () => {
      colour = colour === "light" ? "dark" : "light";
      drawn();
    }, { "data-key": "colours", disabled: !mayAct }),
  ],
  there: (place, state) => {
    const there = over(barsOf(state), place);
    return { n: there.length, text: String(there.length || "·"), piece: there.map(lying).join(", ") };
  },
  named: (_kit, field, n, piece = "") => named(field, n, piece),
  top: (place, { lying, kit, sizes: { stone, base } }) => base + highest(bars(lying, sizeOf({ kit })), place) * stone[2],
  touched: (place, tool, state, hand) => {
    if (tool === "remove") {
      const bar = place.bar ?? over(barsOf(state), place).at(-1);
      if (bar) hand.act({ do: "remove", bar: barName(bar) });
      return;
    }
    const bar = dropped(barsOf(state), place, tool.slice(4), sizeOf(state));
    if (bar) hand.act({ do: "lay", bar: barName(bar), colour });
  },
};

function sizeOf({ kit }) {
  return { columns: kit.columns.length, rows: kit.rows.length };
}

function barsOf(state) {
  return bars(state.lying, sizeOf(state));
}

function solid(bar, { pitch, stone, base }, at) {
  const size = [pitch[0] - 0.3, pitch[1] - 0.3, stone[2] - 0.2];
  const along = { e: 0, n: 1, u: 2 }[bar.along];
  size[along] += along === 2 ? stone[2] : pitch[along];
  const body = block(size, BARS[String(bar.light)]);
  const middle = [...at(bar.row, bar.col), base + (bar.level + 0.5) * stone[2]];
  middle[along] += (along === 2 ? stone[2] : pitch[along]) / 2;
  body.position.set(...middle);
  body.userData = { bar, row: bar.row, col: bar.col };
  return body;
}
