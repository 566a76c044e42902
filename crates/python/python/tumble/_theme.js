// Runs in a notebook, after a frame with the viewer: tells the page in it whether the notebook is light or dark. The page
// cannot see that by itself, and the notebook need not be as the system is.
(() => {
  const frames = () => document.querySelectorAll("iframe[data-tumble-view]");
  const theme = () => {
    const frame = frames()[0];
    for (let around = frame?.parentElement; around; around = around.parentElement) {
      const [r, g, b, opacity = 1] = (getComputedStyle(around).backgroundColor.match(/[\d.]+/g) ?? []).map(Number);
      if (b !== undefined && opacity > 0.5) return 0.299 * r + 0.587 * g + 0.114 * b < 128 ? "dark" : "light";
    }
    return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  };
  const tell = () => frames().forEach((frame) => frame.contentWindow?.postMessage({ tumbleTheme: theme() }, "*"));
  frames().forEach((frame) => frame.addEventListener("load", tell));
  // A frame may have been loaded before this script runs, and a notebook may change its colours later.
  tell();
  const changes = { attributes: true, attributeFilter: ["class", "style", "theme", "data-jp-theme-light", "data-theme"] };
  for (const part of [document.documentElement, document.body]) new MutationObserver(() => setTimeout(tell)).observe(part, changes);
})();
