// Board text (docs/view.md) to fields and back: a height is one digit to base 36, a flag the letter after it.

const FLAGS = { r: "red", y: "yellow", g: "green", b: "blue", "?": "?" };

// Columns, rows (the highest first) and fields of a board text; like is a board of the same size.
export function boardOf(text, like) {
  const fields = [];
  text.split("/").forEach((line, index) => {
    let column = 0;
    for (const sign of line) {
      const last = fields[fields.length - 1];
      if (sign in FLAGS && sign !== "?") {
        last.flag = FLAGS[sign];
        continue;
      }
      const height = sign === "?" ? null : parseInt(sign, 36);
      fields.push({ name: `${like.columns[column]}${like.rows[index]}`, height, flag: sign === "?" ? "?" : null });
      column += 1;
    }
  });
  return { text, columns: like.columns, rows: like.rows, fields };
}

export function textOf(board) {
  const signs = board.fields.map(({ height, flag }) =>
    (height === null ? "?" : height.toString(36).toUpperCase()) + (isPiece(flag) ? flag.charAt(0) : ""));
  const across = board.columns.length;
  return board.rows.map((_, row) => signs.slice(row * across, (row + 1) * across).join("")).join("/");
}

export function isPiece(flag) {
  return Boolean(flag) && flag !== "?";
}

// Names of the fields in which two boards of one size differ.
export function differing(one, other) {
  return one.fields.filter((field, index) =>
    field.height !== other.fields[index].height || (field.flag ?? null) !== (other.fields[index].flag ?? null))
    .map((field) => field.name);
}
