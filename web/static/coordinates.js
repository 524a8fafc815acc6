// Names of fields in three dimensions: along the rim of a virtual table, and on what is to be put back. They face whoever
// looks, from every side.

import * as THREE from "./vendor/three.module.js";
import { fieldName } from "./fieldname.js";

const SHEET_PX = 128;
const painted = new Map();

/**
 * Columns and rows, written on both sides of the board.
 * @param {{ columns: unknown[], rows: unknown[] }} kit
 * @param {(row: number, col: number) => number[]} at middle of a field
 * @param {number[]} reach_mm how far the board reaches across and up, from its middle
 * @param {number} size_mm of a name
 * @returns {object[]}
 */
export function rimNames({ columns, rows }, at, reach_mm, size_mm) {
  const [across, up] = reach_mm.map((reach) => [-1, 1].map((side) => side * (reach + size_mm * 0.7)));
  return [
    ...columns.flatMap((_, col) => up.map((y) => named(fieldName(0, col).slice(0, 1), at(0, col)[0], y, 4, size_mm))),
    ...rows.flatMap((_, row) => across.map((x) => named(String(row + 1), x, at(row, 0)[1], 4, size_mm))),
  ];
}

// A field to be put back: its name on a mark above it.
export function toPutBack(name, x, y, z, size_mm) {
  const mark = named(name, x, y, z + size_mm, size_mm * 1.5, true);
  mark.renderOrder = 1;
  mark.material.depthTest = false; // never hidden by what stands before it
  return mark;
}

function named(text, x, y, z, size_mm, marked = false) {
  const name = new THREE.Sprite(new THREE.SpriteMaterial({ map: sheet(text, marked), sizeAttenuation: true }));
  name.scale.set(size_mm, size_mm, 1);
  name.position.set(x, y, z);
  name.userData = { name: text };
  return name;
}

function sheet(text, marked) {
  const key = `${text} ${marked}`;
  if (!painted.has(key)) painted.set(key, new THREE.CanvasTexture(drawn(text, marked)));
  return painted.get(key);
}

function drawn(text, marked) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SHEET_PX;
  const ink = canvas.getContext("2d");
  const middle = SHEET_PX / 2;
  if (marked) {
    ink.beginPath();
    ink.arc(middle, middle, middle - 6, 0, 2 * Math.PI);
    ink.fillStyle = "#a8231d";
    ink.fill();
    ink.lineWidth = 8;
    ink.strokeStyle = "#fffaf0";
    ink.stroke();
  }
  ink.font = `700 ${marked ? 52 : 96}px system-ui, sans-serif`;
  ink.textAlign = "center";
  ink.textBaseline = "middle";
  ink.lineWidth = 22;
  ink.lineJoin = "round";
  ink.strokeStyle = "#fffaf0";
  if (!marked) ink.strokeText(text, middle, middle + 4);
  ink.fillStyle = marked ? "#fffaf0" : "#26201a";
  ink.fillText(text, middle, middle + 4);
  return canvas;
}
