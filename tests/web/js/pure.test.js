// Unit tests of what the page's scripts work out without a browser: node --test tests/web/js

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";

import { boardOf, differing, isPiece, standing, textOf } from "../../../referee/kinds/grid/page/boardtext.js";
import { stacks } from "../../../referee/kinds/grid/page/stacks.js";
import { timeLeft, timeText } from "../../../web/static/clocktext.js";
import { counts } from "../../../referee/kinds/grid/page/counts.js";
import { Entries } from "../../../web/static/entries.js";
import { answered, stepped, told, whole } from "../../../web/static/forms.js";
import { heard } from "../../../web/static/heardwords.js";
import { byNumber, learn, numeral, signed, translateN } from "../../../web/static/i18n.js";
import { labels } from "../../../web/static/labels.js";
import { grew } from "../../../referee/addons/witnesses/page/merkle.js";
import { blends, outline, pieceOutline } from "../../../web/static/outlines.js";
import { partAt, parts } from "../../../web/static/roompages.js";
import { sceneAt, scenes } from "../../../web/static/roomreplay.js";
import { beginning, decided } from "../../../web/static/showing.js";
import { maySpeak } from "../../../web/static/situation.js";
import { arc, at, shown } from "../../../web/static/sides.js";
import { before, stepsAt } from "../../../web/static/toursteps.js";
import { barName, bars, dropped, over } from "../../../referee/kinds/tower/page/bars.js";
import { cellAt, cellName, changes, elevation, plan, put, towerOf, towerText, untold } from "../../../referee/kinds/tower/page/cells.js";

test("the tour asks for what is to be done now, and else for a turn as the rules have it", () => {
  const page = /** @type {any} */ (globalThis);
  page.document = { documentElement: { lang: "en", dataset: {} } };
  const seats = (advice, history = []) => ({ cameras: [], history, to_move: "blue", banner: { advice }, explained: { how: ["Aim.", "Build a block.", "Move a knight."] } });
  const [legal] = stepsAt(seats(""));
  assert.match(legal.words("Turn ended", seats("")), /^Build a block. Move a knight. Choose/);
  assert.match(legal.words("Turn ended", seats("Blue puts one knight.")), /^Blue puts one knight. Choose/);
  const played = [{ what: "turn", player: "blue", verdict: "legal" }];
  assert.match(legal.words("Turn ended", seats("Round 1.", played)), /^Build a block. Move a knight. Choose/);
  delete page.document;
});

test("the tour asks for nothing while another seat's turn is played, read or ruled on", () => {
  const seats = (phase, to_move) => ({ history: [{ player: "green" }], phase: { id: phase }, to_move, cameras: [] });
  const [legal] = stepsAt(seats("playing", "green"));
  for (const phase of ["playing", "reading", "ruling"]) {
    assert.equal(before(legal, seats(phase, "blue")), "blue");
    assert.equal(before(legal, seats(phase, "green")), "");
  }
  assert.equal(before({ ...legal, own: false }, seats("playing", "blue")), "");
});

const pieces = [{ letter: "a", word: "amber", most: 1 }, { letter: "k", word: "king", most: 2 }];
const kit = { columns: ["A", "B", "C"], rows: [2, 1], pieces };
const found = (text) => boardOf(text, kit).fields.map(({ height, piece }) => [height, piece]);

test("large amounts are written in groups, as the referee's own sentences do", () => {
  const page = /** @type {any} */ (globalThis);
  for (const [lang, small, large, change] of [["en", "8,500", "11,500", "−20,000"], ["de", "8.500", "11.500", "−20.000"],
    ["fr", "8\u202f500", "11\u202f500", "−20\u202f000"]]) {
    page.document = { documentElement: { lang } };
    assert.deepEqual([numeral(8500), numeral(11500), signed(-20000), signed(0)], [small, large, change, "±0"]);
  }
  delete page.document;
});

