// How the cameras did, below what they see.

import { again, cameraLines } from "./cameraline.js";

export const addon = { parts: { table: { draw: () => [cameraLines()], again } } };
