// Before anything is drawn: the theme, the language and the way the page lies, so that nothing jumps. And what the page
// will draw is asked for while its scripts are still on their way.
(() => {
  const kept = (key) => {
    try {
      return localStorage.getItem(`referee-${key}`);
    } catch {
      return null;
    }
  };
  const keepLanguage = (tag) => {
    try {
      localStorage.setItem("referee-language", tag);
    } catch {
      // A browser that remembers nothing still plays.
    }
  };
  const root = document.documentElement;
  // A television has no hands to choose with, and where tables are lent no script runs: there the address says it.
  const inHall = ["/hall", "/wait"].includes(location.pathname);
  const screen = /^\/(watch$|wall$|table\/|overlay\/)/.test(location.pathname);
  const asked = new URLSearchParams(inHall || screen ? location.search : "");
  const theme = asked.get("theme") ?? kept("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = theme === "light" || theme === "dark" ? theme : dark ? "dark" : "light";
  const known = JSON.parse(root.dataset.languages ?? "[]").map(([tag]) => tag);
  const first = (tag) => String(tag).split("-")[0];
  const near = (tag) => known.find((one) => one === tag) ?? known.find((one) => one === first(tag)) ?? known.find((one) => first(one) === first(tag));
  const wanted = [asked.get("lang"), kept("language"), ...(navigator.languages ?? [])];
  // A page whose words the referee chose says so itself: a voice reads it in that language.
  if (!root.hasAttribute("data-worded")) root.lang = wanted.map(near).find(Boolean) ?? "en";
  root.toggleAttribute("data-overlay", asked.has("overlay") || location.pathname.startsWith("/overlay/"));
  root.dataset.face = ["1", "2", "3"].includes(kept("face")) ? kept("face") : "0";
  if (inHall && known.includes(asked.get("lang") ?? "")) keepLanguage(root.lang); // for the table, later
  if (location.pathname !== "/" || root.hasAttribute("data-worded")) return; // the first page is whole as it comes
  const ask = (address) => fetch(`${address}?lang=${root.lang}`).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
  globalThis.early = { language: root.lang, words: root.lang === "en" ? null : ask("/api/words"), state: ask("/api/state") };
})();
