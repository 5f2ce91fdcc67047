// The list of prices. Rows are updated in place so that nothing flickers and the focus is preserved.
import { post } from "./server.js";
import { percentText, texts } from "./texts.js";

const rows = new Map();
const sorts = {
  exchange: null,
  name: (a, b) => a.name.localeCompare(b.name),
  gain: (a, b) => (b.change ?? -Infinity) - (a.change ?? -Infinity),
  loss: (a, b) => (a.change ?? Infinity) - (b.change ?? Infinity),
  distance: (a, b) => (a.distance ?? Infinity) - (b.distance ?? Infinity),
  turnover: (a, b) => (b.turnover ?? -Infinity) - (a.turnover ?? -Infinity),
};

export function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Formats a change in percent, with an arrow so that the direction is visible without colour. */
export function changeText(number) {
  if (number === undefined) return "–";
  return `${number > 0 ? "▲ " : number < 0 ? "▼ " : ""}${percentText(number)}`;
}

export function changeClass(number) {
  return number > 0 ? "up" : number < 0 ? "down" : "";
}

function makeRow(symbol, onFailure) {
  const row = element("tr");
  const star = element("button", "star");
  star.type = "button";
  star.addEventListener("click", async () => {
    const on = star.getAttribute("aria-pressed") !== "true";
    star.setAttribute("aria-pressed", on);
    try {
      await post("api/favourite", { symbol: row.symbol, on });
    } catch (failure) {
      star.setAttribute("aria-pressed", !on);
      onFailure(failure);
    }
  });
  const link = element("a");
  link.href = `#symbol/${encodeURIComponent(symbol.name)}`;
  const parts = {
    star, link, name: element("span", "name"), asset: element("span", "asset"), badge: element("strong", "firing"),
    price: element("td", "number price"), change: element("td", "number"), near: element("td", "near"),
  };
  const starCell = element("td", "star-cell");
  starCell.append(star);
  const head = element("th");
  head.scope = "row";
  link.append(parts.name, " ", parts.asset);
  head.append(link, " ", parts.badge);
  row.append(starCell, head, parts.price, parts.change, parts.near);
  row.addEventListener("click", (event) => {
    if (!event.target.closest("a,button")) link.click();
  });
  row.parts = parts;
  return row;
}

function firingText(symbol) {
  return `● ${texts.firing}${symbol.silenced ? ` (${texts.silenced})` : ""}`;
}

function fill(row, symbol) {
  const { parts } = row;
  row.symbol = symbol.name;
  setText(parts.name, symbol.name);
  setText(parts.asset, symbol.asset ?? "");
  setText(parts.badge, symbol.firing > 0 ? firingText(symbol) : texts.states[symbol.state] ?? symbol.state);
  parts.badge.className = symbol.firing > 0 ? "firing" : "dim";
  setText(parts.price, symbol.price ?? "–");
  setText(parts.change, changeText(symbol.change));
  parts.change.className = `number ${changeClass(symbol.change)}`;
  parts.change.dataset.window = texts.change;
  const distance = symbol.distance;
  const how = distance === undefined ? "" : distance < 0 ? texts.beyond : texts.away;
  setText(parts.near, symbol.near ? `${symbol.near}${how ? `, ${how(percentText(distance))}` : ""}` : "");
  parts.star.setAttribute("aria-pressed", symbol.favourite);
  parts.star.setAttribute("aria-label", texts.favouriteOf(symbol.name));
}

/** Shows the matching symbols in the chosen order; returns their number. */
export function showList(symbols, { search, sort, only }, onFailure) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = symbols.filter((symbol) => {
    const text = `${symbol.name} ${symbol.asset ?? ""}`.toLowerCase();
    return (!only || symbol.favourite) && words.every((word) => text.includes(word));
  });
  if (sorts[sort]) shown = [...shown].sort(sorts[sort]);
  const body = document.getElementById("rows");
  const kept = new Set();
  let place = body.firstElementChild;
  for (const symbol of shown) {
    let row = rows.get(symbol.name);
    if (!row) rows.set(symbol.name, (row = makeRow(symbol, onFailure)));
    fill(row, symbol);
    kept.add(row);
    if (row === place) place = place.nextElementSibling;
    else body.insertBefore(row, place);
  }
  for (const row of [...body.children]) if (!kept.has(row)) row.remove();
  return shown.length;
}
