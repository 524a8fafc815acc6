// The page of a whole game: steps through the record, shows each step's pictures when it is there, draws the charts.
// It runs alone in the page that referee/report/sessionpage.py makes; everything it shows is in the block "game".

(() => {
  const game = JSON.parse(document.getElementById("game").textContent);
  const { steps, players, words } = game;
  const byId = (id) => document.getElementById(id);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let at = 0;
  let playing = 0;
  let marks = [];

  function html(name, attributes, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "click") node.addEventListener("click", value);
      else if (value !== null) node.setAttribute(key, value);
    }
    node.append(...children.filter((child) => child !== null && child !== ""));
    return node;
  }

  const paint = (place) => (dark.matches ? players[place].dark : players[place].light);

  function painted() {
    for (const node of document.querySelectorAll("[data-player]")) {
      node.style.setProperty("--own", paint(Number(node.dataset.player)));
    }
  }

  // A picture as the browser wants it, made from its block when it is first asked for.
  function address(content) {
    const block = byId(`p-${content}`);
    return block ? `data:image/jpeg;base64,${block.textContent}` : null;
  }

  function shown(camera, content) {
    const source = address(content);
    if (!source) return html("p", { class: "soft" }, document.readyState === "loading" ? "…" : `${camera} – ${words.gone}`);
    const image = html("img", { src: source, alt: camera, decoding: "async" });
    return html("figure", {}, html("button", { type: "button", "aria-label": `${camera}, ${words.large}`, click: () => large(source, camera) }, image),
      html("figcaption", {}, camera));
  }

  function large(source, camera) {
    const dialog = html("dialog", { "aria-label": camera }, html("img", { src: source, alt: camera }),
      html("button", { type: "button", class: "step", click: () => dialog.close() }, words.close));
    dialog.addEventListener("close", () => dialog.remove());
    dialog.addEventListener("click", () => dialog.close());
    document.body.append(dialog);
    dialog.showModal();
  }

  const clock = (seconds) => (seconds >= 60 ? `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, "0")} min` : `${Math.round(seconds)} s`);

  function told(step) {
    const who = step.player === null || step.player === undefined ? null
      : html("span", {}, html("span", { class: "dot", "data-player": step.player }), players[step.player].name);
    return [
      html("h3", {}, step.title, who ? " · " : "", who),
      step.said ? html("p", {}, html("span", { class: `verdict ${step.verdict}` }, step.said), step.fate ? `, ${step.fate}` : "") : null,
      ...(step.rules ?? []).map(([sentence, where]) => html("p", {}, sentence, " ", html("cite", {}, where))),
      step.acts ? html("p", {}, html("code", {}, step.acts)) : null,
      step.open ? html("p", { class: "soft" }, step.open) : null,
      step.sightless ? html("p", {}, step.sightless) : null,
      step.took === null || step.took === undefined ? null : html("p", { class: "soft" }, words.took.replace("{time}", clock(step.took))),
    ].filter(Boolean);
  }

  function show(index) {
    at = Math.max(0, Math.min(steps.length - 1, index));
    const step = steps[at];
    // Drawings come from the page's own block, made by the referee with everything people wrote escaped.
    byId("board").innerHTML = step.board.map((piece) => game.drawn[piece]).join("");
    if (!step.board.length) byId("board").replaceChildren(html("pre", {}, step.text));
    byId("told").replaceChildren(...told(step));
    byId("pictures").replaceChildren(...(step.pictures ?? []).map(([camera, content]) => shown(camera, content)));
    byId("slider").value = at;
    byId("count").textContent = `${at} / ${steps.length - 1}`;
    painted();
    for (const mark of marks) mark();
  }

  function controls() {
    const step = (sign, label, to) => html("button", { type: "button", class: "step", "aria-label": label, title: label, click: () => { stop(); show(to()); } }, sign);
    const slider = byId("slider");
    slider.max = steps.length - 1;
    slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
    slider.before(step("«", words.first, () => 0), step("‹", words.back, () => at - 1));
    const play = html("button", { type: "button", class: "step", id: "play", "aria-label": words.play, title: words.play, click: toggle }, "▶");
    slider.after(step("›", words.next, () => at + 1), step("»", words.last, () => steps.length - 1), play, html("output", { id: "count", for: "slider" }));
  }

  function toggle() {
    if (playing) { stop(); return; }
    if (at === steps.length - 1) show(0);
    playing = setInterval(() => { show(at + 1); if (at === steps.length - 1) stop(); }, 1200);
    named(words.stop, "■");
  }

  function stop() {
    clearInterval(playing);
    playing = 0;
    named(words.play, "▶");
  }

  function named(label, sign) {
    const play = byId("play");
    play.textContent = sign;
    play.title = label;
    play.setAttribute("aria-label", label);
  }

  function asked() {
    byId("asked").append(...game.asked.map((one) => html("li", {},
      html("button", { type: "button", click: () => { stop(); show(one.step); scrollTo({ top: 0 }); } }, steps[one.step].title),
      one.words, one.said ? ` ${one.said}` : "")));
  }

  // Charts: x counts the turns from which the game went on, and a click goes to one of them.
  const LINES = [["#1258b8", "#8cbcff"], ["#a8231d", "#ff9a8a"], ["#1f6b43", "#7fcf9f"], ["#8a5200", "#f5bf63"]];
  const DASHES = [[], [7, 4], [2, 3], [10, 3, 2, 3]];
  const counted = steps.map((step, index) => [step.counts && step.verdict !== undefined && step.verdict !== "", index]).filter(([counts]) => counts).map(([, index]) => index);

  function series(chart, [player, label], number) {
    const own = player === null ? LINES[number % LINES.length][dark.matches ? 1 : 0] : paint(player);
    const named_ = player === null ? label : players[player].name;
    const shape = chart.kind === "bars" ? { paths: uPlot.paths.bars({ size: [0.8, 30] }), fill: own, points: { show: false } }
      : { paths: uPlot.paths.stepped({ align: 1 }), dash: DASHES[number % DASHES.length], points: { show: true, size: 5, fill: own } };
    return { label: named_, stroke: own, width: chart.kind === "bars" ? 0 : 3, spanGaps: false, value: (_, value) => (value === null || value === undefined ? "–" : `${value}${chart.unit ? ` ${chart.unit}` : ""}`), ...shape };
  }

  function drawn(node, chart) {
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--soft");
    const line = style.getPropertyValue("--line");
    const turns = chart.lines[0][2].map((_, index) => index + 1);
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line }, font: "13px sans-serif" };
    const whole = (_, splits) => splits.map((value) => (Number.isInteger(value) ? value : null));
    const roomFor = (_, told) => Math.max(46, 20 + 9 * Math.max(0, ...(told ?? []).map((one) => String(one ?? "").length)));
    const plot = new uPlot({
      width: node.clientWidth, height: 230, cursor: { y: false, drag: { x: false, y: false } },
      scales: { x: { time: false, range: [0.4, turns.length + 0.6] }, y: { range: (_, low, high) => [Math.min(0, low), Math.max(1, high * 1.08)] } },
      axes: [{ ...axis, values: whole }, { ...axis, ...(chart.unit ? {} : { values: whole }), size: roomFor }],
      series: [{ label: words.turn }, ...chart.lines.map((one, number) => series(chart, one, number))],
      hooks: { draw: [(self) => marked(self, style.getPropertyValue("--mark"))] },
    }, [turns, ...chart.lines.map(([, , values]) => values)], node);
    plot.over.addEventListener("click", () => {
      const index = plot.cursor.idx;
      if (index !== null && index !== undefined) { stop(); show(counted[index]); }
    });
    marks.push(() => plot.redraw(false));
    return plot;
  }

  // Where the replay stands, as a line in every chart.
  function marked(plot, colour) {
    const turn = counted.filter((index) => index <= at).length;
    if (!turn) return;
    const x = Math.round(plot.valToPos(turn, "x", true));
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.strokeStyle = colour;
    ctx.setLineDash([4, 4]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  }

  // The same numbers for those who don't see the chart, made when they are asked for: a long game has thousands of rows.
  function table(chart) {
    const folded = html("details", {}, html("summary", {}, words.as_table));
    folded.addEventListener("toggle", () => folded.append(rows(chart)), { once: true });
    return folded;
  }

  function rows(chart) {
    const names = chart.lines.map(([player, label]) => (player === null ? label : players[player].name));
    const turns = chart.lines[0][2].map((_, turn) => html("tr", {}, html("th", { scope: "row" }, String(turn + 1)),
      ...chart.lines.map(([, , values]) => html("td", {}, values[turn] === null ? "–" : String(values[turn])))));
    return html("div", { class: "wide" }, html("table", {},
      html("thead", {}, html("tr", {}, html("th", { scope: "col" }, words.turn), ...names.map((name) => html("th", { scope: "col" }, name)))),
      html("tbody", {}, ...turns)));
  }

  function charts() {
    const node = byId("charts");
    if (!node) return;
    marks = [];
    node.replaceChildren();
    const places = game.charts.map((chart) => {
      const place = html("div", { role: "img", "aria-label": chart.title });
      node.append(html("article", { class: "chart" }, html("h3", {}, chart.unit ? `${chart.title} (${chart.unit})` : chart.title), place, table(chart)));
      return place;
    });
    places.forEach((place, number) => { drawn(place, game.charts[number]); });
  }

  document.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLInputElement || document.querySelector("dialog[open]")) return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) { stop(); show(at + by); }
  });
  let wide = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== wide) { wide = innerWidth; charts(); } });
  dark.addEventListener("change", () => { charts(); show(at); });
  // The pictures come after this script, so that the page stands before they are there.
  document.addEventListener("DOMContentLoaded", () => show(at));
  controls();
  asked();
  show(steps.length - 1);
  requestAnimationFrame(() => { charts(); document.documentElement.dataset.ready = "yes"; });
})();
