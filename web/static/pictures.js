// The pictures behind a ruling, one a camera; a touch shows one large.

import { cameraName } from "./cameraname.js";
import { html } from "./dom.js";
import { translate } from "./i18n.js";
import { openSheet } from "./sheet.js";

export function evidence(pictures) {
  const names = Object.keys(pictures ?? {});
  if (!names.length) return null;
  return html("section", { class: "evidence", "aria-label": translate("What the cameras saw") },
    ...names.map((name) => {
      const address = `/api/pictures/${pictures[name]}`;
      const camera = cameraName(name);
      const words = translate("What {camera} saw", { camera });
      return html("button", {
        type: "button", class: "picture", "data-key": `picture-${name}`,
        click: () => openSheet(words, [html("img", { src: address, alt: words, class: "large" })]),
      }, html("img", {
        src: address, alt: words, loading: "lazy", decoding: "async",
        error: (event) => event.target.closest(".picture").replaceWith(
          html("p", { class: "quiet" }, translate("The picture of {camera} is no longer kept.", { camera }))),
      }), html("span", { "aria-hidden": "true" }, camera));
    }));
}
