// Before anything is drawn: the theme, the language and the way the page lies, so that nothing jumps.
(() => {
  const kept = (key) => {
    try {
      return localStorage.getItem(`referee-${key}`);
    } catch {
      return null;
    }
  };
  const root = document.documentElement;
  const theme = kept("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = theme === "light" || theme === "dark" ? theme : dark ? "dark" : "light";
  const known = ["en", "de", "fr"];
  const wanted = [kept("language"), ...(navigator.languages ?? [])].map((tag) => String(tag).slice(0, 2));
  root.lang = wanted.find((tag) => known.includes(tag)) ?? "en";
  root.dataset.face = ["1", "2", "3"].includes(kept("face")) ? kept("face") : "0";
})();
