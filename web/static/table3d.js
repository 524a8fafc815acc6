// The virtual table in three dimensions: wood, paper, board, stones, pieces, bars; which field a finger points at.

import * as THREE from "./vendor/three.module.js";
import { rimNames, toPutBack } from "./coordinates.js";
import { bars, fieldName, stacks } from "./lying.js";

const WOOD = 0x8a6242;
const STONE = { cube: 0xc9a06f, arched: 0xb4afa8 };
const BARS = { true: 0xd8b98a, false: 0x4f3320 };

export class Table3d {
  #node;
  #renderer;
  #scene = new THREE.Scene();
  #camera = new THREE.PerspectiveCamera(38, 1, 10, 6000);
  #pieces = new THREE.Group();
  #turning = new THREE.Group();
  #targets = [];
  #sun = new THREE.DirectionalLight(0xfff2dd, 2.6);
  #sky = new THREE.HemisphereLight(0xffffff, 0x8a7a66, 1.5);
  #view = { azimuth: -1.7, elevation: 0.95, far: 760 };
  #walked = false;
  #sizes = null;
  #kit = null;
  #marked = null;
  #open = new Set();

  // Throws where there is no WebGL.
  constructor(node) {
    this.#node = node;
    this.#renderer = new THREE.WebGLRenderer({ antialias: true, powerPreference: "low-power" });
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = THREE.PCFShadowMap;
    node.append(this.#renderer.domElement);
    this.#sun.position.set(-320, -300, 640);
    this.#sun.castShadow = true;
    this.#sun.shadow.mapSize.set(1024, 1024);
    Object.assign(this.#sun.shadow.camera, { left: -260, right: 260, top: 260, bottom: -260, near: 100, far: 1500 });
    this.#scene.add(this.#sun, this.#sky, this.#turning);
    this.#turning.add(this.#pieces);
    this.#sky.position.set(0, 0, 1);
    this.#camera.up.set(0, 0, 1);
    new ResizeObserver(() => this.#sized()).observe(node);
  }

  // What the table is like: drawn once.
  lay(kit, sizes) {
    this.#kit = kit;
    this.#sizes = sizes;
    const reach = sizes.frame + 12;
    this.#scene.add(slab(3000, 3000, -6, WOOD, wood()));
    this.#turning.add(slab(2 * reach, 2 * reach, -3.2, 0xf2efe8, paper(sizes.markers, reach)));
    if (kit.kind === "tower") this.#base();
    else this.#board();
    this.#turning.add(...rimNames(kit, (row, col) => this.#at(row, col), this.#reach(), kit.kind === "tower" ? 14 : 16));
    this.#sized();
  }

  #base() {
    const { pitch, base } = this.#sizes;
    this.#turning.add(slab(3 * pitch[0] + 4, 3 * pitch[1] + 4, base, 0x3e6b45));
    for (let row = 0; row < 3; row += 1) for (let col = 0; col < 3; col += 1) this.#target(row, col, base);
  }

  #board() {
    const { pitch, tracks } = this.#sizes;
    const [columns, rows] = [this.#kit.columns.length, this.#kit.rows.length];
    const places = Object.values(tracks).flat();
    const margin = places.length ? Math.max(...places.map(([, y]) => Math.abs(y))) + 16 : (rows * pitch[1]) / 2 + 18;
    this.#turning.add(slab(2 * margin, 2 * margin, -0.6, 0x5c6f60));
    for (const [x, y] of places) this.#turning.add(slab(15, 15, 0.1, 0xe4e4da, null, x, y));
    for (let row = 0; row < rows; row += 1) for (let col = 0; col < columns; col += 1) this.#target(row, col, 0);
  }

  // How far the board with its tracks reaches from its middle, across and up.
  #reach() {
    const { pitch, tracks } = this.#sizes;
    const up = Object.values(tracks).flat().map(([, y]) => Math.abs(y) + 8);
    return [(this.#kit.columns.length * pitch[0]) / 2, Math.max((this.#kit.rows.length * pitch[1]) / 2, ...up)];
  }

  #target(row, col, z) {
    const { pitch } = this.#sizes;
    const [x, y] = this.#at(row, col);
    const tone = (row + col) % 2 ? 0xbdbaa6 : 0xb2b09c;
    const field = slab(pitch[0] - 0.8, pitch[1] - 0.8, z + 0.2, this.#kit.kind === "tower" ? 0x4a7a52 : tone, null, x, y);
    field.userData = { row, col };
    this.#targets.push(field);
    this.#turning.add(field);
  }

  #at(row, col) {
    const { pitch } = this.#sizes;
    const [columns, rows] = [this.#kit.columns.length, this.#kit.rows.length];
    return [(col - (columns - 1) / 2) * pitch[0], (row - (rows - 1) / 2) * pitch[1]];
  }

  // What lies there now. marked: {row, col} a hand holds, or null. open: names of the fields still to be put back.
  show(state, marked, open = []) {
    this.#marked = marked;
    this.#open = new Set(open);
    this.#pieces.clear();
    this.#turning.rotation.z = (state.turned_deg * Math.PI) / 180;
    this.#sun.intensity = 2.6 * state.light;
    this.#sky.intensity = 1.5 * state.light;
    if (this.#kit.kind === "tower") this.#showBars(state.lying);
    else this.#showStacks(state);
    for (const [x, y] of state.cups) this.#pieces.add(cup(x, y));
    for (const field of this.#targets) {
      const held = marked && field.userData.row === marked.row && field.userData.col === marked.col;
      field.material.emissive.setHex(held ? 0x6b4a00 : 0);
    }
    this.draw();
  }

  #showStacks(state) {
    const { stone, piece } = this.#sizes;
    const paints = Object.fromEntries(this.#kit.pieces.map((kind) => [kind.letter, kind]));
    for (const [row, fields] of stacks(state.lying).entries()) {
      for (const [col, { height, piece: letter }] of fields.entries()) {
        const [x, y] = this.#at(row, col);
        for (let level = 0; level < height; level += 1) {
          const cube = block(stone, STONE[this.#kit.block] ?? STONE.cube, this.#kit.block === "arched");
          cube.position.set(x, y, (level + 0.5) * stone[2]);
          cube.rotation.z = (((row * 31 + col * 17 + level * 7) % 9) - 4) * 0.012;
          cube.userData = { row, col };
          this.#pieces.add(cube);
        }
        if (this.#open.has(fieldName(row, col))) {
          this.#pieces.add(toPutBack(fieldName(row, col), x, y, height * stone[2] + (letter ? piece[0] : 0), 14));
        }
        if (!letter) continue;
        const figure = stands(paints[letter], piece, this.#sizes.style);
        figure.position.set(x, y, height * stone[2]);
        figure.traverse((part) => { part.userData = { row, col, piece: letter }; });
        this.#pieces.add(figure);
      }
    }
    for (const [track, { place, paint }] of Object.entries(state.stones)) {
      const at = this.#sizes.tracks[track]?.[place - 1];
      if (!at) continue;
      const disc = upright(new THREE.CylinderGeometry(6.5, 6.5, 4, 24), paint);
      disc.position.set(at[0], at[1], 2);
      this.#pieces.add(disc);
    }
  }

  #showBars(text) {
    const { pitch, stone, base } = this.#sizes;
    for (const bar of bars(text)) {
      const size = [pitch[0] - 0.3, pitch[1] - 0.3, stone[2] - 0.2];
      const along = { e: 0, n: 1, u: 2 }[bar.along];
      size[along] += along === 2 ? stone[2] : pitch[along];
      const body = block(size, BARS[String(bar.light)], false);
      const [x, y] = this.#at(bar.row, bar.col);
      const middle = [x, y, base + (bar.level + 0.5) * stone[2]];
      middle[along] += (along === 2 ? stone[2] : pitch[along]) / 2;
      body.position.set(...middle);
      body.userData = { bar, row: bar.row, col: bar.col };
      this.#pieces.add(body);
    }
  }

  // What lies under a point of the screen: {row, col, piece?, bar?} or null.
  under(clientX, clientY) {
    const box = this.#renderer.domElement.getBoundingClientRect();
    const point = new THREE.Vector2(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(point, this.#camera);
    const hit = ray.intersectObjects([...this.#pieces.children, ...this.#targets], true).find(({ object }) => object.userData.row !== undefined);
    return hit ? hit.object.userData : null;
  }

  // Walk around the table, and nearer or further.
  walk(turn, rise, nearer = 1) {
    const view = this.#view;
    this.#walked = true;
    view.azimuth += turn;
    view.elevation = Math.min(1.5, Math.max(0.2, view.elevation + rise));
    view.far = Math.min(2200, Math.max(220, view.far * nearer));
    this.draw();
  }

  #sized() {
    const { clientWidth: width, clientHeight: height } = this.#node;
    if (!width || !height) return;
    this.#renderer.setSize(width, height);
    this.#camera.aspect = width / height;
    this.#camera.fov = width / height < 1 ? 52 : 38;
    this.#camera.updateProjectionMatrix();
    if (!this.#walked && this.#sizes) this.#view.far = this.#fitting();
    this.draw();
  }

  // From how far all of the frame is seen, and little of the wood around it: near corners look largest.
  #fitting() {
    const reach = 1.04 * (this.#sizes.frame + 12);
    const { elevation } = this.#view;
    const [up, across] = [Math.tan((this.#camera.fov * Math.PI) / 360), this.#camera.aspect];
    return reach * Math.cos(elevation) + Math.max((reach * Math.sin(elevation)) / up, (1.1 * reach) / (up * across));
  }

  draw() {
    const { azimuth, elevation, far } = this.#view;
    const flat = far * Math.cos(elevation);
    this.#camera.position.set(flat * Math.cos(azimuth), flat * Math.sin(azimuth), far * Math.sin(elevation));
    const near = this.#walked || !this.#sizes ? 0 : 0.16 * this.#sizes.frame; // the near side takes more of the picture
    this.#camera.lookAt(near * Math.cos(azimuth), near * Math.sin(azimuth), this.#kit?.kind === "tower" ? 45 : 8);
    this.#renderer.render(this.#scene, this.#camera);
  }

  get marked() {
    return this.#marked;
  }
}

function material(paint, more = {}) {
  return new THREE.MeshStandardMaterial({ color: new THREE.Color(paint), roughness: 0.78, ...more });
}

function slab(width, depth, z, paint, map = null, x = 0, y = 0) {
  const mesh = new THREE.Mesh(new THREE.PlaneGeometry(width, depth), material(map ? 0xffffff : paint, { map }));
  mesh.position.set(x, y, z);
  mesh.receiveShadow = true;
  return mesh;
}

const blocks = new Map();

function block(size, paint, arched) {
  const key = `${size}${paint}${arched}`;
  let made = blocks.get(key);
  if (!made) {
    const side = arched ? material(0xffffff, { map: arch(paint) }) : material(paint);
    const top = material(paint);
    made = { shape: new THREE.BoxGeometry(...size), looks: [side, side, side, side, top, top] };
    if (arched) made.shape.attributes.uv = turnedSides(made.shape.attributes.uv);
    blocks.set(key, made);
  }
  const mesh = new THREE.Mesh(made.shape, made.looks);
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

// A box's sides have their pictures as if y were up; here z is.
function turnedSides(uv) {
  const turned = uv.clone();
  const upright = [[1, 0], [1, 1], [0, 0], [0, 1]];
  for (const face of [0, 1]) for (let k = 0; k < 4; k += 1) turned.setXY(face * 4 + k, ...(face ? upright[3 - k] : upright[k]));
  for (const face of [2, 3]) for (let k = 0; k < 4; k += 1) turned.setXY(face * 4 + k, uv.getX(face * 4 + k), face === 2 ? 1 - uv.getY(face * 4 + k) : uv.getY(face * 4 + k));
  return turned;
}

function canvas(width, height, paint) {
  const sheet = document.createElement("canvas");
  [sheet.width, sheet.height] = [width, height];
  paint(sheet.getContext("2d"));
  const map = new THREE.CanvasTexture(sheet);
  map.colorSpace = THREE.SRGBColorSpace;
  return map;
}

// The printed frame: white paper with its markers.
function paper(markers, reach) {
  const px = 1024 / (2 * reach);
  return canvas(1024, 1024, (ink) => {
    ink.fillStyle = "#f4f1ea";
    ink.fillRect(0, 0, 1024, 1024);
    ink.fillStyle = "#1d1b19";
    for (const { at: [x, y], side, bits } of markers) {
      const cells = Math.sqrt(bits.length);
      const size = (side / cells) * px;
      const [left, top] = [(x - side / 2 + reach) * px, (reach - y - side / 2) * px];
      for (const [cell, bit] of [...bits].entries()) {
        if (bit === "0") ink.fillRect(left + (cell % cells) * size, top + Math.floor(cell / cells) * size, size + 0.6, size + 0.6);
      }
    }
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

function wood() {
  const map = canvas(512, 512, (ink) => {
    for (let plank = 0; plank < 4; plank += 1) {
      ink.fillStyle = ["#8a6242", "#83593a", "#8f6748", "#7f5738"][plank];
      ink.fillRect(0, plank * 128, 512, 128);
      for (let line = 0; line < 46; line += 1) {
        ink.strokeStyle = `rgba(48, 28, 12, ${0.05 + ((line * 37) % 11) / 120})`;
        const y = plank * 128 + ((line * 53) % 128);
        ink.beginPath();
        ink.moveTo(0, y);
        ink.bezierCurveTo(170, y + ((line * 7) % 9) - 4, 340, y - ((line * 5) % 9) + 4, 512, y);
        ink.stroke();
      }
    }
  });
  map.wrapS = map.wrapT = THREE.RepeatWrapping;
  map.repeat.set(6, 6);
  return map;
}

function upright(shape, paint) {
  const mesh = new THREE.Mesh(shape, material(paint));
  mesh.rotation.x = Math.PI / 2;
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

function turnedBody(profile, paint) {
  return upright(new THREE.LatheGeometry(profile.map(([r, z]) => new THREE.Vector2(r, z)), 24), paint);
}

function stands(kind, [h, r], style) {
  const figure = new THREE.Group();
  const paint = kind.paint.light;
  if (kind.shape === "king") {
    const tall = h * 1.4;
    figure.add(turnedBody([[r * 1.1, 0], [r * 0.8, 4], [r * 0.45, tall * 0.35], [r * 0.5, tall * 0.72], [r, tall * 0.8], [r * 0.55, tall * 0.85], [r, tall], [0, tall * 0.94]], paint));
  } else if (kind.shape === "flag" && style === "banner") {
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

function cup(x, y) {
  const body = turnedBody([[0, 1], [30, 0], [37, 86], [34, 86], [28, 8]], 0xf1efe9);
  body.position.set(x, y, -3);
  return body;
}
