// A new game: what can be chosen comes from the game itself, each thing with what it means for play.

import { endGame } from "./actions.js";
import { chosenClock, chosenKey, clockChoice, clockForgotten } from "./clockchoice.js";
import { button, html, redraw } from "./dom.js";
import { translate } from "./i18n.js";
import { nameOf } from "./paints.js";
import { sign } from "./pieces.js";
import { copies } from "./session.js";
import { countStepper } from "./stepper.js";
import { action, changed, known, mayAct, tell, toast } from "./store.js";

let choice = null;
let kept = null;
let offersCopies = false;
let asking = null;
let gap = ""; // what the copy lacks, so that no game can begin with it

const names = {}; // by colour. Typing draws nothing anew: a button touched next must not be another one meanwhile

// wanted: the copy that whoever comes here wants to play with.
export function drawNewGame(node, wanted) {
  const { choices, recorded } = known.state;
  if (!node.childElementCount) [kept, gap] = [null, ""]; // come to anew: a copy may have been entered meanwhile
  if (recorded) {
    const again = mayAct() ? action("play_again") : null;
    redraw(node, ["recorded", known.language, again], () => [
      html("h1", {}, translate("New game")),
      html("p", { class: "lead" }, translate("A recorded game is shown here. At its end it can be played again; games of your own need a table with cameras.")),
      html("div", { class: "row" },
        html("a", { class: "button main", href: "#/play" }, translate("Back to the game")),
        again ? button(again.words, playAgain, { "data-key": "again" }) : null),
    ]);
    return;
  }
  if (!choices) {
    redraw(node, ["none", known.language, mayAct(), action("end_game")?.words], () => [
      html("h1", {}, translate("New game")),
      html("p", { class: "lead" }, translate("A game is under way. End it by agreement first, or play it to its end.")),
      html("div", { class: "row" },
        html("a", { class: "button main", href: "#/play" }, translate("Back to the game")),
        mayAct() && action("end_game") ? button(action("end_game").words, endGame, { "data-key": "end-first" }) : null),
    ]);
    return;
  }
  choice ??= begun(choices);
  if (wanted && !node.childElementCount) choice.copy = wanted;
  redraw(node, [choices, choice, kept, gap, offersCopies, chosenKey(), known.language, mayAct()], () => [
    html("h1", {}, translate("New game"), html("span", { class: "quiet" }, ` ${choices.title}`)),
    cards(translate("Edition"), "edition", choices.editions, choice.edition, (id) => put({ edition: id, variants: [] })),
    copy(), players(choices), variants(choices), seating(choices), colours(choices), first(), asked(choices), clockChoice(changed), options(choices), start(choices),
  ]);
}

async function playAgain() {
  if (await tell("play_again")) location.hash = "#/play";
}

// How many may play, and where they may sit: a game that says no more takes its places in order.
function numbers(choices) {
  const said = Object.keys(choices.seatings);
  return (said.length ? said : Object.keys(choices.editions[0].variants)).map(Number);
}

function seatings(choices, players) {
  return choices.seatings[players] ?? [{ groups: choices.places.slice(0, players).map(({ id }) => [id]), name: "", options: {} }];
}

// As the game on the table, as far as what is offered has it: who plays again need not choose again.
function begun(choices) {
  const { seats, position, palette } = known.state;
  for (const { colour, name } of seats) if (name !== palette[colour].name) names[colour] ??= name;
  const players = numbers(choices).includes(seats.length) ? seats.length : Math.max(...numbers(choices));
  const offered = seatings(choices, players);
  const sits = (place) => position.seats?.[place];
  const seating = Math.max(0, offered.findIndex(({ groups }) => groups.every((group) => group.every((place) => sits(place) && sits(place) === sits(group[0])))));
  const colours = [...offered[seating].groups.map(([place]) => sits(place)), ...seats.map(({ colour }) => colour), ...choices.colours];
  return seated(choices, {
    edition: choices.editions.find(({ id }) => id === position.edition)?.id ?? choices.editions[0].id,
    players, variants: position.variants ?? [], seating, colours: [...new Set(colours.filter((colour) => choices.colours.includes(colour)))],
    first: position.first, options: Object.fromEntries(choices.options.filter(({ id }) => id in (position.options ?? {}) && !settled(choices).includes(id)).map(({ id }) => [id, position.options[id]])), asks: {},
  });
}

// Options that the seats settle.
function settled(choices) {
  return Object.values(choices.seatings).flat().flatMap((each) => Object.keys(each.options ?? {}));
}

// Keeps what was chosen possible: another number of players has other seats and variants.
function seated(choices, chosen) {
  const sets = choices.editions.find(({ id }) => id === chosen.edition).variants[chosen.players] ?? [[]];
  const variantsOk = sets.some((set) => same(set, chosen.variants));
  const seating = chosen.seating < seatings(choices, chosen.players).length ? chosen.seating : 0;
  const playing = chosen.colours.slice(0, chosen.players);
  const firstPlayer = playing.includes(chosen.first) ? chosen.first : playing[0];
  return { ...chosen, variants: variantsOk ? chosen.variants : [], seating, first: firstPlayer };
}

