// What the user chooses to be found: a chip for each request, and the options of those that have some.

import { asJSON, described } from "./requests.js";

export class Choices {
  /** Fills the chips and the options; `changed` is called after each change by the user. */
  constructor(chips, options, names, changed) {
    this.requests = described(names);
    this.chosen = new Set(this.requests.filter((request) => request.chosen).map((request) => request.name));
    this.values = {};
    this.chips = chips;
    this.changed = changed;
    chips.replaceChildren(...this.requests.map((request) => this.chip(request)));
    const fields = this.requests.flatMap((request) => request.options.map((option) => this.field(request, option)));
    options.replaceChildren(...fields);
  }

  chip(request) {
    const box = document.createElement("input");
    Object.assign(box, { type: "checkbox", checked: this.chosen.has(request.name), value: request.name });
    box.addEventListener("change", () => {
      if (box.checked) this.chosen.add(request.name); else this.chosen.delete(request.name);
      this.changed();
    });
    const dot = document.createElement("span");
    dot.className = "dot";
    dot.style.background = request.colour;
    const label = document.createElement("label");
    label.className = "chip";
    label.append(box, dot, request.title);
    return label;
  }

  field(request, option) {
    const select = document.createElement("select");
    select.append(...option.values.map(([, words], index) => new Option(words, index)));
    select.addEventListener("change", () => {
      this.values[request.name] = { ...this.values[request.name], [option.name]: option.values[select.value][0] };
      this.changed();
    });
    const label = document.createElement("label");
    label.append(option.title, select);
    return label;
  }

  /** Chooses all requests or none. */
  chooseAll(all) {
    this.chosen = new Set(all ? this.requests.map((request) => request.name) : []);
    for (const box of this.chips.querySelectorAll("input")) box.checked = all;
    this.changed();
  }

  /** The requests that are chosen, as the service takes them. */
  get asJSON() {
    return this.requests.filter((request) => this.chosen.has(request.name))
      .map((request) => asJSON(request, this.values[request.name] ?? {}));
  }
}
