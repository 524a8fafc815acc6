// This device witnesses the game: after a turn it co-signs how far the journal has come, with a key of its own, and never
// signs a journal that doesn't begin with what it signed before. The formats are C2SP's (docs/reference/export.md).

import { grew, same } from "./merkle.js";
import { act, ask } from "/static/session.js";
import { known, toast } from "/static/store.js";
import { translate } from "/static/i18n.js";

const DATABASE = "referee-witness";
const TABLE = /^table\.referee\.invalid\/([\w-]{43})\/([0-9a-f]{16})$/;
const MOST_GAMES = 50; // whose last notes are kept

let refused = false; // said once: the players know it then

// {game, events, note, proof}: how far the journal has come, for this device to sign. since: events it signed before.
const headAfter = (since) => ask("GET", "/api/witness", undefined, {}, `&since=${since}`);
const handIn = (note) => act("POST", "/api/witness", { note });

// Whether this browser can sign: only pages opened over HTTPS (or on the machine itself) may, and not all browsers.
export async function canWitness() {
  if (!globalThis.isSecureContext || !globalThis.crypto?.subtle || !globalThis.indexedDB) return false;
  try {
    return Boolean(await ownKey());
  } catch {
    return false; // no Ed25519, or a browser that keeps nothing
  }
}

// Co-sign the journal as it stands. Several tabs do it one after the other; what fails is made good after the next turn.
export async function witness() {
  if (!known.session?.paired || !(await canWitness())) return;
  try {
    await navigator.locks.request(DATABASE, coSign);
  } catch {
    // No line, or no room to keep it: the next turn's signature stands for this turn, too.
  }
}

// What this device signed last of each game, the newest first: {game, title, at, events, note, broken}.
export async function keptNotes() {
  const all = await inStore("notes", "readonly", (store) => store.getAll());
  return all.sort((one, other) => other.at - one.at);
}

async function coSign() {
  const newest = (await keptNotes())[0];
  let head = await headAfter(newest?.events ?? 0);
  if (!head.ok) return;
  let seen = await readHead(head);
  const last = await inStore("notes", "readonly", (store) => store.get(seen.game));
  if (last && last.events !== newest?.events) {
    const game = seen.game;
    head = await headAfter(last.events);
    if (!head.ok) return;
    seen = await readHead(head);
    if (seen.game !== game) return;
  }
  if (last && (last.origin !== seen.origin || !(await follows(last, seen, head.proof)))) {
    await inStore("notes", "readwrite", (store) => store.put({ ...last, broken: head.note }));
    if (!refused) toast(translate("This device no longer witnesses the game: the record doesn’t go on from what it signed before. Keep its note."), "trouble");
    refused = true;
    return;
  }
  if (last?.events === seen.events && last.taken) return;
  const note = last?.events === seen.events ? last.note : await signed(head.note, seen.text);
  const kept = { game: seen.game, origin: seen.origin, title: known.state?.title ?? "", at: Date.now(), events: seen.events, root: seen.root, note };
  await inStore("notes", "readwrite", (store) => store.put({ ...kept, taken: false })); // before anybody else has it
  const answer = await handIn(note);
  if (answer.ok) await inStore("notes", "readwrite", (store) => store.put({ ...kept, taken: true }));
  await forgetOld();
}

// Whether a head goes on from what this device signed last.
async function follows(last, seen, proof) {
  if (seen.events < last.events) return false;
  if (seen.events === last.events) return same(seen.root, last.root);
  return grew(sha256, last.events, last.root, seen.events, seen.root, proof.map(bytesOf));
}

// Game, origin, events, root and text of what the table signed. Throws where its signature doesn't hold, and where the
// answer around it names another game: what is not signed decides nothing.
async function readHead({ game: named, note }) {
  const [origin, events, root, gap, line] = note.split("\n");
  const [, key, game] = TABLE.exec(origin) ?? [];
  const [, name, signature] = /^— (\S+) (\S+)$/.exec(line) ?? [];
  const text = `${origin}\n${events}\n${root}\n`;
  if (!key || gap !== "" || name !== origin || game !== named) throw new Error("no checkpoint");
  const table = await crypto.subtle.importKey("raw", bytesOf(key.replace(/-/g, "+").replace(/_/g, "/")), "Ed25519", false, ["verify"]);
  if (!(await crypto.subtle.verify("Ed25519", table, bytesOf(signature).slice(4), encoded(text)))) throw new Error("the table's signature is wrong");
  return { game, origin, events: Number(events), root: bytesOf(root), text };
}

async function signed(note, text) {
  const { privateKey, raw } = await ownKey();
  const name = `device.referee.invalid/${base64(raw).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "")}`;
  const seconds = Math.floor(Date.now() / 1000);
  const signature = new Uint8Array(await crypto.subtle.sign("Ed25519", privateKey, encoded(`cosignature/v1\ntime ${seconds}\n${text}`)));
  const id = (await sha256(Uint8Array.of(...encoded(`${name}\n`), 4, ...raw))).slice(0, 4);
  const time = new DataView(new ArrayBuffer(8));
  time.setBigUint64(0, BigInt(seconds));
  return `${note}— ${name} ${base64(Uint8Array.of(...id, ...new Uint8Array(time.buffer), ...signature))}\n`;
}

// This device's key, made when it is first needed. Nobody can read its secret half, not even this page.
async function ownKey() {
  const kept = await inStore("keys", "readonly", (store) => store.get("own"));
  if (kept) return kept;
  const pair = /** @type {CryptoKeyPair} */ (await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]));
  const raw = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  return navigator.locks.request(`${DATABASE}-key`, async () => {
    const meanwhile = await inStore("keys", "readonly", (store) => store.get("own"));
    if (!meanwhile) await inStore("keys", "readwrite", (store) => store.put({ id: "own", privateKey: pair.privateKey, raw }));
    return meanwhile ?? { privateKey: pair.privateKey, raw };
  });
}

async function forgetOld() {
  for (const { game } of (await keptNotes()).slice(MOST_GAMES)) await inStore("notes", "readwrite", (store) => store.delete(game));
}

function inStore(name, mode, ask) {
  return new Promise((done, failed) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore("keys", { keyPath: "id" });
      opening.result.createObjectStore("notes", { keyPath: "game" });
    };
    opening.onerror = () => failed(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const work = database.transaction(name, mode);
      const asked = ask(work.objectStore(name));
      work.oncomplete = () => {
        database.close();
        done(asked.result);
      };
      work.onabort = () => {
        database.close();
        failed(work.error);
      };
    };
  });
}

async function sha256(data) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", data));
}

function encoded(text) {
  return new TextEncoder().encode(text);
}

function bytesOf(text) {
  return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
}

function base64(bytes) {
  return btoa(String.fromCharCode(...bytes));
}