function same(one, other) {
  return one.length === other.length && one.every((id) => other.includes(id));
}

function put(change) {
  choice = seated(known.state.choices, { ...choice, ...change });
  gap = "";
  changed();
}

function cards(title, name, offered, chosen, choose) {
  return html("fieldset", { class: "cards" }, html("legend", {}, title), ...offered.map(({ id, name: words, explains }) =>
    html("label", { class: "card" },
      html("input", { type: "radio", name, value: id, checked: id === chosen, "data-key": `${name}-${id}`, change: () => choose(id) }),
      html("span", { class: "card-text" }, html("b", {}, words), html("span", {}, explains)))));
}

function chips(title, key, offered, chosen, choose) {
  return html("fieldset", { class: "chips" }, html("legend", {}, title), ...offered.map(({ id, parts }) =>
    html("button", { type: "button", class: "chip", "aria-pressed": String(id === chosen), "data-key": `${key}-${id}`, click: () => choose(id) }, ...parts)));
}

// Which copy is played with, where the game has values that every copy prints otherwise: one entered here comes first.
function copyChosen() {
  return choice.copy ?? kept?.[0]?.id ?? "";
}

function copy() {
  if (kept === null) {
    kept = [];
    asking = copies().then((answer) => {
      kept = answer.copies ?? [];
      offersCopies = Boolean(answer.copies);
      changed();
    });
  }
  if (!offersCopies) return null;
  const offered = [...kept.map(({ id, name }) => ({ id, parts: [name] })), { id: "", parts: [translate("The invented one, for trying out")] }];
  return html("div", { class: "stack" }, chips(translate("Which copy is on the table?"), "copy", offered, copyChosen(), (id) => put({ copy: id })),
    html("p", {}, html("a", { href: "#/copies", class: "button", "data-key": "copies" }, translate("Enter your copy"))));
}

function players(choices) {
  return chips(translate("Players"), "players", numbers(choices).map((n) => ({ id: n, parts: [String(n)] })), choice.players, (n) => put({ players: n, seating: 0 }));
}

function variants(choices) {
  const sets = choices.editions.find(({ id }) => id === choice.edition).variants[choice.players] ?? [[]];
  if (sets.length < 2) return null;
  const named = (id) => choices.variants.find((variant) => variant.id === id);
  const offered = sets.map((set) => ({
    id: set.join("+") || "plain",
    name: set.map((id) => named(id).name).join(" + ") || translate("Basic game"),
    explains: set.map((id) => named(id).explains).join(" ") || translate("The rules as they stand, without additions."),
    set,
  }));
  return cards(translate("Variant"), "variant", offered, choice.variants.join("+") || "plain",
    (id) => put({ variants: offered.find((each) => each.id === id).set }));
}

// Which places belong to which player, as small plans to touch.
function seating(choices) {
  const offered = seatings(choices, choice.players);
  if (offered.length < 2) return null;
  return chips(translate("Seats"), "seating", offered.map((each, index) => ({
    id: index, parts: [html("span", {}, each.name)],
  })), choice.seating, (index) => put({ seating: index }));
}

function colours(choices) {
  const groups = seatings(choices, choice.players)[choice.seating].groups;
  const place = (id) => choices.places.find((each) => each.id === id).name;
  return html("fieldset", { class: "who" }, html("legend", {}, translate("Who sits where")), ...groups.map((group, index) => {
    const colour = choice.colours[index];
    return html("div", { class: "who-row" },
      html("span", { class: "who-place" }, group.map(place).join(" + ")),
      html("span", { class: "piece-choices", role: "group", "aria-label": translate("Colour") }, ...choices.colours.map((each) =>
        html("button", { type: "button", class: "piece-choice", "aria-pressed": String(each === colour), "aria-label": nameOf(each),
          "data-key": `colour-${index}-${each}`, click: () => swap(index, each) }, sign(each)))),
      html("input", { value: names[colour] ?? "", maxlength: 40, placeholder: nameOf(colour), "data-key": `name-${index}`,
        "aria-label": translate("Name of {who}", { who: nameOf(colour) }),
        input: (event) => rename(colour, event.target.value.trim()) }));
  }));
}

function rename(colour, name) {
  names[colour] = name;
  for (const node of document.querySelectorAll(`[data-called="${colour}"]`)) node.textContent = name || nameOf(colour);
}

function swap(index, colour) {
  const next = [...choice.colours];
  const other = next.indexOf(colour);
  [next[index], next[other]] = [next[other], next[index]];
  put({ colours: next });
}

function playing() {
  return choice.colours.slice(0, choice.players);
}

function first() {
  return chips(translate("Who begins"), "first", playing().map((colour) => ({
    id: colour, parts: who(colour),
  })), choice.first, (colour) => put({ first: colour }));
}

