// What is printed on the players' own copy of the game: entered once, card by card, with a picture where that helps.

import { allFits, fields } from "./declaration.js";
import { button, folding, html, redraw } from "./dom.js";
import { translate, translateN } from "./i18n.js";
import { beginCopy, copies, copyForm, putPicture, putRow, removeCopy, removePicture, takeInCopy } from "./session.js";
import { confirmed, openSheet } from "./sheet.js";
import { changed, known, mayAct, ownPlayer, toast } from "./store.js";

const LONGEST_PX = 1400;
const QUALITY = 0.8;

let shown = { part: undefined, list: null, form: null, asked: "", why: "" };
const open = new Set();

export function drawCopies(node, part) {
  const asked = JSON.stringify([part, known.language]);
  if (shown.asked !== asked) {
    shown = { ...shown, asked, part, why: "" };
    load(part);
  }
  const mayEnter = mayAct() && !ownPlayer();
  redraw(node, [part, shown.list, shown.form, shown.why, known.language, mayEnter, Boolean(known.state.choices)], () => part === null ? overview(mayEnter) : copyOf(mayEnter));
}

async function load(part) {
  const answer = part === null ? await copies() : await copyForm(part);
  if (shown.part !== part) return;
  const none = part === null && answer.copies === null;
  shown = { ...shown, why: none ? translate("This game needs nothing entered of its copy.") : answer.ok ? "" : answer.words || translate("No answer from the referee: nothing was done."),
    ...(part === null ? { list: answer.ok ? answer.copies : [] } : { form: answer.ok ? answer : null }) };
  changed();
}

function overview(mayEnter) {
  return [
    html("h1", {}, translate("Your copy of the game")),
    shown.why ? html("p", { class: "lead" }, shown.why)
      : html("p", { class: "lead" }, translate("What is printed on cards and board differs from copy to copy. It is entered once; what is left out is asked for when it is first needed.")),
    shown.list?.length ? html("ul", { class: "copy-list" }, ...shown.list.map(({ id, name }) =>
      html("li", {}, html("a", { class: "button", href: `#/copies/${id}`, "data-key": `copy-${id}` }, name)))) : null,
    mayEnter && !shown.why ? entering() : null,
    mayEnter || shown.why ? null : html("p", { class: "quiet" }, translate("A paired device of the table can enter a copy.")),
  ];
}

let typed = "";

function entering() {
  // What is typed stays, though the list of copies is drawn anew meanwhile.
  const name = html("input", { id: "copy-name", maxlength: 60, required: true, "data-key": "copy-name", value: typed, input: () => { typed = name.value; } });
  const file = html("input", { id: "copy-file", type: "file", accept: ".json,application/json", "data-key": "copy-file", change: (event) => takeIn(event.target) });
  return html("div", { class: "stack" },
    html("form", { class: "form", submit: async (event) => {
      event.preventDefault();
      const answer = await beginCopy(name.value.trim());
      if (answer.ok) {
        typed = "";
        location.hash = `#/copies/${answer.result.id}`;
      } else toast(answer.words, "trouble");
    } }, html("label", { for: "copy-name" }, translate("Name of your copy, such as: Club 1")), name,
    html("button", { type: "submit", class: "main", "data-key": "copy-begin" }, translate("Begin to enter it"))),
    html("div", { class: "form" }, html("label", { for: "copy-file" }, translate("Or take in a file that somebody shared")), file));
}

async function takeIn(input) {
  const [file] = input.files;
  if (!file) return;
  let data = null;
  try {
    data = JSON.parse(await file.text());
  } catch {
    data = null;
  }
  if (data === null || typeof data !== "object" || Array.isArray(data)) {
    toast(translate("{name} holds no copy: choose a file that was shared from this page.", { name: file.name }), "trouble");
    return;
  }
  const answer = await takeInCopy(data);
  if (answer.ok) location.hash = `#/copies/${answer.result.id}`;
  else toast(`${file.name}: ${answer.words}`, "trouble");
}

function copyOf(mayEnter) {
  const { form, why } = shown;
  if (!form) return [html("h1", {}, translate("Your copy of the game")), html("p", { class: "lead" }, why || "…")];
  return [
    html("h1", {}, form.name),
    form.first ? html("p", { class: "lead", id: "copy-first" }, form.first) : null,
    html("p", { class: "lead", id: "copy-gaps" }, form.gaps ? translateN("{n} value is still missing; it is asked for when it is first needed.", "{n} values are still missing; each is asked for when it is first needed.", form.gaps)
      : translate("Everything is entered.")),
    known.state.position?.copy?.copy === form.name && !known.state.finished ? html("p", { class: "hint", id: "copy-under-way" },
      translate("The game under way keeps the values it began with. It asks for what it lacks, and a card it does not know is named there, under “Another card”.")) : null,
    mayEnter && known.state.choices ? html("p", {}, html("a", { class: "button main", href: `#/new/${form.id}`, "data-key": "copy-play" }, translate("Play with this copy"))) : null,
    form.doubts.length ? html("section", { class: "copy-doubts", "aria-label": translate("Hardly right") }, html("h2", {}, translate("Please look again")),
      html("ul", {}, ...form.doubts.map((words) => html("li", {}, words)))) : null,
    ...form.parts.map((part) => drawPart(form, part, mayEnter)),
    html("p", { class: "row" }, html("a", { class: "button", href: `/api/copies/${form.id}/file`, download: `copy-${form.id}.json`, "data-key": "copy-share" }, translate("Save the file to share it")),
      html("a", { class: "button", href: "#/copies", "data-key": "copy-others" }, translate("All copies")),
      mayEnter ? button(translate("Delete this copy"), () => deleteCopy(form), { class: "danger", "data-key": "copy-delete" }) : null),
  ];
}

