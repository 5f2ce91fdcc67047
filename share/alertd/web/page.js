// The page: its views, the state of the connection, and changes, each of which asks for confirmation.
import { Converter } from "./convert.js";
import { Detail } from "./detail.js";
import { element, showList } from "./list.js";
import { get, listen, post } from "./server.js";
import { ageText, fillTexts, percentText, texts, timeText } from "./texts.js";

const find = (id) => document.getElementById(id);
const views = ["prices", "symbol", "alerts", "events", "silences", "convert"];
const state = { market: null, version: null, tick: null, tickAt: 0, isConnected: true, isLoading: false };

/** State and functions that the views share. */
const page = {
  currency: localStorage.getItem("currency") ?? "",
  fail,
  say,
  change,
  symbolTables(root, name) {
    const alerts = state.market.alerts.filter((alert) => alert.name === name);
    const events = state.market.events.filter((event) => event.name === name).slice(0, 20);
    const silence = element("p", "buttons silence-buttons");
    silence.append(element("span", "", `${texts.silence}: `));
    for (const hours of [1, 8, 24]) {
      const act = () => change(texts.askSilence(name, hours), "api/silence", { symbol: name, hours });
      silence.append(button(texts.silenceHours(hours), act));
    }
    show(root, [
      heading("h3", texts.alerts), alertTable(alerts, false), silence, heading("h3", texts.events), eventTable(events),
    ]);
  },
};

function heading(name, text) {
  return element(name, "", text);
}

function button(text, action) {
  const made = element("button", "", text);
  made.type = "button";
  made.addEventListener("click", action);
  return made;
}

/** Replaces the content of a view. If nothing has changed, focus and selection are preserved. */
function show(root, nodes) {
  const box = element("div");
  box.append(...nodes);
  if (root.shown === box.innerHTML && root.shownFor === state.version) return;
  if (root.shown === box.innerHTML && root.contains(document.activeElement)) return;
  root.shown = box.innerHTML;
  root.shownFor = state.version;
  root.replaceChildren(...nodes);
}

const detail = new Detail(find("view-symbol"), page);
const converter = new Converter(find("view-convert"), page);

// Tables

function table(caption, titles, rows, empty) {
  if (!rows.length) return element("p", "dim", empty);
  const made = element("table");
  made.append(element("caption", "hidden", caption));
  const head = element("tr");
  for (const title of titles) {
    const cell = element("th", "", title);
    cell.scope = "col";
    head.append(cell);
  }
  const top = element("thead");
  top.append(head);
  const body = element("tbody");
  for (const cells of rows) {
    const row = element("tr");
    cells.forEach((content, index) => {
      const cell = element(index === 0 ? "th" : "td");
      if (index === 0) cell.scope = "row";
      cell.dataset.title = titles[index];
      cell.append(...[content].flat());
      row.append(cell);
    });
    body.append(row);
  }
  made.append(top, body);
  const box = element("div", "wide");
  box.append(made);
  return box;
}

function symbolLink(name) {
  const link = element("a", "", name);
  link.href = `#symbol/${encodeURIComponent(name)}`;
  return link;
}

function alertState(alert) {
  const parts = [alert.firing ? element("strong", "firing", `● ${texts.firing}`) : element("span", "", alert.state)];
  const notes = [];
  if (alert.firing && alert.silence) notes.push(texts.silencedBy(alert.silence));
  if (alert.acknowledgedBy) notes.push(texts.acknowledgedBy(alert.acknowledgedBy));
  if (alert.since) notes.push(timeText(alert.since));
  if (notes.length) parts.push(" ", element("span", "dim", notes.join(", ")));
  return parts;
}

function alertActions(alert) {
  const { rule, name } = alert;
  const buttons = [];
  if (alert.firing && !alert.acknowledgedBy) {
    buttons.push(button(texts.ack, () => change(texts.askAck(name, rule), "api/ack", { rule, symbol: name })));
  }
  if (alert.disarmed) {
    buttons.push(button(texts.arm, () => change(texts.askArm(name, rule), "api/arm", { rule, symbol: name })));
  }
  if (alert.override) {
    const ask = texts.askReset(name, rule);
    buttons.push(button(texts.reset, () => change(ask, "api/limit/reset", { rule, symbol: name })));
  }
  return buttons;
}

