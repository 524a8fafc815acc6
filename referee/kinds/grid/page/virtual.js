// Stacks with pieces on a virtual table.

import { byNumber, translate } from "/static/i18n.js";
import { block, canvas, material, slab, THREE, turnedBody, upright } from "/static/solids.js";
import { stacks } from "./stacks.js";

const STONE = { cube: 0xc9a06f, arched: 0xb4afa8 };

/** @type {import("/static/virtual.js").Virtual} */
export const virtual = {
  tool: "take",
  middle: 8,
  names: 16,
  ground: ({ rows }, { pitch, tracks }) => {
    const places = Object.values(tracks).flat();
    const margin = places.length ? Math.max(...places.map(([, y]) => Math.abs(y))) + 16 : (rows.length * pitch[1]) / 2 + 18;
    return [slab(2 * margin, 2 * margin, -0.6, 0x5c6f60), ...places.map(([x, y]) => slab(15, 15, 0.1, 0xe4e4da, null, x, y))];
  },
  field: (row, col) => ({ z: 0, paint: (row + col) % 2 ? 0xbdbaa6 : 0xb2b09c }),
  solids: (state, at) => [...piles(state, at), ...markers(state)],
  tools: ({ kit, players }) => [
    ["take", translate("Take a {stone}", { stone: kit.stone })],
    ["put", translate("Put a {stone}", { stone: kit.stone })],
    ["move", translate("Move a piece")],
    ["lift", translate("Take a piece off")],
    // The pieces that somebody plays with, and nobody's own.
    ...kit.pieces.filter(({ owner }) => !owner || players.includes(owner)).map(({ letter, name, word }) =>
      [`piece-${letter}`, translate("Put {piece}", { piece: name }), word]),
  ],
  more: () => [],
  there: ({ row, col }, { kit, lying }) => {
    const { height, piece } = stacks(lying)[row][col];
    const found = kit.pieces.find(({ letter }) => letter === piece);
    return { n: height, piece: found?.name, text: String(height || "·"), word: found?.word };
  },
  named: ({ stone, stones }, field, n, piece = "") => {
    const values = { field, n, stones: byNumber(n, stone, stones), piece };
    return piece ? translate("{field}: {n} {stones}, {piece}", values) : translate("{field}: {n} {stones}", values);
  },
  top: ({ row, col }, { lying, sizes: { stone, piece } }) => {
    const there = stacks(lying)[row][col];
    return there.height * stone[2] + (there.piece ? piece[0] : 0);
  },
  touched: (place, tool, state, hand) => {
    if (hand.held) {
      if (hand.held.name !== place.name) hand.act({ do: "move", field: hand.held.name, to: place.name });
      hand.hold(null);
    } else if (tool === "move") {
      const there = stacks(state.lying)[place.row][place.col];
      hand.hold(there.piece ? place : null);
      hand.tell(there.piece ? translate("Now press where it goes") : translate("No piece stands on {field}", { field: place.name }), !there.piece);
    } else if (tool.startsWith("piece-")) hand.act({ do: "piece", field: place.name, piece: tool.slice(6) });
    else hand.act({ do: tool, field: place.name });
  },
};

function piles({ kit, sizes: { stone, piece, style }, lying }, at) {
  const pieces = Object.fromEntries(kit.pieces.map((one) => [one.letter, one]));
  return stacks(lying).flatMap((fields, row) => fields.flatMap(({ height, piece: letter }, col) => {
    const [x, y] = at(row, col);
    const cubes = Array.from({ length: height }, (_, level) => {
      const cube = block(stone, STONE[kit.block] ?? STONE.cube, kit.block === "arched" ? arch : null);
      cube.position.set(x, y, (level + 0.5) * stone[2]);
      cube.rotation.z = (((row * 31 + col * 17 + level * 7) % 9) - 4) * 0.012;
      cube.userData = { row, col };
      return cube;
    });
    if (!letter) return cubes;
    const figure = stands(pieces[letter], piece, style, stone[0]);
    figure.position.set(x, y, height * stone[2]);
    figure.traverse((part) => { part.userData = { row, col }; });
    return [...cubes, figure];
  }));
}

// What stands on the tracks beside the board.
function markers({ stones, sizes: { tracks } }) {
  return Object.entries(stones).flatMap(([track, { place, paint }]) => {
    const at = tracks[track]?.[place - 1];
    if (!at) return [];
    const disc = upright(new THREE.CylinderGeometry(6.5, 6.5, 4, 24), paint);
    disc.position.set(at[0], at[1], 2);
    return [disc];
  });
}

function arch(paint) {
  return canvas(64, 64, (ink) => {
    ink.fillStyle = `#${paint.toString(16).padStart(6, "0")}`;
    ink.fillRect(0, 0, 64, 64);
    ink.fillStyle = "#4a4643";
    ink.beginPath();
    ink.arc(32, 34, 11, Math.PI, 0);
    ink.rect(21, 34, 22, 30);
    ink.fill();
  });
}

function stands({ shape, paint: { light: paint } }, [h, r], style, stone) {
  const figure = new THREE.Group();
  if (shape === "king") {
    const tall = h * 1.4;
    figure.add(turnedBody([[r * 1.1, 0], [r * 0.8, 4], [r * 0.45, tall * 0.35], [r * 0.5, tall * 0.72], [r, tall * 0.8], [r * 0.55, tall * 0.85], [r, tall], [0, tall * 0.94]], paint));
  } else if (shape === "dome") {
    const angles = Array.from({ length: 7 }, (_, step) => (step * Math.PI) / 12);
    figure.add(turnedBody(angles.map((angle) => [0.44 * stone * Math.cos(angle), 0.44 * stone * Math.sin(angle)]), paint));
  } else if (shape === "flag" && style === "banner") {
    figure.add(turnedBody([[r, 0], [r, 2], [r * 0.5, 3.4], [1.2, 3.6], [1.2, h], [0, h]], paint));
    const cloth = new THREE.Mesh(new THREE.PlaneGeometry(0.38 * h, 0.27 * h), material(paint, { side: THREE.DoubleSide }));
    cloth.rotation.set(Math.PI / 2, 0.5, 0);
    cloth.position.set(0.16 * h, 0.08 * h, 0.84 * h);
    cloth.castShadow = true;
    figure.add(cloth);
  } else {
    figure.add(turnedBody([[r, 0], [r, 1.6], [r * 0.75, 4], [r * 0.36, h * 0.55], [r * 0.4, h * 0.68]], paint));
    const head = new THREE.Mesh(new THREE.SphereGeometry(r * 0.64, 20, 14), material(paint));
    head.position.z = h - r * 0.64;
    head.castShadow = true;
    figure.add(head);
  }
  return figure;
}