async function deleteCopy({ id, name }) {
  const words = translate("{name} is deleted with its pictures. Games played with it keep its values.", { name });
  if (!(await confirmed(translate("Delete this copy"), words, translate("Delete this copy"), "danger"))) return;
  const answer = await removeCopy(id);
  if (answer.ok) location.hash = "#/copies";
  else toast(answer.words, "trouble");
}

function drawPart(form, part, mayEnter) {
  const filled = part.rows.length && !part.lacks;
  return folding({ class: "copy-part" }, open.has(part.id), (now) => (now ? open.add(part.id) : open.delete(part.id)), html("summary", { "data-key": `part-${part.id}` }, html("b", {}, part.name),
    html("span", { class: "quiet" }, part.lacks ? translateN("{n} missing", "{n} missing", part.lacks) : filled && part.grows ? String(part.rows.length) : "")),
  html("p", { class: "hint" }, part.explains),
  html("div", { class: "copy-rows" }, ...part.rows.map((row) => html("button", {
    type: "button", class: "copy-row", "data-key": `row-${part.id}-${row.id}`, disabled: !mayEnter, click: () => edit(form, part, row),
  }, html("span", {}, row.name), row.lacks ? html("em", {}, translateN("{n} missing", "{n} missing", row.lacks)) : null))),
  part.grows && mayEnter ? button(translate("One more card"), () => edit(form, part, { id: "+", name: "", values: {} }), { class: "main", "data-key": `add-${part.id}` }) : null);
}

function edit(form, part, row) {
  let values = { ...row.values };
  const place = html("div", { class: "form-fields" });
  const drawn = () => redraw(place, values, () => fields({ fields: part.fields }, values, (id, value, anew = true) => {
    values = { ...values, [id]: value };
    if (anew) drawn();
  }));
  drawn();
  const photo = part.pictured ? photograph(form, part, row) : null;
  let saving = false; // pressed twice a new card would be entered twice
  const save = async (next) => {
    if (saving || !allFits(place)) return;
    saving = true;
    const answer = await putRow(form.id, part.id, row.id, values);
    if (!answer.ok) {
      saving = false;
      toast(answer.words, "trouble");
      return;
    }
    const jpeg = await photo?.taken();
    const kept = jpeg ? await putPicture(form.id, part.id, answer.result.row, jpeg) : answer;
    if (!kept.ok) toast(kept.words, "trouble");
    await load(form.id); // behind the sheet: what is touched after it is as it is now
    shut();
    if (next && shown.form) edit(shown.form, shown.form.parts.find(({ id }) => id === part.id), { id: "+", name: "", values: { kind: values.kind } });
  };
  const shut = openSheet(row.name || part.name, [
    photo?.node, place,
    html("div", { class: "row row-end" },
      part.grows && row.id !== "+" ? button(translate("Take this card out"), () => takeOut(form, part, row), { class: "danger" }) : null,
      part.grows && row.id === "+" ? button(translate("Save and enter the next"), () => save(true), { "data-key": "save-next" }) : null,
      button(translate("Save"), () => save(false), { class: "main", "data-key": "save-row" })),
  ].filter(Boolean));
}

async function takeOut(form, part, row) {
  if (!(await confirmed(translate("Take this card out"), row.name, translate("Take this card out"), "danger"))) return;
  const answer = await putRow(form.id, part.id, row.id, null);
  if (!answer.ok) toast(answer.words, "trouble");
  await load(form.id);
}

// A picture of the card beside which its values are typed, kept with them so that others can look them up.
function photograph(form, part, row) {
  let taken = Promise.resolve(null);
  const has = form.pictures.includes(`${part.id}-${row.id}`);
  const address = `/api/copies/${[form.id, part.id, row.id].map(encodeURIComponent).join("/")}/picture?at=${Date.now()}`;
  const image = html("img", { class: "copy-picture", src: has ? address : null, alt: translate("Picture of {name}", { name: row.name || part.name }), hidden: !has });
  const file = html("input", { type: "file", accept: "image/*", capture: "environment", "data-key": "picture-file", change: async (event) => {
    const [chosen] = event.target.files;
    if (!chosen) return;
    const [before, read] = [taken, smaller(chosen)];
    taken = read.then((jpeg) => jpeg ?? before); // whoever saves at once waits for it
    if (!(await read)) {
      toast(translate("This is no picture that can be read."), "trouble");
      return;
    }
    URL.revokeObjectURL(image.src);
    image.src = URL.createObjectURL(chosen);
    image.hidden = false;
  } });
  const remove = button(translate("Remove the picture"), async () => {
    const answer = await removePicture(form.id, part.id, row.id);
    if (!answer.ok) {
      toast(answer.words, "trouble");
      return;
    }
    await load(form.id);
    image.hidden = true;
    remove.hidden = true;
  }, { hidden: !has, "data-key": "picture-remove" });
  const node = html("div", { class: "stack" }, image, remove, html("label", { class: "form-text" }, html("span", {}, translate("Photograph it (optional)")), file),
    html("p", { class: "hint" }, translate("All that is in this picture is kept: nobody should be in it.")));
  return { node, taken: () => taken };
}

// A picture as JPEG in Base64, small enough to be sent; null where it is none.
async function smaller(file) {
  try {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, LONGEST_PX / Math.max(bitmap.width, bitmap.height));
    const canvas = html("canvas", { width: Math.round(bitmap.width * scale), height: Math.round(bitmap.height * scale) });
    canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL("image/jpeg", QUALITY).split(",")[1] || null;
  } catch {
    return null;
  }
}
