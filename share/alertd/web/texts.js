// All texts of the page in one table, so that a translation needs only another table. Texts of events, rules and
// errors come from the daemon.
export const texts = {
  title: "alertd",
  skip: "Skip to the content",
  views: "Views",
  prices: "Prices",
  alerts: "Alerts",
  events: "Events",
  silences: "Silences",
  currency: "Currency",
  ownCurrency: "Each market’s own",
  search: "Search symbol or name",
  sort: "Sort",
  sorts: {
    exchange: "As the source lists them",
    name: "Symbol",
    gain: "Highest change",
    loss: "Lowest change",
    distance: "Nearest to a limit",
    turnover: "Turnover",
  },
  onlyFavourites: "Favourites only",
  favourite: "Favourite",
  favouriteOf: (name) => `${name} is a favourite`,
  symbol: "Symbol",
  price: "Price",
  change: "24h",
  inWindow: (change) => `${change} in 24h`,
  nearest: "Nearest limit",
  noSymbols: "No symbol matches. Clear the search, or show all symbols.",
  count: (shown, all) => (shown === all ? `${all} symbols` : `${shown} of ${all} symbols`),
  beyond: (percent) => `${percent} beyond`,
  far: "more than 100,000%",
  away: (percent) => `${percent} away`,
  firing: "FIRING",
  silenced: "silenced",
  silencedBy: (number) => `silenced by ${number}`,
  states: { ok: "", missing: "not listed", frozen: "frozen", no_price: "no price" },
  back: "All prices",
  range: "Range",
  compare: "Compare with",
  compareHint: "Another symbol",
  add: "Add",
  remove: (name) => `Remove ${name}`,
  chartOf: (name) => `Chart of ${name}`,
  loading: "Loading …",
  limits: "Move a limit",
  limitHint: "Drag a limit line in the chart, or focus it and use the arrow keys. Nothing changes until you confirm.",
  limitName: (bound, rule) => `${bound} of ${rule}`,
  newLimit: (bound, rule, currency) => `New ${bound} of “${rule}” in ${currency}`,
  firings: (count) =>
    count === 0
      ? "Would not have fired in the time shown."
      : `Would have fired ${count === 1 ? "once" : `${count} times`} in the time shown.`,
  setLimit: "Set limit",
  askLimit: (name, bound, rule, text) => `Set the ${bound} of “${rule}” on ${name} to ${text}?`,
  askReset: (name, rule) => `Restore the configured limits of “${rule}” on ${name}?`,
  askSilence: (name, hours) => `Silence ${name} for ${hours === 1 ? "an hour" : `${hours} hours`}?`,
  askEndSilence: (number) => `End silence ${number} now?`,
  askAck: (name, rule) => `Acknowledge “${rule}” on ${name}? Repeat notifications stop until it resolves.`,
  askArm: (name, rule) => `Re-arm “${rule}” on ${name}?`,
  cancel: "Cancel",
  confirm: "Confirm",
  ack: "Acknowledge",
  arm: "Re-arm",
  reset: "Reset limit",
  end: "End",
  silence: "Silence",
  silenceHours: (hours) => (hours === 1 ? "1 hour" : `${hours} hours`),
  rule: "Rule",
  state: "State",
  limit: "Limit",
  distance: "Distance",
  actions: "Actions",
  changed: "changed at run time",
  acknowledgedBy: (who) => `acknowledged by ${who}`,
  noAlerts: "No rule matches.",
  noEvents: "No events yet.",
  noSilences: "No silence is active.",
  convert: "Convert",
  amount: "Amount",
  from: "From",
  to: "To",
  alsoTo: "Also to",
  swap: "Swap the two currencies",
  keep: "Keep",
  currencyName: (code, name, symbol) => {
    if (!name) return symbol ? `${code} (${symbol})` : code;
    return symbol ? `${name} (${code}, ${symbol})` : `${name} (${code})`;
  },
  currenciesFound: (count) =>
    count === 0 ? "No currency matches." : count === 1 ? "1 currency matches." : `${count} currencies match.`,
  noResult: (code) => `No result in ${code}`,
  noAnswer: "Disconnected from alertctl web",
  unreachable: "alertd cannot be reached",
  oldResult: (reason, time) => `${reason}. These results are of ${time}.`,
  notConverted: (reason) => `${reason}. Nothing was converted; the page tries again.`,
  simulatedRate: "SIMULATED market: the result is made up.",
  staleRates: (date) => `STALE: the reference rates are of ${date ?? "an unknown date"}, too old to rely on.`,
  sameCurrency: "The same currency: nothing is converted.",
  official: (date) => (date ? `Official reference rates of ${date}.` : "Official rates, fixed by law."),
  unofficial: (date) =>
    date ? `Not official: see the source of each rate; reference rates of ${date}.`
      : "Not official: see the source of each rate.",
  pegged: "* includes a peg of the settings.",
  conversionPath: (path) => `Path: ${path.join(" → ")}`,
  earlier: "Earlier conversions",
  noEarlier: "No conversions are kept. “Keep” adds the current one.",
  showAll: (count) => `Show all ${count}`,
  again: "Again",
  againOf: (text) => `Convert again: ${text}`,
  forget: "Forget",
  forgetOf: (text) => `Forget: ${text}`,
  forgetAll: "Forget all",
  askForget: (text) => `Forget “${text}”?`,
  askForgetAll: "Forget all earlier conversions?",
  ratesOf: (date) => `rates of ${date}`,
  stale: "stale rates",
  simulatedShort: "SIMULATED",
  compared: (label, text) => `${label}: ${text}`,
  time: "Time",
  kind: "Kind",
  event: "Event",
  notNotified: "not notified",
  what: "What",
  ends: "Ends",
  by: "By",
  everything: "everything",
  fresh: (source, age) => `${source}, ${age} ago`,
  never: (source) => `${source}: no prices yet`,
  simulated: "SIMULATED market: these prices are made up.",
  fault: (text) => `${text}. The page retries and shows the last known prices.`,
  disconnected: "Disconnected from alertctl web; reconnecting. These prices may be old.",
  signedOut: "This page is no longer valid. Open the address that “alertctl web” prints.",
  seconds: (count) => `${count}s`,
  minutes: (count) => `${count}m`,
  hours: (count) => `${count}h`,
  days: (count) => `${count}d`,
};

/** Sets the texts of elements whose data-text, data-label or data-placeholder attribute names one. */
export function fillTexts(root) {
  for (const element of root.querySelectorAll("[data-text]")) element.textContent = texts[element.dataset.text];
  for (const element of root.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", texts[element.dataset.label]);
  }
  for (const element of root.querySelectorAll("[data-placeholder]")) {
    element.placeholder = texts[element.dataset.placeholder];
  }
}

/** Formats a duration in its largest unit. */
export function ageText(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 120) return texts.seconds(seconds);
  if (seconds < 7200) return texts.minutes(Math.round(seconds / 60));
  if (seconds < 172800) return texts.hours(Math.round(seconds / 3600));
  return texts.days(Math.round(seconds / 86400));
}

export function percentText(number) {
  const size = Math.abs(number);
  if (size >= 100000) return texts.far;
  return size < 100 ? `${size.toFixed(2)}%` : `${Math.round(size).toLocaleString("en")}%`;
}

/** Formats a time of the daemon in the reader's time zone, with the date unless it is today. */
export function timeText(text) {
  if (!text) return "";
  const time = new Date(text);
  const isToday = time.toDateString() === new Date().toDateString();
  const clock = time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
  return isToday ? clock : `${time.toLocaleDateString([], { month: "short", day: "numeric" })} ${clock}`;
}
