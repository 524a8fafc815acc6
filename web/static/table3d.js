// The virtual table in three dimensions: wood, paper, what the kind of observation lays there; which field a finger points at.

import { rimNames, toPutBack } from "./coordinates.js";
import { fieldName } from "./fieldname.js";
import { canvas, clear, slab, THREE, turnedBody } from "./solids.js";

const WOOD = 0x8a6242;
const NARROW_PX = 600;
const MARK_MM = 14;

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
  /** @type {import("./virtual.js").Virtual | null} */
  #kind = null;

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
  lay(kind, kit, sizes) {
    this.#kind = kind;
    this.#kit = kit;
    this.#sizes = sizes;
    const reach = sizes.frame + 12;
    this.#scene.add(slab(3000, 3000, -6, WOOD, wood()));
    this.#turning.add(slab(2 * reach, 2 * reach, -3.2, 0xf2efe8, paper(sizes.markers, reach)));
    this.#turning.add(...kind.ground(kit, sizes));
    for (let row = 0; row < kit.rows.length; row += 1) for (let col = 0; col < kit.columns.length; col += 1) this.#target(row, col);
    this.#turning.add(...rimNames(kit, (row, col) => this.#at(row, col), this.#reach(), kind.names));
    this.#sized();
  }

  // How high the middle of what stands there is, mm.
  get #middle() {
    return this.#kind?.middle ?? 8;
  }

  // How far the board with its tracks reaches from its middle, across and up.
  #reach() {
    const { pitch, tracks } = this.#sizes;
    const up = Object.values(tracks).flat().map(([, y]) => Math.abs(y) + 8);
    return [(this.#kit.columns.length * pitch[0]) / 2, Math.max((this.#kit.rows.length * pitch[1]) / 2, ...up)];
  }

  #target(row, col) {
    const { pitch } = this.#sizes;
    const { z, paint } = this.#kind.field(row, col, this.#sizes);
    const field = slab(pitch[0] - 0.8, pitch[1] - 0.8, z + 0.2, paint, null, ...this.#at(row, col));
    field.userData = { row, col };
    this.#targets.push(field);
    this.#turning.add(field);
  }

  /** @returns {[number, number]} */
  #at(row, col) {
    const { pitch } = this.#sizes;
    const [columns, rows] = [this.#kit.columns.length, this.#kit.rows.length];
    return [(col - (columns - 1) / 2) * pitch[0], (row - (rows - 1) / 2) * pitch[1]];
  }

  // What lies there now. marked: {row, col} a hand holds, or null. open: names of the fields still to be put back.
  show(state, marked, open = []) {
    clear(this.#pieces);
    this.#turning.rotation.z = (state.turned_deg * Math.PI) / 180;
    this.#sun.intensity = 2.6 * state.light;
    this.#sky.intensity = 1.5 * state.light;
    const solids = this.#kind.solids(state, (row, col) => this.#at(row, col));
    if (solids.length) this.#pieces.add(...solids);
    for (const [x, y] of state.cups) this.#pieces.add(cup(x, y));
    for (const field of this.#targets) {
      const { row, col } = field.userData;
      const [name, held] = [fieldName(row, col), marked && row === marked.row && col === marked.col];
      field.material.emissive.setHex(held ? 0x6b4a00 : 0);
      if (open.includes(name)) this.#pieces.add(toPutBack(name, ...this.#at(row, col), this.#kind.top({ row, col, name }, state), MARK_MM));
    }
    this.draw();
  }

  // What lies under a point of the screen: {row, col} with what the kind says of it, or null.
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

  // From how far all of the frame is seen, and little of the wood around it: near corners look largest. On a phone the
  // board alone is, more from above, so that a finger meets its field.
  #fitting() {
    const narrow = this.#node.clientWidth < NARROW_PX;
    // What stands high on a small board looks larger still.
    const reach = narrow ? 1.06 * Math.max(...this.#reach(), 1.5 * this.#middle) : 1.04 * (this.#sizes.frame + 12);
    if (narrow) this.#view.elevation = 1.2;
    const { elevation } = this.#view;
    const [up, across] = [Math.tan((this.#camera.fov * Math.PI) / 360), this.#camera.aspect];
    return reach * Math.cos(elevation) + Math.max((reach * Math.sin(elevation)) / up, (1.1 * reach) / (up * across));
  }

  draw() {
    const { azimuth, elevation, far } = this.#view;
    const flat = far * Math.cos(elevation);
    this.#camera.position.set(flat * Math.cos(azimuth), flat * Math.sin(azimuth), far * Math.sin(elevation));
    const near = this.#walked || !this.#sizes ? 0 : 0.16 * this.#sizes.frame; // the near side takes more of the picture
    this.#camera.lookAt(near * Math.cos(azimuth), near * Math.sin(azimuth), this.#middle);
    this.#renderer.render(this.#scene, this.#camera);
  }
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

function cup(x, y) {
  const body = turnedBody([[0, 1], [30, 0], [37, 86], [34, 86], [28, 8]], 0xf1efe9);
  body.position.set(x, y, -3);
  return body;
}
