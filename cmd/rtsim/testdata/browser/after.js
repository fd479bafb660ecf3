// Put behind everything else in a copy of the report: does what a person does, and tells the
// page around it, as JSON, what there is to see then. The test judges.
"use strict";
(function () {
  var all = function (selector, from) {
    return Array.from((from || document).querySelectorAll(selector));
  };
  var isShown = function (e) { return getComputedStyle(e).display !== "none"; };
  var seen = { width: window.innerWidth, pageWidth: document.documentElement.scrollWidth,
    dark: matchMedia("(prefers-color-scheme: dark)").matches, sorts: [], toggles: [] };

  all("#results th button").forEach(function (button, column) {
    ["ascending", "descending"].forEach(function (way) {
      button.click();
      seen.sorts.push({ column: column, way: way,
        marked: all("#results th").map(function (h) { return h.getAttribute("aria-sort") || ""; }),
        designs: all("#results tbody tr").map(function (r) { return r.cells[0].textContent; }),
        cells: all("#results tbody tr").map(function (r) { return r.cells[column].textContent; }) });
    });
  });

  // hidden is, of each figure, what of each series is not shown.
  var hidden = function () {
    return all("figure[data-names]").map(function (figure) {
      return figure.dataset.names.split(" ").map(function (name, i) {
        var parts = all(".s" + i, figure);
        return { design: name, parts: parts.length,
          hidden: parts.filter(function (e) { return !isShown(e); }).length };
      });
    });
  };
  all("#shown input").forEach(function (box) {
    box.click();
    var off = hidden();
    box.click();
    seen.toggles.push({ design: box.value, off: off, on: hidden() });
  });
  seen.togglesShown = isShown(document.getElementById("shown"));

  // The least contrast of a text with the page, by WCAG's formula.
  var channels = function (colour) { return colour.match(/[0-9.]+/g).map(Number); };
  var luminance = function (colour) {
    var c = channels(colour).slice(0, 3).map(function (v) {
      v /= 255;
      return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4);
    });
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
  };
  var behind = function (e) {
    for (; e; e = e.parentElement) {
      var colour = getComputedStyle(e).backgroundColor, c = channels(colour);
      if (c.length === 3 || c[3] === 1) { return colour; }
    }
    return "rgb(255, 255, 255)";
  };
  // under is what a figure is filled with below the middle of a text; "" the page.
  var areas = new Map();
  var under = function (text) {
    var svg = text.closest("svg");
    if (!areas.has(svg)) {
      areas.set(svg, all("path", svg).filter(function (path) {
        return getComputedStyle(path).fill !== "none";
      }).map(function (path) { return { path: path, box: path.getBoundingClientRect() }; }));
    }
    var box = text.getBoundingClientRect();
    var x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2, found = "";
    areas.get(svg).forEach(function (area) {
      var after = area.path.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING;
      var b = area.box;
      if (after && b.left <= x && x <= b.right && b.top <= y && y <= b.bottom) {
        found = getComputedStyle(area.path).fill;
      }
    });
    return found;
  };
  seen.contrast = 21;
  all("body *").forEach(function (e) {
    var own = Array.from(e.childNodes).some(function (n) {
      return n.nodeType === Node.TEXT_NODE && n.data.trim() !== "";
    });
    if (!own || e.closest("script, title, desc")) { return; }
    var style = getComputedStyle(e);
    var isDrawn = e.closest("svg");
    var a = luminance(isDrawn ? style.fill : style.color);
    var b = luminance((isDrawn ? under(e) : "") || behind(e));
    var ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < seen.contrast) { seen.contrast = ratio; seen.faintest = e.textContent; }
  });

  all("details").forEach(function (d) { d.open = true; });
  seen.wide = document.documentElement.scrollWidth;
  seen.loads = performance.getEntriesByType("resource").map(function (e) { return e.name; });
  seen.complaints = complaints;
  parent.postMessage(JSON.stringify(seen), "*");
}());