test("a whole number may be typed in groups of three, and anything else is none", () => {
  for (const [text, number] of [["", null], ["  ", null], ["0", 0], ["-5", -5], ["−5", -5], ["28500", 28500], ["28,500", 28500], ["28.500", 28500],
    ["1 028 500", 1028500], ["28’500", 28500]]) assert.equal(whole(text), number, text);
  for (const text of ["1.5", "12a", "abc", "1,50", "28,5000", ",500", "5-", "1e3"]) assert.ok(Number.isNaN(whole(text)), text);
});

test("one of a thing is called as one", () => {
  assert.deepEqual([0, 1, 2].map((n) => byNumber(n, "cube", "cubes")), ["cubes", "cube", "cubes"]);
});

test("a board text is cut into fields by the kit's letters and printed the same", () => {
  for (const text of ["1a2k0/Z11", "???/?a?~?", "11~1/000", "1?k0/?~1?"]) assert.equal(textOf(boardOf(text, kit), kit), text);
  assert.deepEqual(found("1a?2k/??~1").slice(0, 3), [[1, "amber"], [null, null], [2, "king"]]);
  assert.deepEqual(found("1a?2k/??~1").slice(3), [[null, null], [null, "?"], [1, null]]);
  assert.deepEqual(boardOf("111/111", kit).fields.map(({ name }) => name), ["A2", "B2", "C2", "A1", "B1", "C1"]);
});

test("a row of the old kind, in which ? stood for a piece too, is read where it can be cut in one way only", () => {
  assert.deepEqual(found("1?1?1?/111").slice(0, 3), [[1, "?"], [1, "?"], [1, "?"]]);
  assert.deepEqual(found("1a1?1?/111").slice(0, 3), [[1, "amber"], [1, "?"], [1, "?"]]);
  assert.deepEqual(found("1??1/111").slice(0, 3), [[null, "?"], [null, "?"], [null, "?"]]); // two ways: nothing is told
});

test("what differs is named, and an untold piece is none", () => {
  assert.deepEqual(differing(boardOf("111/1a11", kit), boardOf("121/111", kit)), ["B2", "A1"]);
  assert.deepEqual(standing(boardOf("121/1a11", kit), ["B2", "A1"], kit), { B2: "2", A1: "1a" });
  assert.deepEqual([isPiece("king"), isPiece("?"), isPiece(null)], [true, false, false]);
});

test("an edited board says why it does not add up", () => {
  const start = boardOf("111/111", kit);
  assert.deepEqual(counts(boardOf("121/111", kit), start, kit, 6), { stones: 7, before: 6, missing: -1, many: [] });
  assert.deepEqual(counts(boardOf("011/111", kit), start, kit, 6).missing, 1);
  assert.equal(counts(boardOf("921/111", kit), start, kit, null).missing, 0);
  assert.deepEqual(counts(boardOf("1a1a1/111", kit), start, kit, 6).many, [{ word: "amber", count: 2, most: 1 }]);
});

test("names are cut as short as tells them apart, and equal names don't count", () => {
  assert.deepEqual(labels({ a: "Gelb", b: "Grün", c: "Rot" }), { a: "Ge", b: "Gr", c: "R" });
  assert.deepEqual(labels({ a: "Red", b: "Red", c: "Blue" }), { a: "R", b: "R", c: "B" });
  assert.deepEqual(labels({ a: "Rouge", b: "Bleu", c: "Roi" }), { a: "Ru", b: "B", c: "Ri" });
  assert.deepEqual(labels({ a: "Alba", b: "Alma", c: "Ab" }), { a: "Alb", b: "Alm", c: "Ab" });
});

test("every outline is drawn, an unknown one as a circle", () => {
  assert.equal(outline("nothing", 10).tag, "circle");
  const drawn = ["diamond", "square", "hexagon", "triangle", "cross", "star", "drop"].map((name) => JSON.stringify(outline(name, 10)));
  assert.equal(new Set(drawn).size, 7);
  assert.equal(JSON.stringify(pieceOutline("flag", "square", 10)), JSON.stringify(outline("square", 10)));
  for (const shape of ["knight", "king", "pawn", "dome"]) {
    assert.notEqual(JSON.stringify(pieceOutline(shape, "square", 10)), JSON.stringify(outline("square", 10)));
  }
});

