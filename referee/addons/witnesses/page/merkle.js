// Proofs that a journal only grew: RFC 9162, 2.1.4.2, over the tree that referee/storage/eventtree.py builds.

// Whether a tree with `events` leaves and the root `root` begins with one of `before` leaves and the root `old`; 0 < before < events.
// Hashes are Uint8Arrays of 32 bytes; sha256 turns bytes into such a hash, at once or later.
/** @param {(data: Uint8Array) => Promise<Uint8Array> | Uint8Array} sha256
 * @param {number} before @param {Uint8Array} old @param {number} events @param {Uint8Array} root @param {Uint8Array[]} proof */
export async function grew(sha256, before, old, events, root, proof) {
  const path = wholeTree(before) ? [old, ...proof] : [...proof];
  let last = before - 1;
  let end = events - 1;
  while (last % 2 === 1) [last, end] = [half(last), half(end)];
  let earlier = path.shift();
  if (!earlier || !proof.length) return false;
  let later = earlier;
  for (const hash of path) {
    if (end === 0) return false;
    if (last % 2 === 1 || last === end) {
      earlier = await sha256(node(hash, earlier));
      later = await sha256(node(hash, later));
      while (last % 2 === 0 && last !== 0) [last, end] = [half(last), half(end)];
    } else later = await sha256(node(later, hash));
    [last, end] = [half(last), half(end)];
  }
  return end === 0 && same(earlier, old) && same(later, root);
}

/** @param {Uint8Array} one @param {Uint8Array} other */
export function same(one, other) {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

/** @param {number} leaves */
function wholeTree(leaves) {
  return Number.isInteger(Math.log2(leaves));
}

/** @param {number} number */
function half(number) {
  return Math.floor(number / 2);
}

/** @param {Uint8Array} left @param {Uint8Array} right */
function node(left, right) {
  return Uint8Array.of(1, ...left, ...right);
}
