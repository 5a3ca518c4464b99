// The list of results: a section for each request, with a switch for its layer, and a row for each result.

import { percent } from "./items.js";

const LONGEST_LIST = 200;

function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

function bar(item, colour) {
  const track = element("span", "bar");
  const fill = element("span", "fill");
  fill.style.width = `${Math.max(1, item.confidence * 100)}%`;
  fill.style.background = colour;
  track.append(fill);
  return track;
}

function facts(item) {
  const list = element("dl", "facts");
  for (const [name, value] of item.facts) list.append(element("dt", "", name), element("dd", "", value));
  return list;
}

/** A row: something to point at, which emphasises the item, and to press, which unfolds what is known of it. */
function row(item, request, hooks) {
  const head = element("button", "row", element("span", "name", item.title));
  head.type = "button";
  if (request.name === "classify") head.append(bar(item, request.colour));
  if (item.confidence !== null) head.append(element("span", "number", percent(item.confidence)));
  const made = element("li", "", head);
  if (item.facts.length) {
    const unfolded = facts(item);
    unfolded.hidden = true;
    made.append(unfolded);
    head.setAttribute("aria-expanded", "false");
    head.addEventListener("click", () => {
      unfolded.hidden = !unfolded.hidden;
      head.setAttribute("aria-expanded", String(!unfolded.hidden));
    });
  }
  head.addEventListener("pointerenter", () => hooks.point(item));
  head.addEventListener("pointerleave", () => hooks.point(null));
  head.addEventListener("focus", () => hooks.point(item));
  head.addEventListener("blur", () => hooks.point(null));
  return made;
}

function layerSwitch(request, shown, hooks) {
  const box = element("input");
  Object.assign(box, { type: "checkbox", checked: shown });
  box.setAttribute("role", "switch");
  box.setAttribute("aria-label", `Draw ${request.title}`);
  box.dataset.layer = request.name;
  box.addEventListener("change", () => hooks.toggle(request.name, box.checked));
  return element("label", "switch", box);
}

function section(request, state, hooks) {
  const { items, shown, error } = state;
  const dot = element("span", "dot");
  dot.style.background = request.colour;
  const drawable = items.some((item) => item.box);
  const hidden = items.length - shown.length;
  const count = error ? "failed" : hidden ? `${shown.length} of ${items.length}` : String(items.length);
  const head = element("h3", "", dot, element("span", "title", request.title), element("span", "count", count));
  if (drawable) head.append(layerSwitch(request, !state.off, hooks));
  const made = element("section", "layer", head);
  made.dataset.layer = request.name;
  if (error) made.append(element("p", "problem", error));
  else if (!shown.length) made.append(element("p", "remark", "All are below the confidence that is set above."));
  const list = element("ul");
  for (const item of shown.slice(0, LONGEST_LIST)) {
    const line = row(item, request, hooks);
    line.dataset.item = `${item.layer}/${item.index}`;
    list.append(line);
  }
  if (shown.length) made.append(list);
  if (shown.length > LONGEST_LIST) {
    made.append(element("p", "remark", `and ${shown.length - LONGEST_LIST} more, in the JSON`));
  }
  return made;
}

/**
 * Fills the list.
 *
 * @param requests the requests that were asked for, as `described` gives them
 * @param stateOf a function from a name to `items`, those `shown`, `off` (the layer is not drawn), `error`
 * @param hooks `point(item or null)` and `toggle(name, isDrawn)`
 */
export function fill(container, requests, stateOf, hooks) {
  const isEmpty = ({ name }) => !stateOf(name).items.length && !stateOf(name).error;
  const sections = requests.filter((request) => !isEmpty(request))
    .map((request) => section(request, stateOf(request.name), hooks));
  const titles = requests.filter(isEmpty).map(({ title }) => title.toLowerCase());
  if (titles.length) sections.push(element("p", "layer nothing", `Nothing found: ${titles.join(", ")}.`));
  container.replaceChildren(...sections);
}

/** Marks the row of an item, if there is one, and scrolls to it. */
export function mark(container, item, scroll) {
  for (const marked of container.querySelectorAll("li.marked")) marked.classList.remove("marked");
  if (!item) return;
  const found = container.querySelector(`[data-item="${CSS.escape(`${item.layer}/${item.index}`)}"]`);
  found?.classList.add("marked");
  if (scroll) found?.scrollIntoView({ block: "nearest" });
}

/** Fills the tip beside the pointer. */
export function describe(tip, item, request) {
  const title = element("strong", "", item.title);
  const known = [["", request.title], ...(item.confidence === null ? [] : [["Confidence", percent(item.confidence)]])];
  const lines = [...known, ...item.facts]
    .map(([name, value]) => element("div", "", name ? `${name}: ${value}` : value));
  tip.replaceChildren(title, ...lines);
}
