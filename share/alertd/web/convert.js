// The converter: converts an amount while the user types, and shows the rates used and earlier conversions.
import { Combobox, folded } from "./combobox.js";
import { element } from "./list.js";
import { get, post } from "./server.js";
import { texts, timeText } from "./texts.js";

/** Milliseconds from the last edit of the amount to the request, so that not every digit causes a request. */
const pause = 250;
const targetLimit = 8;
/** The number of earlier conversions shown at first. */
const shortHistory = 20;
const memory = "convert";

export class Converter {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.currencies = [];
    this.labels = new Map();
    this.cards = new Map();
    this.rows = new Map();
    this.comparisons = new Map();
    /** Increased by each edit and request, so that answers to earlier requests are recognized and ignored. */
    this.asked = 0;
    this.answer = null;
    this.isAway = false;
    this.recall();
    this.build();
    this.guardPointer();
  }

  // Parameters

  recall() {
    let kept = {};
    try {
      kept = JSON.parse(localStorage.getItem(memory)) ?? {};
    } catch {
      // The stored text is not valid JSON; use the defaults.
    }
    const isCode = (text) => typeof text === "string" && /^[A-Z0-9]{1,32}$/.test(text);
    this.from = isCode(kept.from) ? kept.from : "USD";
    const targets = Array.isArray(kept.to) ? kept.to.filter(isCode).slice(0, targetLimit) : [];
    this.targets = targets.length ? [...new Set(targets)] : ["INR"];
  }

  remember() {
    localStorage.setItem(memory, JSON.stringify({ from: this.from, to: this.targets }));
  }

  get parameters() {
    return [
      ["amount", this.amount.value.trim()], ["from", this.from], ...this.targets.map((code) => ["to", code]),
    ];
  }

  // Elements

  build() {
    const title = element("h2", "", texts.convert);
    title.id = "convert-title";
    this.form = element("form", "convert-form");
    this.form.id = "convert-form";
    const amountBox = element("div", "amount");
    const amountLabel = element("label", "", texts.amount);
    this.amount = element("input");
    this.amount.id = amountLabel.htmlFor = "convert-amount";
    this.amount.inputMode = "text";
    this.amount.autocomplete = "off";
    this.amount.maxLength = 120;
    this.amount.value = "1";
    amountBox.append(amountLabel, this.amount);
    this.fromBox = new Combobox("convert-from", texts.from, (code) => this.setFrom(code));
    this.toBox = new Combobox("convert-to", texts.to, (code) => this.setTarget(code));
    this.moreBox = new Combobox("convert-more", texts.alsoTo, (code) => this.addTarget(code));
    this.moreBox.root.classList.add("more");
    const swap = this.button("⇄", texts.swap, () => this.swap(), "swap");
    swap.id = "convert-swap";
    this.form.append(amountBox, this.fromBox.root, swap, this.toBox.root, this.moreBox.root);
    const keep = element("button", "main", texts.keep);
    keep.id = "convert-keep";
    this.form.append(keep);
    this.fault = element("p", "convert-fault");
    this.fault.id = "convert-fault";
    this.fault.setAttribute("role", "alert");
    this.amount.setAttribute("aria-describedby", this.fault.id);
    this.note = element("p", "convert-note");
    this.note.id = "convert-note";
    this.note.hidden = true;
    this.results = element("div", "results");
    this.results.id = "convert-results";
    this.said = element("p", "hidden");
    this.said.setAttribute("role", "status");
    this.root.append(title, this.form, this.fault, this.note, this.results, this.said, this.historyBox());
    this.showChoice();
    this.amount.addEventListener("input", () => this.changed());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.keep();
    });
  }

  historyBox() {
    const section = element("section");
    const title = element("h3", "", texts.earlier);
    title.id = "history-title";
    section.setAttribute("aria-labelledby", title.id);
    this.history = element("ul", "history");
    this.history.id = "convert-history";
    this.noHistory = element("p", "dim", texts.noEarlier);
    this.forgetAll = this.button(texts.forgetAll, null, () => this.forget(null));
    this.forgetAll.hidden = true;
    this.showMore = this.button("", null, () => {
      this.isLong = true;
      this.showHistory();
    });
    this.showMore.hidden = true;
    const buttons = element("div", "buttons");
    buttons.append(this.showMore, this.forgetAll);
    section.append(title, this.history, this.noHistory, buttons);
    return section;
  }

  button(text, label, action, className = "") {
    const made = element("button", className, text);
    made.type = "button";
    if (label) {
      made.setAttribute("aria-label", label);
      made.title = label;
    }
    made.addEventListener("click", action);
    return made;
  }

  /** Delays updates while the pointer is pressed: if a button moved under the pointer, its click would be lost. */
  guardPointer() {
    this.waiting = new Map();
    this.root.addEventListener("pointerdown", () => (this.isPressed = true), true);
    const release = () =>
      setTimeout(() => {
        this.isPressed = false;
        const works = [...this.waiting.values()];
        this.waiting.clear();
        for (const work of works) work();
      });
    for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, release, true);
  }

  /** Runs the work now or when the pointer is released. Delayed work replaces earlier work with the same name. */
  whenReleased(name, work) {
    if (this.isPressed) this.waiting.set(name, work);
    else work();
  }

  // Currencies

  async loadCurrencies() {
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      const { currencies } = await get("api/currencies");
      this.currencies = currencies;
      const items = currencies.map(({ code, name, symbol, words }) => {
        const keys = [code, symbol, name, ...words].filter(Boolean).map(folded);
        return { value: code, label: texts.currencyName(code, name, symbol), keys };
      });
      this.labels = new Map(items.map(({ value, label }) => [value, label]));
      for (const box of [this.fromBox, this.toBox, this.moreBox]) box.setItems(items);
    } catch (failure) {
      if (failure.status !== 503) this.page.fail(failure);
    }
    this.isLoading = false;
  }

  showChoice() {
    this.fromBox.show(this.from);
    this.toBox.show(this.targets[0]);
    this.moreBox.show("");
    this.moreBox.root.hidden = this.targets.length >= targetLimit;
  }

  setFrom(code) {
    const old = this.from;
    this.from = code;
    if (this.targets[0] === code) this.replaceTarget(old);
    this.choiceChanged();
  }

  setTarget(code) {
    if (code === this.from) this.from = this.targets[0];
    this.replaceTarget(code);
    this.choiceChanged();
  }

  /** Replaces the first target currency, and removes the new one from the rest of the list. */
  replaceTarget(code) {
    this.targets = [code, ...this.targets.slice(1).filter((other) => other !== code)];
  }

  addTarget(code) {
    if (code && !this.targets.includes(code) && this.targets.length < targetLimit) this.targets.push(code);
    this.choiceChanged();
  }

  removeTarget(code) {
    this.targets = this.targets.filter((other) => other !== code);
    this.cards.get(code)?.remove();
    this.cards.delete(code);
    this.choiceChanged();
    // The removed button had the focus.
    this.amount.focus();
  }

  swap() {
    const [first] = this.targets;
    const old = this.from;
    this.from = first;
    this.replaceTarget(old);
    this.choiceChanged();
  }

  choiceChanged() {
    this.remember();
    this.showChoice();
    this.changed(0);
  }

  // Converting

  /** Marks the results as outdated after an edit, and converts again after the delay. */
  changed(delay = pause) {
    this.asked += 1;
    this.request?.abort();
    clearTimeout(this.timer);
    this.results.classList.add("pending");
    this.timer = setTimeout(() => this.convert(true), delay);
  }

  /** Converts again and reloads the earlier conversions, because the daemon has newer prices. */
  refresh() {
    if (this.root.hidden) return;
    if (!this.currencies.length) this.loadCurrencies();
    this.loadHistory();
    // A pending edit will be converted anyway.
    if (!this.results.classList.contains("pending")) this.convert(false);
  }

  get isOpen() {
    return this.wasOpened && !this.root.hidden;
  }

  close() {
    this.wasOpened = false;
    clearTimeout(this.timer);
    this.request?.abort();
  }

  open() {
    this.wasOpened = true;
    this.loadCurrencies();
    this.loadHistory();
    this.changed(0);
  }

  async convert(isSaid) {
    clearTimeout(this.timer);
    if (this.root.hidden) return;
    const asked = (this.asked += 1);
    if (!this.amount.value.trim()) return this.refuse("", false);
    this.request?.abort();
    this.request = new AbortController();
    try {
      const answer = await get("api/convert", this.parameters, this.request.signal);
      if (asked !== this.asked) return;
      this.whenReleased("results", () => asked === this.asked && this.show(answer, isSaid));
    } catch (failure) {
      if (failure.name === "AbortError" || asked !== this.asked) return;
      if (failure.status === 400 || failure.status === 409) return this.refuse(failure.message, failure.status === 400);
      if (failure.status === 401) this.page.fail(failure);
      this.keepOld(failure.status === 503 ? failure.message : texts.noAnswer);
    }
  }

  /** Shows why nothing can be converted, and removes old results, which would look like the answer. */
  refuse(text, isInput) {
    this.whenReleased("results", () => {
      this.answer = null;
      this.fault.textContent = text;
      this.amount.setAttribute("aria-invalid", isInput);
      this.results.replaceChildren();
      this.results.classList.remove("pending", "old");
      this.cards.clear();
      this.note.hidden = true;
    });
  }

  show(answer, isSaid) {
    if (answer.from !== this.from) return this.follow(answer.from);
    this.answer = { asked: JSON.stringify(this.parameters), at: new Date() };
    this.fault.textContent = "";
    this.amount.removeAttribute("aria-invalid");
    this.note.hidden = true;
    this.results.classList.remove("pending", "old");
    const kept = new Set();
    for (const result of answer.results) {
      kept.add(result.to);
      let card = this.cards.get(result.to);
      if (!card) this.cards.set(result.to, (card = this.makeCard(result.to)));
      this.fill(card, result);
    }
    for (const [code, card] of this.cards) {
      if (kept.has(code)) continue;
      card.remove();
      this.cards.delete(code);
    }
    answer.results.forEach(({ to }, index) => {
      const card = this.cards.get(to);
      if (this.results.children[index] !== card) this.results.insertBefore(card, this.results.children[index]);
    });
    if (isSaid) this.said.textContent = answer.results.map((result) => result.text ?? result.fault).join("; ");
  }

  /** Selects the currency that the amount names, such as ₹75,00,000. */
  follow(code) {
    const old = this.from;
    this.from = code;
    if (this.targets[0] === code) this.replaceTarget(old);
    this.choiceChanged();
  }

  /** Without the daemon, keeps results of the current fields and shows their time; removes other results. */
  keepOld(reason) {
    const isSame = this.answer?.asked === JSON.stringify(this.parameters);
    if (!isSame) this.refuse("", false);
    this.whenReleased("note", () => {
      this.results.classList.remove("pending");
      this.results.classList.toggle("old", isSame);
      this.note.textContent = isSame ? texts.oldResult(reason, timeText(this.answer.at)) : texts.notConverted(reason);
      this.note.hidden = false;
    });
  }

  /** Handles the loss and the return of the daemon; `isThere` is true while it can be reached. */
  connection(isThere) {
    if (isThere === !this.isAway) return;
    this.isAway = !isThere;
    if (this.root.hidden) return;
    if (this.isAway) {
      this.asked += 1;
      this.request?.abort();
      this.keepOld(texts.unreachable);
    } else {
      this.changed(0);
      this.loadHistory();
    }
  }

  makeCard(code) {
    const card = element("article", "result");
    const head = element("h3");
    const remove = this.button("×", null, () => this.removeTarget(code), "remove");
    remove.setAttribute("aria-label", texts.remove(code));
    const [name, marks, steps, path] = [element("p", "dim"), element("p"), element("ul", "steps"), element("p", "dim")];
    card.parts = { head, remove, name, marks, steps, path };
    const top = element("div", "result-head");
    top.append(head, remove);
    card.append(top, name, marks, steps, path);
    return card;
  }

  fill(card, result) {
    const { head, remove, name, marks, steps, path } = card.parts;
    setText(name, this.labels.get(result.to) ?? result.to);
    setText(head, result.text ?? texts.noResult(result.to));
    remove.hidden = this.targets.length < 2;
    card.classList.toggle("failed", Boolean(result.fault));
    const notes = result.fault ? [result.fault] : this.notes(result);
    setText(marks, notes.join(" "));
    marks.classList.toggle("firing", Boolean(result.fault || result.stale || result.simulated));
    const lines = result.steps ?? [];
    if (steps.shown !== lines.join("\n")) {
      steps.shown = lines.join("\n");
      steps.replaceChildren(...lines.map((line) => element("li", "", line)));
    }
    steps.hidden = !lines.length;
    setText(path, lines.length ? texts.conversionPath(result.path) : "");
    path.hidden = !lines.length;
  }

  notes(result) {
    const notes = [];
    if (result.simulated) notes.push(texts.simulatedRate);
    if (result.stale) notes.push(texts.staleRates(result.date));
    if (!result.steps.length) notes.push(texts.sameCurrency);
    else if (result.official) notes.push(texts.official(result.date));
    else notes.push(texts.unofficial(result.date));
    if (result.pegged) notes.push(texts.pegged);
    return notes;
  }

  // Earlier conversions

  async loadHistory() {
    try {
      const { conversions } = await get("api/conversions");
      this.earlier = conversions;
      this.whenReleased("history", () => this.showHistory());
    } catch (failure) {
      if (failure.status && failure.status !== 503) this.page.fail(failure);
    }
  }

  /** Adds and removes single rows instead of rebuilding the list, so that nothing moves and the focus stays. */
  showHistory() {
    const all = this.earlier ?? [];
    const shown = this.isLong ? all : all.slice(0, shortHistory);
    const kept = new Set();
    let place = this.history.firstElementChild;
    for (const conversion of shown) {
      let row = this.rows.get(conversion.number);
      if (!row) this.rows.set(conversion.number, (row = this.makeRow(conversion)));
      kept.add(row);
      if (row === place) place = place.nextElementSibling;
      else this.history.insertBefore(row, place);
    }
    for (const [number, row] of this.rows) {
      if (kept.has(row)) continue;
      row.remove();
      this.rows.delete(number);
    }
    this.noHistory.hidden = all.length > 0;
    this.forgetAll.hidden = !all.length;
    this.showMore.hidden = shown.length === all.length;
    this.showMore.textContent = texts.showAll(all.length);
  }

  makeRow({ number, text, time, date, stale, simulated }) {
    const row = element("li");
    const marks = [date && texts.ratesOf(date), stale && texts.stale, simulated && texts.simulatedShort];
    const notes = [timeText(time), ...marks];
    const about = element("p");
    about.append(element("strong", "", text), " ", element("span", "dim", notes.filter(Boolean).join(", ")));
    const compared = element("div", "compared");
    compared.setAttribute("role", "status");
    const buttons = element("div", "buttons");
    buttons.append(
      this.button(texts.again, texts.againOf(text), () => this.again(number, compared)),
      this.button(texts.forget, texts.forgetOf(text), () => this.forget(number, text)),
    );
    row.append(about, buttons, compared);
    return row;
  }

  async again(number, compared) {
    try {
      const { lines } = await get("api/conversion/again", { number });
      const list = element("ul");
      list.append(...lines.map(({ label, text }) => element("li", "", texts.compared(label, text))));
      compared.replaceChildren(list);
    } catch (failure) {
      this.page.fail(failure);
    }
  }

  /** Forgets a conversion, or all conversions if the number is null, after the user has confirmed it. */
  async forget(number, text) {
    const question = number === null ? texts.askForgetAll : texts.askForget(text);
    const path = number === null ? "api/conversion/forget/all" : "api/conversion/forget";
    if (await this.page.change(question, path, number === null ? {} : { number })) this.amount.focus();
    this.loadHistory();
  }

  /** Converts the current fields and keeps the results, even if they are not shown yet. */
  async keep() {
    const amount = this.amount.value.trim();
    if (!amount) return this.amount.focus();
    const body = { amount, from: this.from, to: this.targets.join(" ") };
    try {
      this.page.say((await post("api/conversion/keep", body)).text);
    } catch (failure) {
      this.page.fail(failure);
    }
    this.loadHistory();
  }
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
