// A field to choose an item by searching a list: the combobox pattern of the ARIA Authoring Practices Guide.
import { element } from "./list.js";
import { texts } from "./texts.js";

/** The maximum number of options shown; typing more letters narrows the list. */
const optionLimit = 60;

/** Returns the text in lower case and without accents, so that "zloty" finds "złoty". */
export function folded(text) {
  return text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "").replaceAll("ł", "l");
}

export class Combobox {
  /**
   * Each item has a `value`, a `label`, and `keys`: the folded texts that the search compares, best match first.
   * `onChoose` is called with the new value when the user chooses another item.
   */
  constructor(id, label, onChoose) {
    this.onChoose = onChoose;
    this.items = [];
    this.value = "";
    this.shown = [];
    this.active = -1;
    this.isEdited = false;
    this.root = element("div", "combobox");
    this.input = element("input");
    this.list = element("ul");
    this.status = element("p", "hidden");
    const name = element("label", "", label);
    name.htmlFor = this.input.id = id;
    this.list.id = `${id}-list`;
    this.list.hidden = true;
    this.status.setAttribute("role", "status");
    const attributes = {
      role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": this.list.id,
      autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    };
    for (const [key, value] of Object.entries(attributes)) this.input.setAttribute(key, value);
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", label);
    const box = element("div", "combobox-box");
    box.append(this.input, this.list);
    this.root.append(name, box, this.status);
    this.listen();
  }

  listen() {
    this.input.addEventListener("focus", () => this.input.select());
    this.input.addEventListener("click", () => this.open());
    this.input.addEventListener("input", () => {
      this.isEdited = true;
      this.open();
    });
    this.input.addEventListener("keydown", (event) => this.press(event));
    this.input.addEventListener("blur", () => this.leave());
    // Keep the focus in the field while the user clicks in the list.
    this.list.addEventListener("mousedown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.choose(option.item);
    });
  }

  get isOpen() {
    return !this.list.hidden;
  }

  /** Replaces the items. A list that is open shows the old items until it is opened again. */
  setItems(items) {
    this.items = items;
    if (!this.isOpen && !this.isEdited) this.show(this.value);
  }

  /** Shows the item with this value, or the value itself if there is no such item yet. */
  show(value) {
    this.value = value;
    this.isEdited = false;
    this.input.value = this.items.find((item) => item.value === value)?.label ?? value;
  }

  found() {
    const words = this.isEdited ? folded(this.input.value).split(/\s+/).filter(Boolean) : [];
    if (!words.length) return this.items;
    const found = this.matching(words);
    // If "rupees" is not found, search for "rupee".
    return found.length ? found : this.matching(words.map((word) => (word.length > 3 ? word.replace(/s$/, "") : word)));
  }

  /** Returns the items that contain every word, best match first. */
  matching(words) {
    const whole = words.join(" ");
    const rank = ({ keys }) => {
      const exact = keys.indexOf(whole);
      if (exact >= 0) return exact;
      const start = keys.findIndex((key) => key.startsWith(whole));
      if (start >= 0) return 100 + start;
      return keys.some((key) => key.split(" ").some((part) => part.startsWith(whole))) ? 200 : 300;
    };
    const matches = this.items.filter(({ keys }) => words.every((word) => keys.some((key) => key.includes(word))));
    return matches.map((item) => [rank(item), item]).sort((a, b) => a[0] - b[0]).map(([, item]) => item);
  }

  open() {
    const found = this.found();
    const chosen = this.isEdited ? 0 : found.findIndex((item) => item.value === this.value);
    // Show the part of a long list that contains the chosen item.
    const start = Math.max(0, Math.min(chosen - 10, found.length - optionLimit));
    this.shown = found.slice(start, start + optionLimit);
    this.list.replaceChildren(
      ...this.shown.map((item, index) => {
        const option = element("li", "", item.label);
        option.id = `${this.list.id}-${index}`;
        option.item = item;
        option.setAttribute("role", "option");
        option.setAttribute("aria-selected", item.value === this.value);
        return option;
      }),
    );
    this.list.hidden = !this.shown.length;
    this.input.setAttribute("aria-expanded", this.isOpen);
    this.activate(this.shown.length ? Math.max(0, chosen - start) : -1);
    this.status.textContent = this.isEdited ? texts.currenciesFound(found.length) : "";
    this.root.classList.toggle("empty", this.isEdited && !found.length);
  }

  activate(index) {
    this.list.children[this.active]?.classList.remove("active");
    this.active = index;
    const option = this.list.children[index];
    if (!option) return this.input.removeAttribute("aria-activedescendant");
    option.classList.add("active");
    option.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", option.id);
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.activate(-1);
    this.status.textContent = "";
    this.root.classList.remove("empty");
  }

  choose(item) {
    const isOther = item.value !== this.value;
    this.show(item.value);
    this.close();
    if (isOther) this.onChoose(item.value);
  }

  press(event) {
    const last = this.shown.length - 1;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    if (event.key in steps && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      if (!this.isOpen) return this.open();
      const next = this.active + steps[event.key];
      const isStep = Math.abs(steps[event.key]) === 1;
      // At either end of the list, an arrow key continues at the other end.
      this.activate(isStep && next > last ? 0 : isStep && next < 0 ? last : Math.max(0, Math.min(last, next)));
    } else if (event.key === "Enter" && this.isOpen) {
      event.preventDefault();
      if (this.shown[this.active]) this.choose(this.shown[this.active]);
    } else if (event.key === "Escape" && (this.isOpen || this.isEdited)) {
      event.preventDefault();
      this.close();
      this.show(this.value);
    }
  }

  /** Chooses the highlighted match, or else the first match, of the typed text. Without a match, restores the field. */
  leave() {
    const item = this.isEdited && this.input.value.trim() ? (this.shown[this.active] ?? this.found()[0]) : undefined;
    if (item) return this.choose(item);
    this.close();
    this.show(this.value);
  }
}
