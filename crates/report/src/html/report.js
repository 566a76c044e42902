// What a report does beyond lying there: themes, curves that can be picked and read off, copying, printing.
// Everything is readable without it.
(() => {
  "use strict";
  const root = document.documentElement;
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // Light or dark: as the system says, until somebody chooses.
  const remembered = () => { try { return localStorage.getItem("tumble-theme"); } catch { return null; } };
  const wanted = new URLSearchParams(location.search).get("theme") ?? remembered();
  if (wanted === "dark" || wanted === "light") root.dataset.theme = wanted;
  const isDark = () => root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  for (const button of all(".theme")) {
    const name = () => { button.textContent = isDark() ? "Light" : "Dark"; };
    button.hidden = false;
    name();
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      try { localStorage.setItem("tumble-theme", root.dataset.theme); } catch { /* a private window */ }
      name();
    });
  }

  // A click on entries of a legend dims all other curves.
  for (const figure of all("figure.chart")) {
    const buttons = all(".legend button", figure);
    for (const button of buttons) {
      button.addEventListener("click", () => {
        button.ariaPressed = button.ariaPressed === "true" ? "false" : "true";
        const picked = new Set(buttons.filter((b) => b.ariaPressed === "true").map((b) => b.dataset.key));
        figure.classList.toggle("picked", picked.size > 0);
        for (const series of all(".series", figure)) {
          series.classList.toggle("on", picked.has(series.dataset.key));
        }
      });
    }
  }

  // Points as drawn: those of lines, and the first of each marker or bar.
  const numbers = (text) => text.trim().split(/[\s,]+/).map(Number);
  const read = (series) => {
    const points = [];
    for (const path of all("path.line, path.dots, path.bars", series)) {
      const pattern = path.classList.contains("line") ? /[ML](-?[\d.]+) (-?[\d.]+)/g : /M(-?[\d.]+) (-?[\d.]+)/g;
      for (const [, x, y] of path.getAttribute("d").matchAll(pattern)) points.push([+x, +y]);
    }
    return points;
  };
  const superscript = (text) => text.replace(/[-\d]/g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]));
  const digits = (value, count) => {
    const text = String(+value.toPrecision(count));
    const size = Math.abs(value);
    const plain = size === 0 || (size >= 1e-3 && size < 1e6);
    return (plain ? text : (+text).toExponential()).replace(/e\+?(-?\d+)/, (_, power) => "×10" + superscript(power)).replace(/^-/, "−");
  };
  // From a place along an axis back to its value, or to its name.
  const axis = (data, label, names) => {
    const [kind, low, high] = data.split(" ");
    return (part) => {
      const at = +low + part * (high - low);
      if (kind === "names") return names[Math.round(at)]?.textContent ?? "";
      // No more than can be told from a drawing.
      const least = Math.abs(high - low) * 1e-4;
      const value = kind === "log" ? digits(10 ** at, 3) : digits(Math.round(at / least) * least, 6);
      return label ? `${label}: ${value}` : value;
    };
  };

  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  document.body.append(tip);
  for (const svg of all("svg.plot")) {
    const panel = svg.querySelector(".panel");
    if (!panel) continue;
    const { frame, x, y, xLabel, yLabel } = panel.dataset;
    const [left, top, width, height] = numbers(frame);
    const xAxis = axis(x, xLabel, all(".names-x text", panel));
    const yAxis = axis(y, yLabel, all(".names-y text", panel));
    const ring = document.createElementNS(svg.namespaceURI, "circle");
    ring.setAttribute("class", "ring");
    ring.setAttribute("r", 6);
    let curves;
    const hide = () => { tip.hidden = true; ring.remove(); };
    svg.addEventListener("pointerleave", hide);
    svg.addEventListener("pointermove", (event) => {
      curves ??= all(".series", panel).map((series) => ({ series, points: read(series) }));
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      const dimmed = svg.closest(".picked") !== null;
      let best = null, nearest = 28 ** 2;
      for (const { series, points } of curves) {
        if (dimmed && !series.classList.contains("on")) continue;
        for (const [px, py] of points) {
          if (px < left - 1 || px > left + width + 1 || py < top - 1 || py > top + height + 1) continue;
          const distance = (px - at.x) ** 2 + (py - at.y) ** 2;
          if (distance <= nearest) { nearest = distance; best = { series, px, py }; }
        }
      }
      if (!best) return hide();
      ring.setAttribute("cx", best.px);
      ring.setAttribute("cy", best.py);
      panel.append(ring);
      const name = document.createElement("b");
      name.textContent = best.series.dataset.name;
      const lines = [xAxis((best.px - left) / width), yAxis(1 - (best.py - top) / height)];
      tip.replaceChildren(name, lines[0], document.createElement("br"), lines[1]);
      tip.hidden = false;
      const box = tip.getBoundingClientRect();
      const beyond = event.clientX + 16 + box.width > innerWidth;
      tip.style.left = `${Math.max(4, beyond ? event.clientX - box.width - 14 : event.clientX + 16)}px`;
      tip.style.top = `${Math.max(4, event.clientY - box.height - 10)}px`;
    });
  }

  for (const button of all(".copy")) {
    if (!navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.parentElement.querySelector("pre").textContent.trim());
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  }

  // On paper nothing can be unfolded.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = all("details:not([open])");
    for (const details of folded) details.open = true;
  });
  addEventListener("afterprint", () => { for (const details of folded) details.open = false; });
})();