const size = { columns: 3, rows: 3 };

test("a tower goes round, and each side shows the nearest squares", () => {
  const tower = towerOf("......EWu/........d", size);
  assert.equal(towerText(tower), "......EWu/........d");
  const front = elevation(tower, 0).map(({ cell, across, level, depth }) => `${cell}${across}${level}${depth}`);
  assert.deepEqual(front, ["E000", "W100", "u200", "d210"]);
  assert.deepEqual(elevation(tower, 2).map(({ cell, across, depth }) => `${cell}${across}${depth}`), ["u02", "W12", "E22", "d02"]);
  assert.deepEqual(elevation(tower, 1).map(({ cell, across, depth }) => `${cell}${across}${depth}`), ["u00", "d00"]);
  assert.deepEqual(elevation(tower, 3).map(({ cell, across, depth }) => `${cell}${across}${depth}`), ["E20", "d22"]);
  assert.deepEqual(plan(tower).map(({ cell, level }) => `${cell}${level}`), ["E0", "W0", "d1"]);
});

test("a bar is put whole, and takes whole bars' places", () => {
  const place = { level: 0, row: 0, column: 0 };
  const laid = put(towerOf("", size), place, "E");
  assert.equal(towerText(laid), "......EW.");
  assert.equal(towerText(put(laid, { level: 0, row: 0, column: 1 }, "u")), ".......u./.......d.");
  assert.equal(towerText(put(laid, place, ".")), "");
  assert.deepEqual(changes(put(laid, { level: 0, row: 0, column: 1 }, "u"), laid), { "a1.1": ".", "b1.1": "u", "b1.2": "d" });
  assert.deepEqual(changes(laid, towerOf("......EWu/........d", size)), { "c1.1": ".", "c1.2": "." });
  assert.equal(put(laid, place, "w"), laid); // there is no room for its other half
  assert.equal(cellAt(laid, { level: 0, row: 5, column: 0 }), ".");
  assert.equal(cellName({ level: 3, row: 1, column: 1 }), "b2.4");
  assert.equal(untold(towerOf("x?....EW.", size)).join(" "), "a3.1 b3.1");
});

const form = { fields: [
  { id: "card", kind: "choice", name: "Card", answers: [{ id: "jump", name: "Jump" }], least: 0, most: 0 },
  { id: "bought", kind: "count", name: "Bought", answers: [], least: 0, most: 2 },
  { id: "loan", kind: "flag", name: "Loan", answers: [], least: 0, most: 0 },
] };

test("a bar lies over both of its fields, the highest last", () => {
  const found = bars("....EW.../....u..../....d....", { columns: 3, rows: 3 });
  const named = (col, row) => over(found, { col, row }).map((bar) => barName(bar));
  assert.deepEqual([named(0, 1), named(1, 1), named(2, 1)], [[], ["b2c2.1", "b2.2^"], ["b2c2.1"]]);
});

test("only answers that say something are sent", () => {
  assert.deepEqual(answered({ card: null, bought: 0, loan: false, other: 1 }, form), { bought: 0 });
  assert.deepEqual(answered({ card: "jump", bought: [], loan: true }, form), { card: "jump", loan: true });
  assert.equal(told(form.fields[0], "jump"), "Card: Jump");
  assert.equal(told(form.fields[2], true), "Loan");
  assert.equal(told({ ...form.fields[1], kind: "counts" }, [3, 2]), "Bought: 3, 2");
});

test("a number is stepped from nothing to its most and back to nothing", () => {
  const [, field] = form.fields;
  assert.deepEqual([stepped(field, null, 1), stepped(field, 2, 1), stepped(field, 1, -1), stepped(field, 0, -1)], [1, 2, 0, null]);
  assert.equal(stepped({ ...field, least: 2, most: 5 }, undefined, 1), 2);
  assert.equal(stepped(field, null, -1), null);
});

