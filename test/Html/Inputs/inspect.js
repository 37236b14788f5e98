// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Run by browser.py in a loaded page: measures what is laid out and returns a
// list of what is wrong. The page itself has no script.
(() => {
  const wrong = [];
  const say = (what, element) => wrong.push(
      what + ": <" + element.tagName.toLowerCase() +
      (element.getAttribute("class") ? "." + element.getAttribute("class") : "") +
      "> " + (element.textContent || "").trim().slice(0, 40));
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const box = e => e.getBoundingClientRect();
  const folded = e => {
    const d = e.closest("details:not([open])");
    return d && !(e.closest("summary") && e.closest("summary").parentNode === d);
  };
  const width = document.documentElement.clientWidth;

  // The page does not scroll sideways; what may is in a box of its own.
  if (document.documentElement.scrollWidth > width)
    wrong.push("the page is wider than the window: " +
               document.documentElement.scrollWidth + " > " + width);
  for (const e of all("h1, h2, h3, p, li, table, figure, svg, summary, .card, .badge, pre")) {
    if (folded(e) || e.closest(".skip")) continue;
    const b = box(e);
    if (b.width < 1 || b.height < 1) say("not laid out", e);
    if (!e.closest(".scroll, .excerpt") && (b.left < -0.5 || b.right > width + 0.5))
      say("beyond the window", e);
  }

  // On a phone code has one column. A refusal says what to do.
  for (const e of width <= 640 ? all(".diff td:not(.n)") : [])
    if (!folded(e) && box(e).width && box(e).width < 0.7 * width) say("two columns of code", e);
  for (const e of all(".plan .diagnostic.warning"))
    if (!e.querySelector(".cure")) say("no cure", e);

  // Contrast of text with what is behind it (WCAG 2.1, 1.4.3).
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
  const known = new Map();
  const rgb = color => {
    if (!known.has(color)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      known.set(color, canvas.getImageData(0, 0, 1, 1).data);
    }
    return known.get(color);
  };
  const luminance = c => [0.2126, 0.7152, 0.0722].reduce((sum, weight, i) => {
    const v = c[i] / 255;
    return sum + weight * (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  }, 0);
  const contrast = (a, b) => {
    const [x, y] = [luminance(rgb(a)), luminance(rgb(b))].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const behind = e => {
    for (; e; e = e.parentElement) {
      const color = getComputedStyle(e).backgroundColor;
      if (rgb(color)[3] === 255) return color;
    }
    return "white";
  };
  const told = new Set();
  const compare = (e, front, back) => {
    const value = contrast(front, back), key = front + back;
    if (value < 4.5 && !told.has(key)) {
      told.add(key);
      say("contrast " + value.toFixed(2) + " of " + front + " on " + back, e);
    }
  };
  for (const e of all("body *")) {
    if (folded(e) || e.closest("svg")) continue;
    if ([...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
      compare(e, getComputedStyle(e).color, behind(e));
  }
  for (const e of all("svg text")) {
    const bar = e.matches(".bar-label") ? e.previousElementSibling : null;
    const steady = e.matches(".phase-label") && e.previousElementSibling.matches(".steady")
        ? e.previousElementSibling : null;
    compare(e, getComputedStyle(e).fill,
            bar || steady ? getComputedStyle(bar || steady).fill : behind(e.closest("svg")));
  }

  // Words of a drawing are inside of it and apart from each other.
  for (const svg of all("svg")) {
    const frame = box(svg), words = all("text", svg);
    words.forEach((t, i) => {
      const b = box(t);
      if (b.left < frame.left - 0.5 || b.right > frame.right + 0.5 ||
          b.top < frame.top - 0.5 || b.bottom > frame.bottom + 0.5)
        say("word outside of its drawing", t);
      for (const u of words.slice(i + 1)) {
        const c = box(u);
        const x = Math.min(b.right, c.right) - Math.max(b.left, c.left);
        const y = Math.min(b.bottom, c.bottom) - Math.max(b.top, c.top);
        if (x > 1 && y > 4) say("words overlap: '" + t.textContent + "' and", u);
      }
    });
  }

  // Points and cliffs are where their numbers say, by the axes' own ticks.
  const scale = (svg, selector, key, attribute) => {
    const ticks = all(selector, svg), a = ticks[0], b = ticks[ticks.length - 1];
    const at = t => t.getAttribute(attribute) - (attribute === "y" ? 4 : 0);
    const slope = (at(b) - at(a)) / (b.dataset[key] - a.dataset[key]);
    return value => +at(a) + (value - a.dataset[key]) * slope;
  };
  const middle = e => {
    const b = box(e), p = new DOMPoint((b.left + b.right) / 2, (b.top + b.bottom) / 2);
    return p.matrixTransform(e.ownerSVGElement.getScreenCTM().inverse());
  };
  for (const svg of all(".budget svg")) {
    const x = scale(svg, ".tx", "bytes", "x"), y = scale(svg, ".ty", "blocks", "y");
    const curve = svg.querySelector(".curve");
    for (const point of all(".point", svg)) {
      const at = middle(point);
      if (Math.abs(at.x - x(+point.dataset.bytes)) > 1 ||
          Math.abs(at.y - y(+point.dataset.blocks)) > 1)
        say("point in the wrong place", point);
      const on = svg.createSVGPoint();
      on.x = at.x;
      on.y = at.y;
      if (!curve.isPointInStroke(on)) say("point not on the curve", point);
    }
    for (const cliff of all(".cliff", svg))
      if (Math.abs(middle(cliff).x - x(+cliff.dataset.bytes)) > 1)
        say("cliff in the wrong place", cliff);
    if (!all(".point.after, .where.after", svg).length) say("no point", svg);
  }

  // A pipeline: nothing is twice in one place, tiles are computed in order, and
  // but for the first, a tile is on its way while an earlier one is computed.
  for (const svg of all(".timeline svg")) {
    const bars = all(".bar", svg).map(e => ({e, b: box(e), tile: +e.dataset.tile}));
    bars.forEach((p, i) => bars.slice(i + 1).forEach(q => {
      if (Math.min(p.b.right, q.b.right) - Math.max(p.b.left, q.b.left) > 2 &&
          Math.min(p.b.bottom, q.b.bottom) - Math.max(p.b.top, q.b.top) > 2)
        say("bars overlap", q.e);
    }));
    const computes = bars.filter(p => p.e.matches(".compute"))
                         .sort((p, q) => p.b.left - q.b.left);
    computes.forEach((p, i) => { if (p.tile !== i) say("tile out of order", p.e); });
    for (const load of bars.filter(p => p.e.matches(".flight, .registers") && p.tile > 0))
      if (!computes.some(c => c.tile < load.tile && c.b.left < load.b.right &&
                              load.b.left < c.b.right))
        say("load that no compute hides", load.e);
    if (!computes.length) say("no compute", svg);
  }

  // Columns of all tables of a source are one above the other.
  for (const diff of all(".diff")) {
    const lefts = all("table", diff).filter(t => !folded(t)).map(t => {
      const cells = t.rows[1].cells;
      return Math.round(box(cells[2]).left);
    });
    if (new Set(lefts).size > 1) say("columns do not align: " + lefts, diff);
  }
  return wrong;
})()