function alertTable(alerts, hasSymbol = true) {
  const titles = [texts.rule, texts.symbol, texts.state, texts.limit, texts.distance, texts.actions];
  const rows = alerts.map((alert) => {
    const limit = [`${alert.bound.replace("_", " ")} ${alert.limit}`];
    if (alert.override) limit.push(" ", element("span", "dim", texts.changed));
    const distance = alert.distance;
    const how = distance === undefined ? "–" : (distance < 0 ? texts.beyond : texts.away)(percentText(distance));
    return [alert.rule, symbolLink(alert.name), alertState(alert), limit, how, alertActions(alert)];
  });
  if (hasSymbol) return table(texts.alerts, titles, rows, texts.noAlerts);
  const without = (cells) => cells.filter((_, index) => index !== 1);
  return table(texts.alerts, without(titles), rows.map(without), texts.noAlerts);
}

function eventTable(events) {
  const rows = events.map((event) => {
    const kind = event.kind.replaceAll("_", " ") + (event.notified ? "" : ` (${texts.notNotified})`);
    return [timeText(event.time), kind, event.text];
  });
  return table(texts.events, [texts.time, texts.kind, texts.event], rows, texts.noEvents);
}

function silenceTable(silences) {
  const rows = silences.map((silence) => {
    const what = [silence.symbol, silence.rule, silence.severity].filter(Boolean).join(", ") || texts.everything;
    const { number } = silence;
    const end = button(texts.end, () => change(texts.askEndSilence(number), "api/silence/end", { number }));
    return [what, timeText(silence.ends), [silence.by ?? "", silence.comment ? ` – ${silence.comment}` : ""], end];
  });
  return table(texts.silences, [texts.what, texts.ends, texts.by, texts.actions], rows, texts.noSilences);
}

// Views

function currentView() {
  const [name, escaped] = location.hash.slice(1).split("/");
  const argument = unescaped(escaped);
  const isKnown = views.includes(name) && (name !== "symbol" || argument);
  return { view: isKnown ? name : "prices", argument };
}