test("a clock's time is rounded up, its last seconds have tenths", () => {
  const told = [0, 1, 9950, 10000, 59001, 60000, 3600000, 3661000].map(timeText);
  assert.deepEqual(told, ["0:00", "0:00.1", "0:10.0", "0:10", "1:00", "1:00", "1:00:00", "1:01:01"]);
});

test("what is left is the lesser of both limits, and only the turn under way has one of its own", () => {
  const clock = { left_ms: { red: 5000, blue: 9000 }, turn_left_ms: 2000, player: "red" };
  assert.deepEqual([timeLeft(clock, "red", 0), timeLeft(clock, "red", 1500), timeLeft(clock, "red", 9000), timeLeft(clock, "blue", 0)], [2000, 500, 0, 9000]);
  assert.equal(timeLeft({ left_ms: {}, turn_left_ms: 2000, player: "red" }, "blue", 0), null);
});

test("a broken turn is told from before, act by act, to how it stands", () => {
  const acts = [{ marks: [{}], text: "-C1" }, { marks: [], text: "only told" }, { marks: [{}], text: "+D4" }];
  const told = scenes({ before: "before", after: "after", acts });
  assert.deepEqual(told.map(({ board, acts: drawn, marked, text, step, of }) => [board, drawn.length, marked, text, step, of]), [
    ["before", 0, false, "", 1, 4], ["before", 1, false, "-C1", 2, 4], ["before", 2, false, "+D4", 3, 4], ["after", 2, true, "", 4, 4],
  ]);
  assert.deepEqual([0, 99, 100, 250, 300, 1299, 1300].map((ms) => sceneAt(4, ms, 100, 1000)), [0, 0, 1, 2, 3, 3, 0]);
});

test("rules that have no room side by side are shown in parts, each of them once", () => {
  const fits = (lengths, room) => (from, to) => lengths.slice(from, to).reduce((sum, length) => sum + length, 0) <= room;
  assert.deepEqual(parts(5, fits([3, 3, 3, 3, 3], 6)), [[0, 2], [2, 4], [4, 5]]);
  assert.deepEqual(parts(3, fits([9, 1, 1], 6)), [[0, 1], [1, 3]]); // one alone is shown, however long
  assert.deepEqual(parts(0, fits([], 6)), []);
  assert.deepEqual([0, 7999, 8000, 16000, -5].map((since) => partAt(2, since, 8000)), [0, 0, 1, 0, 0]);
});

test("white pieces on a pale page and black ones on a dark page get an edge of their own", () => {
  assert.deepEqual(["#fbfaf5", "#f2b90c", "#e8d5a8", "#2a2724"].map((hex) => blends(hex, false)), [true, false, false, false]);
  assert.deepEqual(["#f4f0e6", "#0f0d0b", "#6b4423", "#1f5fa8"].map((hex) => blends(hex, true)), [false, true, false, false]);
});

test("what lies on a virtual table is told by its text, the nearest row first", () => {
  assert.deepEqual(stacks("1a0/Z2"), [[{ height: 35, piece: "" }, { height: 2, piece: "" }], [{ height: 1, piece: "a" }, { height: 0, piece: "" }]]);
});

test("a bar that is let go comes to lie on what is there, and within the board", () => {
  const size = { columns: 3, rows: 3 };
  const laid = bars("......EWu/........d", size);
  assert.deepEqual(laid.map(barName), ["a1b1.1", "c1.1^"]);
  assert.deepEqual(laid.map(({ light }) => light), [true, false]);
  assert.deepEqual(dropped(laid, { col: 0, row: 0 }, "n", size), { col: 0, row: 0, level: 1, along: "n" });
  assert.deepEqual(dropped(laid, { col: 2, row: 0 }, "e", size), { col: 1, row: 0, level: 2, along: "e" });
  assert.deepEqual(dropped([], { col: 2, row: 2 }, "u", size), { col: 2, row: 2, level: 0, along: "u" });
  assert.equal(dropped([], { col: 3, row: 0 }, "u", size), null);
});