// What the game and the variants chosen have to be told before play.
function questions(choices) {
  return [...(choices.asks ?? []), ...choices.variants.filter(({ id }) => choice.variants.includes(id)).flatMap((variant) => variant.asks ?? [])];
}

function asked(choices) {
  const asks = questions(choices);
  if (!asks.length) return null;
  return html("div", { class: "stack" }, ...asks.map((ask) => ASKS[ask.kind](ask)));
}

const who = (colour) => [sign(colour), html("span", { "data-called": colour }, names[colour] || nameOf(colour))];
const answer = (key, value) => put({ asks: { ...choice.asks, [key]: value } });

const ASKS = {
  pairs: ({ key, name }) => {
    const [a, b, c, d] = playing();
    const pairs = [[[a, b], [c, d]], [[b, c], [d, a]]];
    const now = JSON.stringify(choice.asks[key] ?? pairs[0]);
    return html("fieldset", { class: "chips" }, html("legend", {}, name), ...pairs.map((pair, index) =>
      html("button", { type: "button", class: "chip", "data-key": `${key}-${index}`, "aria-pressed": String(JSON.stringify(pair) === now), click: () => answer(key, pair) },
        ...pair[0].flatMap(who), html("span", {}, " – "), ...pair[1].flatMap(who))));
  },
  player: ({ key, name }) => chips(name, key, playing().map((colour) => ({ id: colour, parts: who(colour) })), choice.asks[key], (colour) => answer(key, colour)),
  count: ({ key, name, most }) => {
    const [[colour, n]] = Object.entries(choice.asks[key] ?? { [playing()[0]]: 1 });
    return html("fieldset", { class: "chips" }, html("legend", {}, name),
      ...playing().map((each) => html("button", { type: "button", class: "chip", "data-key": `${key}-${each}`, "aria-pressed": String(each === colour), click: () => answer(key, { [each]: n }) }, ...who(each))),
      countStepper(key, n, 1, most, (next) => answer(key, { [colour]: next })));
  },
  number: ({ key, name, least, most, usual }) => html("fieldset", { class: "chips" }, html("legend", {}, name),
    countStepper(key, choice.asks[key] ?? usual, least, most, (next) => answer(key, next))),
};

function options(choices) {
  if (!choices.options.length) return null;
  return html("details", { class: "options", open: Object.keys(choice.options).length > 0 },
    html("summary", { "data-key": "options" }, translate("How unclear rules are read")),
    ...choices.options.filter(({ id }) => !settled(choices).includes(id)).map((option) =>
      cards(option.name, `option-${option.id}`, option.values, choice.options[option.id] ?? option.values[0].id,
        (value) => put({ options: { ...choice.options, [option.id]: value } }))));
}

function start(choices) {
  if (!mayAct()) return html("a", { class: "button main", href: "#/devices" }, translate("Pair this device to take part"));
  return html("div", { class: "stack" },
    gap ? html("div", { class: "ask", role: "alert" }, html("p", {}, html("b", {}, gap)),
      html("p", {}, html("a", { href: `#/copies/${copyChosen()}`, class: "button main", "data-key": "enter-missing" }, translate("Enter it in your copy")))) : null,
    html("div", { class: "row start-row" }, button(translate("Begin the set-up"), () => begin(choices), { class: gap ? "" : "main", "data-key": "start" })));
}

async function begin(choices) {
  await asking; // whose cards are played with is known before anything begins
  const seat = seatings(choices, choice.players)[choice.seating];
  const seats = Object.fromEntries(choices.places.map(({ id }) => [id, null]));
  for (const [index, group] of seat.groups.entries()) for (const place of group) seats[place] = choice.colours[index];
  const asks = questions(choices);
  const missing = asks.find(({ key, kind }) => kind === "player" && !choice.asks[key]);
  if (missing) {
    toast(missing.name, "trouble");
    return;
  }
  const told = Object.fromEntries(asks.map((ask) => [ask.key, choice.asks[ask.key] ?? preset(ask)]));
  const called = Object.fromEntries(Object.entries(names).filter(([colour, name]) => name && playing().includes(colour)));
  const chosen = { edition: choice.edition, variants: choice.variants, options: { ...choice.options, ...(seat.options ?? {}) }, seats, first: choice.first, ...told, ...(copyChosen() ? { copy: copyChosen() } : {}) };
  const clock = chosenClock();
  if (await tell("new_game", { choice: chosen, players: called, ...(clock ? { clock } : {}) }, undefined, null, lacksSomething)) {
    choice = null;
    clockForgotten();
    location.hash = "#/play";
  }
}

// What a copy of one's own lacks stays on the page, with the way to where it is entered.
function lacksSomething({ code, words }) {
  if (code !== "copy" || !copyChosen()) return false;
  gap = words;
  changed();
  return true;
}

function preset({ kind, usual }) {
  if (kind === "number") return usual;
  const [a, b, c, d] = playing();
  return kind === "pairs" ? [[a, b], [c, d]] : { [a]: 1 };
}
