// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
//
// What the page does beyond being read: sorting, the maps, dark and light, copying, printing.
"use strict";
(() => {
  const root = document.documentElement;
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  root.classList.add("scripted");

  // Every part of the page stands for itself: one that fails is reported and takes no other with it.
  const parts = [];
  const part = (start) => parts.push(start);

  // Dark and light: the system's choice until the reader makes another.
  const systemDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme || (systemDark.matches ? "dark" : "light")) === "dark";
  part(() => {
    const button = document.getElementById("theme");
    const nameTheme = () => { button.textContent = isDark() ? "Light" : "Dark"; };
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      nameTheme();
    });
    systemDark.addEventListener("change", nameTheme);
    nameTheme();
  });

  // Sorting, within each protocol: rows of different protocols are never compared. Rows that lack the
  // number stay at the end either way.
  const compare = (key, sign) => (left, right) => {
    const a = left.dataset[key], b = right.dataset[key];
    if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
    const numeric = key !== "name" && key !== "state";
    return sign * (numeric ? a - b : a.localeCompare(b));
  };

  function sortBy(button) {
    const head = button.closest("th");
    const opposite = { ascending: "descending", descending: "ascending" };
    const order = opposite[head.getAttribute("aria-sort")] || button.dataset.first;
    all("th[aria-sort]", head.parentNode).forEach((th) => th.setAttribute("aria-sort", "none"));
    head.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    for (const body of head.closest("table").tBodies) {
      const rows = [...body.rows].filter((row) => !row.classList.contains("protocol"));
      body.append(...rows.sort(compare(button.dataset.key, sign)));
    }
  }
  const onClick = (selector, act) =>
    part(() => all(selector).forEach((button) => button.addEventListener("click", () => act(button))));
  onClick("button.sort", sortBy);

  // Copying; where the clipboard is refused, the text is selected for the reader to copy.
  async function copy(button) {
    const code = button.parentNode.querySelector("code");
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  }
  onClick("button.copy", copy);

  // Rows: a link to one opens it, the button opens or closes all, and paper shows all of them. Names of
  // rows are plain ASCII, so an address needs no decoding, which throws for one like "#100%".
  function openTarget() {
    const target = document.getElementById(location.hash.slice(1));
    if (target && target.tagName === "DETAILS") {
      target.open = true;
      target.scrollIntoView();
    }
  }
  part(() => addEventListener("hashchange", openTarget));
  part(openTarget);

  onClick("button.open-all", (button) => {
    const rows = all("details.row", button.closest("section"));
    const open = rows.some((row) => !row.open);
    rows.forEach((row) => { row.open = open; });
    button.textContent = open ? "Close all" : "Open all";
  });

  part(() => {
    let closedBefore = [];
    matchMedia("print").addEventListener("change", (event) => {
      if (event.matches) closedBefore = all("details:not([open])");
      closedBefore.forEach((details) => { details.open = event.matches; });
    });
  });

  // Maps.
  class PointMap {
    constructor(figure) {
      this.svg = figure.querySelector("svg");
      this.ring = figure.querySelector(".ring");
      this.tip = figure.querySelector(".tip");
      this.sheet = figure.closest("article").dataset;
      this.data = JSON.parse(figure.querySelector("script").textContent);
      this.current = -1;
      this.svg.addEventListener("pointermove", (event) => this.pointed(event));
      this.svg.addEventListener("pointerdown", (event) => this.pointed(event));
      this.svg.addEventListener("pointerleave", () => this.hide());
      this.svg.addEventListener("focus", () => this.show(Math.max(this.current, 0)));
      this.svg.addEventListener("blur", () => this.hide());
      this.svg.addEventListener("keydown", (event) => this.pressed(event));
    }

    // The point with the least cost; -1 where all are infinite.
    best(cost) {
      let best = -1, least = Infinity;
      for (let i = 0; i < this.data.x.length; ++i) {
        const here = cost(this.data.x[i], this.data.y[i], i);
        if (here < least) { least = here; best = i; }
      }
      return best;
    }

    pointed(event) {
      const box = this.svg.getBoundingClientRect();
      const scale = 1000 / box.width;
      const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
      const reach = 14 * scale;
      const nearest = this.best((px, py) => {
        const distance = Math.hypot(px - x, py - y);
        return distance <= reach ? distance : Infinity;
      });
      if (nearest < 0) this.hide(); else this.show(nearest);
    }

    // The nearest point within the quarter that the arrow shows; sideways costs double.
    towards(dx, dy) {
      const x0 = this.data.x[this.current], y0 = this.data.y[this.current];
      return this.best((x, y) => {
        const along = (x - x0) * dx + (y - y0) * dy;
        const aside = Math.abs((x - x0) * dy) + Math.abs((y - y0) * dx);
        return along > 0 && aside <= along ? along + 2 * aside : Infinity;
      });
    }

    pressed(event) {
      const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      let next = -1;
      if (event.key === "Escape") return this.hide();
      if (event.key === "Home") next = 0;
      else if (event.key === "End") next = this.data.x.length - 1;
      else if (arrows[event.key]) next = this.towards(...arrows[event.key]);
      else return;
      event.preventDefault();
      this.show(next < 0 ? this.current : next);
    }

    words(i) {
      const { point, found, truth, placed } = this.data;
      const lines = ["Point " + point[i], "cluster " + found[i]];
      if (truth.length) {
        lines.push("class " + truth[i]);
        if (placed[i] !== truth[i]) {
          lines.push(placed[i] === null ? "wrong: no class" : "wrong: with class " + placed[i]);
        }
      }
      return lines;
    }

    picture(i) {
      const { sheet, count, columns, width, height } = this.sheet;
      const point = this.data.point[i];
      if (!sheet || point >= count) return [];
      const picture = document.createElement("span");
      picture.className = "thumb " + sheet;
      const x = -(point % columns) * width, y = -Math.floor(point / columns) * height;
      picture.style.backgroundPosition = x + "px " + y + "px";
      return [picture];
    }

    show(i) {
      if (i === this.current && this.tip.hasChildNodes()) return;
      this.current = i;
      const x = this.data.x[i], y = this.data.y[i];
      this.ring.setAttribute("cx", x);
      this.ring.setAttribute("cy", y);
      this.ring.setAttribute("visibility", "visible");
      const list = document.createElement("span");
      this.words(i).forEach((line) => {
        list.append(Object.assign(document.createElement("span"), { textContent: line }));
      });
      this.tip.replaceChildren(...this.picture(i), list);
      this.tip.classList.toggle("left", x > 500);
      this.tip.classList.toggle("above", y > 500);
      this.tip.style.left = x / 10 + "%";
      this.tip.style.top = y / 10 + "%";
    }

    hide() {
      this.tip.replaceChildren();
      this.ring.setAttribute("visibility", "hidden");
    }
  }
  all("figure.map").forEach((figure) => part(() => new PointMap(figure)));

  for (const start of parts) {
    try { start(); } catch (error) { reportError(error); }
  }
})();