test("row 1 lies at the bottom and the last column to the right, unless another side is at the bottom", () => {
  assert.deepEqual([0, 90, 180, 270].map((azimuth) => at(azimuth, 10)), [[0, 10], [10, 0], [0, -10], [-10, 0]]);
  assert.deepEqual([90, 180].map((azimuth) => at(azimuth, 10, 90)), [[0, 10], [10, 0]]);
});

test("sides that touch are one part of the ring, over its beginning as well", () => {
  assert.deepEqual(shown([]), []);
  assert.deepEqual(shown([[90, 50]]), [[74, 106]]);
  assert.deepEqual(shown([[200, 50], [90, 40], [110, 60]]), [[74, 126], [184, 216]]);
  assert.deepEqual(shown([[10, 50], [350, 40]]), [[334, 386]]);
  assert.deepEqual(shown([[5, 50], [100, 50], [350, 40]]), [[84, 116], [334, 381]]);
  assert.deepEqual(shown(Array.from({ length: 12 }, (_, k) => [30 * k, 50])), [[0, 360]]);
});

test("a part of the ring is drawn counter-clockwise, a whole one too", () => {
  assert.equal(arc(0, 180, 10), "M0,10A10,10 0 0 0 10,0A10,10 0 0 0 0,-10");
  assert.equal(arc(0, 360, 10), "M0,10A10,10 0 0 0 0,-10A10,10 0 0 0 0,10");
});

// A second way to the roots and proofs of RFC 6962, 2.1: its definitions as they are written there.
const sha256 = (...parts) => Uint8Array.from(createHash("sha256").update(Uint8Array.from(parts.flatMap((part) => [...part]))).digest());
const below = (size) => 2 ** (Math.ceil(Math.log2(size)) - 1);
const rootOf = (leaves) => (leaves.length === 1 ? sha256([0], leaves[0])
  : sha256([1], rootOf(leaves.slice(0, below(leaves.length))), rootOf(leaves.slice(below(leaves.length)))));
const proofOf = (before, leaves, known = true) => {
  if (before === leaves.length) return known ? [] : [rootOf(leaves)];
  const [left, right] = [leaves.slice(0, below(leaves.length)), leaves.slice(below(leaves.length))];
  return before <= left.length ? [...proofOf(before, left, known), rootOf(right)] : [...proofOf(before - left.length, right, false), rootOf(left)];
};

test("a device knows a journal that only grew from one that was rewritten", async () => {
  const leaves = Array.from({ length: 13 }, (_, number) => sha256([number]));
  for (let events = 2; events <= leaves.length; events += 1)
    for (let before = 1; before < events; before += 1) {
      const [old, root] = [rootOf(leaves.slice(0, before)), rootOf(leaves.slice(0, events))];
      const proof = proofOf(before, leaves.slice(0, events));
      assert.equal(await grew(sha256, before, old, events, root, proof), true, `${before} of ${events}`);
      for (let at = 0; at < before; at += 1) {
        const others = leaves.slice(0, events).map((leaf, index) => (index === at ? sha256([99]) : leaf));
        assert.equal(await grew(sha256, before, old, events, rootOf(others), proofOf(before, others)), false, `${at} rewritten`);
      }
      assert.equal(await grew(sha256, before, old, events, root, proof.slice(1)), false);
      assert.equal(await grew(sha256, before, old, events, root, [...proof, root]), false);
      assert.equal(await grew(sha256, before, old, events, old, []), false);
    }
});

test("nothing is said while the clock of a player runs who has not asked for it", () => {
  const clock = { aside: false, running: true, player: "red" };
  const may = (speaksFor, change = {}) => maySpeak({ clock: { ...clock, ...change } }, speaksFor);
  assert.deepEqual([may(""), may("blue"), may("red"), may("all")], [false, false, true, true]);
  assert.deepEqual([may("", { running: false }), may("", { aside: true }), maySpeak({ clock: null }, "")], [true, true, true]);
});