/** Decodes a part of an address; undefined if it has invalid escapes. */
function unescaped(text) {
  try {
    return text && decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function openView(isNavigation) {
  const { view, argument } = currentView();
  for (const name of views) find(`view-${name}`).hidden = name !== view;
  for (const link of document.querySelectorAll("nav a")) {
    const isHere = link.hash === `#${view}` || (view === "symbol" && link.hash === "#prices");
    if (isHere) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = view === "symbol" ? `${argument} – ${texts.title}` : `${texts[view]} – ${texts.title}`;
  if (view === "symbol" && (isNavigation || detail.name !== argument)) detail.open(argument);
  if (view !== "symbol") detail.close?.();
  if (view === "convert" && (isNavigation || !converter.isOpen)) converter.open();
  if (view !== "convert") converter.close();
  if (isNavigation) {
    window.scrollTo(0, 0);
    find("main").focus({ preventScroll: true });
  }
  render();
}

function render() {
  const { market } = state;
  if (!market) return;
  const { view } = currentView();
  if (view === "prices") {
    const filter = { search: find("search").value, sort: find("sort").value, only: find("only").checked };
    const count = showList(market.symbols, filter, fail);
    find("count").textContent = texts.count(count, market.symbols.length);
    find("none").hidden = count > 0;
  } else if (view === "symbol") {
    detail.update(market);
  } else if (view !== "convert") {
    const make = { alerts: () => alertTable(market.alerts), events: () => eventTable(market.events),
      silences: () => silenceTable(market.silences) }[view];
    show(find(`view-${view}`), [heading("h2", texts[view]), make()]);
  }
  find("notes").textContent = (market.notes ?? []).join(" ");
}

function fillCurrencies() {
  const select = find("currency");
  const { currencies, currency } = state.market;
  if (select.options.length !== currencies.length) {
    select.replaceChildren(
      ...currencies.map((name) => {
        const option = element("option", "", name === "quote" ? texts.ownCurrency : name);
        option.value = name;
        return option;
      }),
    );
  }
  select.value = currency;
}

/** Marks the symbols whose firing alerts are all silenced. */
function markSilenced({ symbols, alerts }) {
  const loud = new Set(alerts.filter((alert) => alert.firing && !alert.silence).map((alert) => alert.name));
  for (const symbol of symbols) symbol.silenced = symbol.firing > 0 && !loud.has(symbol.name);
}

/** Returns `● 3 FIRING`, with the number of silenced alerts among them. */
function firingText(count) {
  if (!count) return "";
  const silenced = (state.market?.alerts ?? []).filter((alert) => alert.firing && alert.silence).length;
  const note = silenced === 0 ? "" : silenced >= count ? ` (${texts.silenced})` : `, ${silenced} ${texts.silenced}`;
  return `● ${count} ${texts.firing}${note}`;
}

async function load() {
  if (state.isLoading) return void (state.mustLoad = true);
  state.isLoading = true;
  try {
    state.market = await get("api/market", { currency: page.currency });
    markSilenced(state.market);
    fillCurrencies();
    render();
    if (currentView().view === "symbol") detail.load();
    if (currentView().view === "convert") converter.refresh();
  } catch (failure) {
    // A stored currency that is no longer known must not prevent the page from loading.
    if (failure.status === 400 && page.currency) {
      page.currency = "";
      localStorage.removeItem("currency");
      state.mustLoad = true;
    } else if (failure.status !== 503) fail(failure);
  }
  state.isLoading = false;
  if (state.mustLoad) {
    state.mustLoad = false;
    load();
  }
}

// The connection

function showState() {
  const { tick } = state;
  const notices = [];
  if (state.isConnected === null) notices.push(texts.signedOut);
  else if (!state.isConnected) notices.push(texts.disconnected);
  else if (tick?.fault) notices.push(texts.fault(tick.fault));
  const status = tick?.status ?? state.market?.status;
  const parts = [];
  let firing = "";
  if (status) {
    const now = Date.parse(status.now) + (Date.now() - state.tickAt);
    for (const source of status.sources) {
      const age = source.received ? ageText(now - Date.parse(source.received)) : null;
      parts.push(age ? texts.fresh(source.source, age) : texts.never(source.source));
    }
    notices.push(...(status.health ?? []).map((text) => `${text[0].toUpperCase()}${text.slice(1)}.`));
    firing = firingText(status.firing);
    if (status.simulated) parts.push(texts.simulated);
  }
  find("firing").textContent = firing;
  find("ages").textContent = parts.join(" · ");
  const notice = find("notice");
  const text = notices.join("\n");
  if (notice.textContent !== text) notice.textContent = text;
  notice.hidden = !text;
  const isOld = !state.isConnected || Boolean(tick?.fault) || (status?.sources ?? []).some((source) => source.stale);
  document.body.classList.toggle("old", isOld);
  converter.connection(Boolean(state.isConnected) && !tick?.fault);
}

listen(
  (tick) => {
    state.tick = tick;
    state.tickAt = Date.now();
    showState();
    if (tick.version === state.version || tick.fault) return;
    state.version = tick.version;
    load();
  },
  (isConnected) => {
    if (state.isConnected === isConnected) return;
    state.isConnected = isConnected;
    if (!isConnected) state.version = null;
    showState();
  },
);
setInterval(showState, 1000);

// Changes

function say(text, isFault) {
  const message = find("message");
  message.textContent = text;
  message.classList.toggle("fault", Boolean(isFault));
  message.setAttribute("role", isFault ? "alert" : "status");
  clearTimeout(message.timer);
  message.timer = setTimeout(() => (message.textContent = ""), 10000);
}

function fail(failure) {
  if (failure.status === 401) state.isConnected = null;
  say(failure.message, true);
  showState();
}

function ask(question) {
  const dialog = find("confirm");
  find("question").textContent = question;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

/** Asks for confirmation, makes a change, and shows the result; returns true if the change was made. */
async function change(question, path, body) {
  if (!(await ask(question))) return false;
  try {
    say((await post(path, body)).text);
    load();
    return true;
  } catch (failure) {
    fail(failure);
    return false;
  }
}

// Start

fillTexts(document);
find("sort").replaceChildren(
  ...Object.entries(texts.sorts).map(([value, text]) => Object.assign(element("option", "", text), { value })),
);
find("sort").value = localStorage.getItem("sort") ?? "exchange";
find("only").checked = localStorage.getItem("only") === "true";
find("filter").addEventListener("submit", (event) => event.preventDefault());
find("search").addEventListener("input", render);
find("sort").addEventListener("change", () => {
  localStorage.setItem("sort", find("sort").value);
  render();
});
find("only").addEventListener("change", () => {
  localStorage.setItem("only", find("only").checked);
  render();
});
find("currency").addEventListener("change", () => {
  page.currency = find("currency").value;
  localStorage.setItem("currency", page.currency);
  load();
});
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("input,select,textarea") || find("confirm").open;
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    location.hash = "#prices";
    find("search").focus();
  }
});
window.addEventListener("hashchange", () => openView(true));
openView(false);
load();
