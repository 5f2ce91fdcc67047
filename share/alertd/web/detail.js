// The view of one symbol: its chart with movable limits, its alerts and events.
import { changeClass, changeText, element } from "./list.js";
import { get } from "./server.js";
import { texts } from "./texts.js";

const ranges = ["1h", "6h", "24h", "7d", "30d"];
const drawing = "http://www.w3.org/2000/svg";

export class Detail {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.name = null;
    this.range = "24h";
    this.others = [];
    this.moved = null;
    this.build();
    new ResizeObserver(() => this.resized()).observe(this.figure);
  }

  build() {
    this.back = element("a", "back", `← ${texts.back}`);
    this.back.href = "#prices";
    this.title = element("h2");
    this.title.id = "symbol-title";
    this.last = element("p", "last");
    this.rangeBox = element("fieldset", "ranges");
    this.rangeBox.append(element("legend", "hidden", texts.range));
    for (const range of ranges) {
      const label = element("label");
      const input = element("input");
      input.type = "radio";
      input.name = "range";
      input.value = range;
      input.checked = range === this.range;
      input.addEventListener("change", () => {
        this.range = range;
        this.load();
      });
      label.append(input, element("span", "", range));
      this.rangeBox.append(label);
    }
    this.buildCompare();
    this.figure = element("figure");
    this.picture = element("div", "picture");
    this.caption = element("figcaption", "", texts.loading);
    this.figure.append(this.picture, this.caption);
    this.editor = element("form", "editor");
    this.editor.hidden = true;
    this.buildEditor();
    this.tables = element("div");
    const tools = element("div", "tools");
    tools.append(this.rangeBox, this.compare, this.chips);
    this.root.append(this.back, this.title, this.last, tools, this.figure, this.editor, this.tables);
  }

  buildCompare() {
    this.compare = element("form", "compare");
    const label = element("label");
    label.append(element("span", "", texts.compare), " ");
    this.input = element("input");
    this.input.setAttribute("list", "names");
    this.input.placeholder = texts.compareHint;
    this.names = element("datalist");
    this.names.id = "names";
    label.append(this.input);
    const add = element("button", "", texts.add);
    this.chips = element("span", "chips");
    this.compare.append(label, add, this.names);
    this.compare.addEventListener("submit", (event) => {
      event.preventDefault();
      const name = this.input.value.trim().toLowerCase();
      if (!name || name === this.name || this.others.includes(name) || this.others.length >= 4) return;
      this.others.push(name);
      this.input.value = "";
      this.load();
    });
  }

  buildEditor() {
    this.editorLabel = element("label");
    this.editorText = element("span");
    this.editorInput = element("input");
    this.editorInput.inputMode = "decimal";
    this.editorInput.autocomplete = "off";
    this.editorLabel.append(this.editorText, " ", this.editorInput);
    this.outcome = element("output");
    const set = element("button", "main", texts.setLimit);
    const cancel = element("button", "", texts.cancel);
    cancel.type = "button";
    cancel.addEventListener("click", () => this.release());
    const buttons = element("span", "buttons");
    buttons.append(cancel, set);
    this.editor.append(this.editorLabel, this.outcome, buttons);
    this.editorInput.addEventListener("input", () => this.move(this.editorInput.value.trim()));
    this.editor.addEventListener("keydown", (event) => event.key === "Escape" && this.release());
    this.editor.addEventListener("submit", (event) => {
      event.preventDefault();
      this.confirm();
    });
  }

  open(name) {
    if (name !== this.name) {
      this.name = name;
      this.others = [];
      this.picture.replaceChildren();
      this.caption.textContent = texts.loading;
    }
    this.release();
    this.load();
  }

  /** Shows new market data: the title, the price and the tables. The chart is loaded separately. */
  update(market) {
    const symbol = market.symbols.find((symbol) => symbol.name === this.name);
    this.title.textContent = symbol?.asset ? `${this.name} – ${symbol.asset}` : this.name;
    this.last.replaceChildren();
    if (symbol) {
      this.last.append(element("strong", "", symbol.price ?? "–"), " ");
      const change = symbol.change === undefined ? "–" : texts.inWindow(changeText(symbol.change));
      this.last.append(element("span", changeClass(symbol.change), change));
    }
    if (this.names.childElementCount !== market.symbols.length) {
      this.names.replaceChildren(...market.symbols.map(({ name }) => Object.assign(element("option"), { value: name })));
    }
    this.page.symbolTables(this.tables, this.name);
  }

  resized() {
    const width = Math.round(this.picture.clientWidth);
    if (!this.name || !width || Math.abs(width - (this.drawnWidth ?? 0)) < 4) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), 150);
  }

  async load() {
    const width = Math.round(this.picture.clientWidth);
    if (!this.name || width < 100 || this.moved) return;
    this.request?.abort();
    this.request = new AbortController();
    this.drawnWidth = width;
    const height = Math.round(Math.min(420, Math.max(240, width * 0.5)));
    const parameters = [...this.parameters(), ["width", width], ["height", height]];
    try {
      const chart = await get("api/chart", parameters, this.request.signal);
      if (!this.moved) this.draw(chart);
    } catch (failure) {
      if (failure.name === "AbortError") return;
      if (failure.status === 404 && this.others.length) this.others.pop();
      this.page.fail(failure);
    }
  }

  parameters() {
    const symbols = [this.name, ...this.others].map((name) => ["symbol", name]);
    return [...symbols, ["range", this.range], ["currency", this.page.currency]];
  }

  draw(chart) {
    this.chart = chart;
    const parsed = new DOMParser().parseFromString(chart.svg, "image/svg+xml").documentElement;
    const svg = document.importNode(parsed, true);
    // A fixed size would not fit a narrower window until the next chart is loaded.
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    const focused = document.activeElement?.dataset?.limit;
    this.picture.replaceChildren(svg);
    this.caption.textContent = chart.caption;
    this.showChips();
    if (chart.limits?.length) this.addHandles(svg, focused);
  }

  showChips() {
    this.chips.replaceChildren(
      ...this.others.map((name) => {
        const chip = element("button", "chip", `${name} ×`);
        chip.type = "button";
        chip.setAttribute("aria-label", texts.remove(name));
        chip.addEventListener("click", () => {
          this.others = this.others.filter((other) => other !== name);
          this.load();
        });
        return chip;
      }),
    );
  }

  // Limits

  addHandles(svg, focused) {
    // The chart is an image without controls, so the handles are in a separate layer above it.
    const layer = document.createElementNS(drawing, "svg");
    layer.setAttribute("viewBox", svg.getAttribute("viewBox"));
    layer.classList.add("handles");
    this.layer = layer;
    this.handles = this.chart.limits.map((limit) => this.handle(limit, layer));
    this.picture.append(layer, element("p", "dim hint", texts.limitHint));
    if (focused) layer.querySelector(`[data-limit="${CSS.escape(focused)}"]`)?.focus();
  }

  handle(limit, layer) {
    const { left, right } = this.chart.frame;
    const group = document.createElementNS(drawing, "g");
    group.classList.add("handle");
    group.dataset.limit = `${limit.bound} ${limit.rule}`;
    group.setAttribute("role", "slider");
    group.setAttribute("tabindex", "0");
    group.setAttribute("aria-orientation", "vertical");
    group.setAttribute("aria-label", texts.limitName(limit.bound, limit.rule));
    const line = (className) => {
      const made = document.createElementNS(drawing, "line");
      made.classList.add(className);
      made.setAttribute("x1", left);
      made.setAttribute("x2", right);
      group.append(made);
    };
    line("grip");
    line("bar");
    const knob = document.createElementNS(drawing, "path");
    knob.classList.add("knob");
    group.append(knob);
    layer.append(group);
    const handle = { limit, group };
    this.place(handle, Number(limit.value), limit.text);
    group.addEventListener("pointerdown", (event) => this.drag(event, handle));
    // Touching a limit must not scroll the page, but SVG elements do not always honour touch-action.
    group.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    group.addEventListener("keydown", (event) => this.press(event, handle));
    return handle;
  }

  place({ limit, group }, value, text) {
    const { right, top, bottom } = this.chart.frame;
    const y = Math.min(bottom, Math.max(top, this.y(value * limit.factor)));
    for (const line of group.querySelectorAll("line")) {
      line.setAttribute("y1", y);
      line.setAttribute("y2", y);
    }
    const x = right - 12;
    group.querySelector(".knob").setAttribute("d", `M${x - 7} ${y - 3}L${x} ${y - 11}L${x + 7} ${y - 3}Z` +
      `M${x - 7} ${y + 3}L${x} ${y + 11}L${x + 7} ${y + 3}Z`);
    group.setAttribute("aria-valuenow", value);
    group.setAttribute("aria-valuetext", text ?? String(value));
  }

  y(value) {
    const { top, bottom, low, high, logarithmic } = this.chart.frame;
    const scale = logarithmic ? Math.log : (number) => number;
    return bottom - ((scale(value) - scale(low)) / (scale(high) - scale(low))) * (bottom - top);
  }

  valueAt(y, limit) {
    const { top, bottom, low, high, logarithmic } = this.chart.frame;
    const share = (bottom - y) / (bottom - top);
    const value = logarithmic ? low * (high / low) ** share : low + share * (high - low);
    return value / limit.factor;
  }

  /** Rounds a value to the nearest multiple of the limit's step, and formats it without an exponent. */
  snapped(value, limit) {
    const step = Number(limit.step);
    const decimals = (limit.step.split(".")[1] ?? "").length;
    return Math.max(step, Math.round(value / step) * step).toFixed(decimals);
  }

  drag(event, handle) {
    if (event.button !== 0) return;
    event.preventDefault();
    handle.group.focus({ preventScroll: true });
    handle.group.setPointerCapture(event.pointerId);
    this.grab(handle);
    const move = (event) => {
      const box = this.layer.getBoundingClientRect();
      const y = ((event.clientY - box.top) / box.height) * this.layer.viewBox.baseVal.height;
      this.move(this.snapped(this.valueAt(y, handle.limit), handle.limit), true);
    };
    const stop = () => {
      handle.group.removeEventListener("pointermove", move);
      handle.group.removeEventListener("pointerup", stop);
      handle.group.removeEventListener("pointercancel", stop);
    };
    handle.group.addEventListener("pointermove", move);
    handle.group.addEventListener("pointerup", stop);
    handle.group.addEventListener("pointercancel", stop);
  }

  press(event, handle) {
    const steps = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (steps) {
      event.preventDefault();
      this.grab(handle);
      const value = Number(this.moved.value) + steps * Number(handle.limit.step);
      this.move(this.snapped(value, handle.limit), true);
    } else if (event.key === "Enter" && this.moved) {
      event.preventDefault();
      this.confirm();
    } else if (event.key === "Escape" && this.moved) {
      event.preventDefault();
      this.release();
    }
  }

  grab(handle) {
    if (this.moved?.handle === handle) return;
    if (this.moved) this.place(this.moved.handle, Number(this.moved.handle.limit.value), this.moved.handle.limit.text);
    this.moved = { handle, value: handle.limit.value, text: handle.limit.text };
    const { bound, rule, currency } = handle.limit;
    this.editorText.textContent = texts.newLimit(bound, rule, currency);
    this.editor.hidden = false;
    this.editorInput.value = handle.limit.value;
    this.outcome.textContent = "";
  }

  move(value, isFromHandle = false) {
    if (!this.moved) return;
    const { handle } = this.moved;
    const number = Number(value);
    if (!(number > 0)) return;
    this.moved.value = value;
    if (isFromHandle) this.editorInput.value = value;
    this.place(handle, number);
    handle.group.classList.add("moving");
    clearTimeout(this.trialTimer);
    this.trialTimer = setTimeout(() => this.tryLimit(), 120);
  }

  async tryLimit() {
    const { moved } = this;
    if (!moved) return;
    const { rule, bound } = moved.handle.limit;
    const { value } = moved;
    try {
      const parameters = [...this.parameters(), ["rule", rule], ["bound", bound], ["value", value]];
      const trial = await get("api/trial", parameters);
      if (this.moved !== moved || moved.value !== value) return;
      moved.text = trial.text;
      moved.textValue = value;
      moved.handle.group.setAttribute("aria-valuetext", trial.text);
      this.outcome.textContent = `${trial.text}. ${texts.firings(trial.firings)}`;
    } catch (failure) {
      this.outcome.textContent = failure.message;
    }
  }

  async confirm() {
    if (!this.moved) return;
    const { handle, value } = this.moved;
    const { rule, bound, currency } = handle.limit;
    const text = this.moved.textValue === value ? this.moved.text : `${value} ${currency}`;
    const question = texts.askLimit(this.name, bound, rule, text);
    const isDone = await this.page.change(question, "api/limit", { rule, symbol: this.name, bound, value });
    if (isDone) this.release();
  }

  /** Cancels the move and restores the limit's handle. */
  release() {
    clearTimeout(this.trialTimer);
    const had = this.moved;
    this.moved = null;
    this.editor.hidden = true;
    if (!had) return;
    had.handle.group.classList.remove("moving");
    this.place(had.handle, Number(had.handle.limit.value), had.handle.limit.text);
    this.load();
  }
}