test("a spoken word counts where it is all that was said, in the language of the page", () => {
  const english = { turn_ended: "turn ended, end of turn", yes: "yes", no: "no" };
  assert.deepEqual(["Turn ended.", "YES", "no!", "End of turn"].map((said) => heard(said, english)), ["turn_ended", "yes", "no", "turn_ended"]);
  const french = { turn_ended: "tour terminé, fin du tour", yes: "oui", no: "non" };
  assert.deepEqual(["Tour termine", "oui", "Non."].map((said) => heard(said, french)), ["turn_ended", "yes", "no"]);
  assert.equal(heard("Да!", { turn_ended: "", yes: "да", no: "нет" }), "yes");
  for (const said of ["yes no", "the turn ended badly", "", "ja", "know"]) assert.equal(heard(said, english), null, said);
});

test("a number takes the form that its language has for it, and English where it lacks one", async () => {
  const plurals = Array.from({ length: 200 }, (_, n) => (n === 1 ? 0 : n % 10 > 1 && n % 10 < 5 && (n % 100 < 10 || n % 100 > 20) ? 1 : 2));
  const words = { "{n} turn": ["{n} tura", "{n} tury", "{n} tur"], "{n} flag": ["{n} flaga"] };
  const page = /** @type {any} */ (globalThis);
  const before = page.fetch;
  page.fetch = async () => ({ ok: true, json: async () => ({ words, plurals }) });
  await learn("pl");
  page.fetch = before;
  const turns = (n) => translateN("{n} turn", "{n} turns", n);
  assert.deepEqual([1, 3, 12, 112, 1_003, 1_012].map(turns), ["1 tura", "3 tury", "12 tur", "112 tur", "1003 tury", "1012 tur"]);
  assert.equal(translateN("{n} flag", "{n} flags", 5), "5 flags");
  await learn("en");
  assert.deepEqual([0, 1].map(turns), ["0 turns", "1 turn"]);
});

test("a phone goes on showing the set-up, whatever else happens, until a look with its views has ended", () => {
  const at = (id, event, views, tone = "plain") => ({ phase: { id }, event, banner: { tone }, showing: views === null ? null : { views } });
  const begun = beginning(at("set-up", 3, 0));
  for (const next of [at("set-up", 3, 1), at("set-up", 4, 0), at("set-up", 5, 2)]) assert.equal(decided(begun, next), false);
  const shown = { ...begun, views: 2 };
  assert.equal(decided(shown, at("set-up", 6, 3)), false, "a fixed camera looked");
  assert.equal(decided(shown, at("set-up", 6, 0)), true, "the look ended");
  assert.equal(decided(shown, at("set-up", 6, null)), true, "nobody wants to see more");
  assert.equal(decided(shown, at("playing", 6, null)), true);
  const unsure = beginning(at("unsure", 8, 0));
  for (const [next, over] of /** @type {const} */ ([[at("unsure", 8, 1), false], [at("reading", 9, 1), false], [at("unsure", 9, 1), true],
    [at("unsure", 9, 1, "busy"), false], [at("playing", 9, null), true]])) assert.equal(decided(unsure, next), over);
});

test("what was filled in shows until the table shows it, and not in the next game", async () => {
  const entries = new Entries(async () => ({ ok: true, status: 200, code: "", words: "", result: { event: 8 } }), assert.fail);
  entries.put("bought", { turn: 1, value: 2 });
  assert.deepEqual(entries.of({ turn: 1, event: 7 }), { bought: 2 }, "not sent");
  assert.equal(await entries.settled(), true);
  assert.deepEqual(entries.of({ turn: 1, event: 7 }), { bought: 2 }, "written down, but the page has not heard of it");
  assert.deepEqual(entries.of({ turn: 1, event: 8 }), {});
  entries.put("bought", { turn: 1, value: 3 });
  assert.deepEqual(entries.of({ turn: 2, event: 9 }), {}, "another turn");
  assert.deepEqual(entries.of({ turn: 1, event: 2 }), {}, "another game");
});
