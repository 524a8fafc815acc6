// What this device may do, and doing it: pairing, commands, devices. Every answer is {ok, status, code, words, ...data}:
// words are the table's own, in the language asked for; code is for programs, "offline" where no answer came at all.

const RETRIES = 4;
const RETRY_MS = 700;

let csrf = null;
let language = "en";

export function speak(chosen) {
  language = chosen;
}

// What a request of this page that acts carries, once the session is known.
export const token = () => csrf ?? "";

// {paired, may_watch, may_pair, device, commands}
export async function session() {
  const answer = await ask("GET", "/api/session");
  if (answer.ok) csrf = answer.csrf;
  return answer;
}

// The secret of a scanned code, once; it is taken out of the address so that nobody finds it there.
export function scannedSecret() {
  const found = /^#pair=([A-Za-z0-9_-]{16,64})$/.exec(location.hash);
  if (!found) return null;
  history.replaceState(null, "", location.pathname + location.search);
  return found[1];
}

/** The code that the first page left on this computer, once: whoever closed that page too early is let in all the same. */
export function leftSecret() {
  try {
    const left = localStorage.getItem("referee-lets-in");
    localStorage.removeItem("referee-lets-in");
    return left;
  } catch {
    return null;
  }
}

export async function pairByPin(pin, name) {
  return paired(await ask("POST", "/api/pair/pin", { pin, name }));
}

export async function pairByLink(secret, name) {
  return paired(await ask("POST", "/api/pair/link", { secret, name }));
}

// Tell the table something. Sent again by itself when no answer came: the key makes sure it is done once.
// seen: number of the newest event the page knew of, so that nobody decides on something that is already over.
export function command(name, args = {}, seen = null) {
  return act("POST", `/api/commands/${encodeURIComponent(name)}`, { arguments: args, seen });
}

// A picture for a camera that this device is. Not sent again: the next one is newer.
export async function sendPicture(camera, blob, ageMs) {
  const address = `/api/phones/${encodeURIComponent(camera)}/frames?age_ms=${Math.max(0, Math.round(ageMs))}`;
  const send = () =>
    fetch(address, {
      method: "POST",
      cache: "no-store",
      headers: { "X-CSRF-Token": csrf ?? "", "Content-Type": "image/jpeg" },
      body: blob,
      signal: AbortSignal.timeout(5000),
    });
  try {
    let answer = await send();
    if (answer.status === 403 && (await session()).paired) answer = await send();
    return { ok: answer.ok, status: answer.status };
  } catch {
    return { ok: false, status: 0 };
  }
}

// {pin, link, seconds, qr}: digits and a QR code for one more device.
// player: for whom alone that device may act; empty: for the whole table. page: "camera" for the one it photographs with.
export function newCode(player = "", page = "") {
  return act("POST", player ? `/api/codes/${encodeURIComponent(player)}` : "/api/codes", {}, page ? `&page=${page}` : "");
}

// {devices: [{id, name, paired_at, seen_at, here}]}
export function devices() {
  return act("GET", "/api/devices");
}

export function rename(id, name) {
  return act("PATCH", `/api/devices/${id}`, { name });
}

export async function forget(id) {
  const answer = await act("DELETE", `/api/devices/${id}`);
  if (answer.ok) await session();
  return answer;
}

// {entries}: of the record, before the one with a number.
export function recordBefore(before, limit) {
  return ask("GET", "/api/record", undefined, {}, `&before=${before}&limit=${limit}`);
}

// The copies of the game whose printed values were entered: {copies: [{id, name}]}, null where the game needs none.
export function copies() {
  return ask("GET", "/api/copies");
}

export function copyForm(id) {
  return ask("GET", `/api/copies/${encodeURIComponent(id)}`);
}

export function beginCopy(name) {
  return act("POST", "/api/copies", { name });
}

export function takeInCopy(data) {
  return act("POST", "/api/copy-files", { data });
}

// row: "+" for a new one; values null take it out.
export function putRow(copy, part, row, values) {
  return act("POST", `/api/copies/${[copy, part, row].map(encodeURIComponent).join("/")}`, { values });
}

export function putPicture(copy, part, row, picture) {
  return act("POST", `/api/copies/${[copy, part, row].map(encodeURIComponent).join("/")}/picture`, { picture });
}

export function removePicture(copy, part, row) {
  return act("DELETE", `/api/copies/${[copy, part, row].map(encodeURIComponent).join("/")}/picture`);
}

export function removeCopy(id) {
  return act("DELETE", `/api/copies/${encodeURIComponent(id)}`);
}

// {shown, names, pictures, breaches}: what the screen for the room may show.
export function room() {
  return act("GET", "/api/room");
}

export function setRoom(switches) {
  return act("POST", "/api/room", switches);
}

function paired(answer) {
  if (answer.ok) csrf = answer.csrf;
  return answer;
}

export async function act(method, address, body, query = "") {
  const headers = { "X-CSRF-Token": csrf ?? "" };
  if (method !== "GET") headers["Idempotency-Key"] = newKey();
  let answer = await ask(method, address, body, headers, query);
  // What is being worked on will be answered: a slow computer takes minutes to learn a board.
  for (let turn = 1; unfinished(answer) && (turn < RETRIES || answer.code === "in-progress"); turn += 1) {
    await new Promise((done) => setTimeout(done, RETRY_MS * Math.min(turn, RETRIES)));
    answer = await ask(method, address, body, headers, query);
  }
  if (answer.code === "token" && (await session()).paired) {
    // Paired anew in another tab meanwhile: this page's token is the old one, and nothing was done with it.
    answer = await ask(method, address, body, { ...headers, "X-CSRF-Token": csrf }, query);
  }
  return answer;
}

// No answer came, nothing could be written down, or an earlier sending is still being worked on.
function unfinished(answer) {
  return !answer.ok && (answer.code === "offline" || answer.code === "in-progress" || answer.status === 503);
}

/** @param {Record<string, string>} headers */
export async function ask(method, address, body, headers = {}, query = "") {
  /** @type {RequestInit} */
  const request = { method, cache: "no-store", headers, signal: AbortSignal.timeout(10000) };
  if (body !== undefined) {
    request.body = JSON.stringify(body);
    headers["Content-Type"] = "application/json";
  }
  try {
    const answer = await fetch(`${address}?lang=${language}${query}`, request);
    const text = await answer.text();
    const data = text ? JSON.parse(text) : {};
    const told = { ok: answer.ok, status: answer.status, code: "", words: data.detail ?? "" };
    return answer.ok ? { ...told, ...data } : { ...told, code: data.code ?? "" };
  } catch {
    return { ok: false, status: 0, code: "offline", words: "" };
  }
}

// Not crypto.randomUUID(), which browsers offer over HTTPS only.
function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
