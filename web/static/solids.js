// Solids of a virtual table in three dimensions, mm; z is up.

import * as THREE from "./vendor/three.module.js";

export { THREE };

export function material(paint, more = {}) {
  return new THREE.MeshStandardMaterial({ color: new THREE.Color(paint), roughness: 0.78, ...more });
}

export function slab(width, depth, z, paint, map = null, x = 0, y = 0) {
  const mesh = new THREE.Mesh(new THREE.PlaneGeometry(width, depth), material(map ? 0xffffff : paint, { map }));
  mesh.position.set(x, y, z);
  mesh.receiveShadow = true;
  return mesh;
}

const blocks = new Map();

// look(paint): a picture for the four sides; without one they are plain.
export function block(size, paint, look = null) {
  const key = `${size}${paint}${Boolean(look)}`;
  let made = blocks.get(key);
  if (!made) {
    const side = look ? material(0xffffff, { map: look(paint) }) : material(paint);
    const top = material(paint);
    made = { shape: new THREE.BoxGeometry(...size), looks: [side, side, side, side, top, top] };
    if (look) made.shape.attributes.uv = turnedSides(made.shape.attributes.uv);
    blocks.set(key, made);
  }
  const mesh = new THREE.Mesh(made.shape, made.looks);
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

// Takes out of a group what lies in it; the graphics card forgets it, except for blocks, which are drawn again.
export function clear(group) {
  const kept = new Set([...blocks.values()].flatMap(({ shape, looks }) => [shape, ...looks]));
  group.traverse((each) => {
    const own = each.isMesh ? [each.geometry, each.material].flat() : [each.material];
    for (const part of own) if (part && !kept.has(part)) part.dispose();
  });
  group.clear();
}

// A box's sides have their pictures as if y were up; here z is.
function turnedSides(uv) {
  const turned = uv.clone();
  const standing = [[1, 0], [1, 1], [0, 0], [0, 1]];
  for (const face of [0, 1]) for (let k = 0; k < 4; k += 1) turned.setXY(face * 4 + k, ...(face ? standing[3 - k] : standing[k]));
  for (const face of [2, 3]) for (let k = 0; k < 4; k += 1) turned.setXY(face * 4 + k, uv.getX(face * 4 + k), face === 2 ? 1 - uv.getY(face * 4 + k) : uv.getY(face * 4 + k));
  return turned;
}

export function canvas(width, height, paint) {
  const sheet = document.createElement("canvas");
  [sheet.width, sheet.height] = [width, height];
  paint(sheet.getContext("2d"));
  const map = new THREE.CanvasTexture(sheet);
  map.colorSpace = THREE.SRGBColorSpace;
  return map;
}

export function upright(shape, paint) {
  const mesh = new THREE.Mesh(shape, material(paint));
  mesh.rotation.x = Math.PI / 2;
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

export function turnedBody(profile, paint) {
  return upright(new THREE.LatheGeometry(profile.map(([r, z]) => new THREE.Vector2(r, z)), 24), paint);
}
