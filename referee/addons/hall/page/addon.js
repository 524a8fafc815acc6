// The door of a table for arbiters' desks, beside the devices that may act.

import { doorNow, doorPart } from "./desksdoor.js";

export const addon = { parts: { devices: { from: doorNow, draw: () => [doorPart()] } } };
