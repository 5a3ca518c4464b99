// The page: a photograph comes in, the service analyses it, and the answer is drawn and listed.

import { analyze, requestNames, ServiceError, useToken } from "./api.js";
import { Camera, isAllowed } from "./camera.js";
import { Choices } from "./choices.js";
import { itemsOf } from "./items.js";
import { describe, fill, mark } from "./panel.js";
import { picture, Stage } from "./stage.js";

const parts = Object.fromEntries([...document.querySelectorAll("[id]")].map((element) => [element.id, element]));

// How often a busy server is asked again, and the longest that is waited for it, in seconds.
const MOST_TRIES = 4;
const LONGEST_WAIT = 30;

const state = {
  file: null, // the photograph, a Blob
  opening: false, // the browser is decoding the photograph
  record: null, // the service's answer
  items: {}, // by request
  off: new Set(), // layers that are not drawn
  running: null, // the AbortController of the analysis in progress
  pinned: null, // the item whose tip stays
  sent: null, // the requests of the answer, as JSON
};
let choices = null;

// MARK: What is shown

const threshold = () => Number(parts.threshold.value) / 100;
// What is not drawn hides nothing: it is listed whatever its confidence is.
const isShown = (item) => !item.box || item.confidence === null || item.confidence >= threshold();
const shown = (name) => (state.items[name] ?? []).filter(isShown);
const drawn = () => Object.keys(state.items).filter((name) => !state.off.has(name))
  .flatMap(shown).filter((item) => item.box);
const colours = () => Object.fromEntries(choices.requests.map((request) => [request.name, request.colour]));

const stage = new Stage(parts, { items: drawn, colours, labels: () => parts.labels.checked, pointed });

function pointed(item, event, isPressed) {
  if (isPressed) state.pinned = item === state.pinned ? null : item;
  else if (state.pinned) return;
  stage.emphasise(item);
  mark(parts.layers, item, Boolean(isPressed && item));
  showTip(item, event);
}

function showTip(item, event) {
  parts.tip.hidden = !item;
  parts.canvas.style.cursor = item ? "pointer" : "";
  if (!item) return;
  describe(parts.tip, item, choices.requests.find((request) => request.name === item.layer));
  const room = parts.stage.getBoundingClientRect();
  const { width, height } = parts.tip.getBoundingClientRect();
  const x = event.clientX - room.x + 14;
  const y = event.clientY - room.y + 14;
  parts.tip.style.left = `${Math.max(4, Math.min(x, room.width - width - 4))}px`;
  parts.tip.style.top = `${y + height > room.height ? Math.max(4, y - height - 28) : y}px`;
}

function unpin() {
  state.pinned = null;
  parts.tip.hidden = true;
  stage.emphasise(null);
  mark(parts.layers, null, false);
}

function refreshResults() {
  parts.thresholdText.value = `${parts.threshold.value} %`;
  if (!state.record) return;
  unpin();
  const { results, errors } = state.record;
  const asked = choices.requests.filter(({ name }) => name in results || name in errors);
  const stateOf = (name) => ({
    items: state.items[name] ?? [], shown: shown(name), off: state.off.has(name), error: errors[name] ?? null });
  fill(parts.layers, asked, stateOf, {
    point: (item) => { if (!state.pinned) stage.emphasise(item); },
    toggle: (name, isDrawn) => {
      if (isDrawn) state.off.delete(name); else state.off.add(name);
      unpin();
      stage.render();
    },
  });
  stage.render();
}

function refreshButtons() {
  const ready = Boolean(state.file && choices?.chosen.size && !state.running && !state.opening);
  parts.analyze.disabled = !ready;
  const isSame = state.record && state.sent === JSON.stringify(choices.asJSON);
  parts.analyze.textContent = isSame ? "Analyse again" : "Analyse";
  parts.save.disabled = !state.record;
  parts.toolbar.hidden = !state.file;
  parts.invitation.hidden = Boolean(state.file);
  parts.busy.hidden = !state.running;
  const isBusy = state.running || state.opening;
  parts.stage.dataset.state = isBusy ? "busy" : state.record ? "done" : state.file ? "photo" : "empty";
}

function say(text) { parts.status.textContent = text; }

function showError(error) {
  parts.error.hidden = !error;
  if (!error) return;
  const known = error instanceof ServiceError;
  parts.errorTitle.textContent = known ? error.title : "Something went wrong in this page.";
  parts.errorText.textContent = error.message;
  parts.tokenForm.hidden = error.status !== 401;
  // The same photograph fails again for what is wrong with itself.
  parts.retry.hidden = [400, 401, 413, 415, 422].includes(error.status) || !(state.file || !choices);
}

// MARK: Analysing

function wait(seconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("Cancelled", "AbortError"));
    });
  });
}

/** Sends the photograph, and again after the time that a busy server names. */
async function answer(requests, signal) {
  for (let attempt = 1; ; attempt += 1) {
    parts.busyText.textContent = "Analysing…";
    try {
      return await analyze(state.file, requests, signal);
    } catch (error) {
      const isBusy = error.status === 429 && error.retryAfter !== null && error.retryAfter <= LONGEST_WAIT;
      if (!isBusy || attempt === MOST_TRIES) throw error;
      parts.busyText.textContent = `The server is busy. Trying again in ${error.retryAfter} s…`;
      await wait(error.retryAfter, signal);
    }
  }
}

async function run() {
  if (!state.file || !choices?.chosen.size) return;
  state.running?.abort();
  const running = new AbortController();
  const requests = choices.asJSON;
  state.running = running;
  showError(null);
  say("");
  refreshButtons();
  const start = performance.now();
  try {
    const record = await answer(requests, running.signal);
    if (state.running !== running) return;
    if (record.error) throw new ServiceError(422, "The photograph cannot be analysed.", record.error);
    showRecord(record, requests, (performance.now() - start) / 1000);
  } catch (error) {
    if (state.running !== running) return;
    if (error.name === "AbortError") say("Cancelled."); else showError(error);
  } finally {
    if (state.running === running) state.running = null;
    refreshButtons();
  }
}

function showRecord(record, requests, seconds) {
  Object.assign(state, { record, items: itemsOf(record), sent: JSON.stringify(requests) });
  parts.json.textContent = JSON.stringify(record, null, 2);
  parts.results.hidden = false;
  stage.show(stage.picture, record.image);
  refreshResults();
  const count = Object.values(record.results).flat().length;
  const { width, height } = record.image;
  const plain = stage.picture ? "" : " This browser cannot show the format, so results are drawn on a plain ground.";
  const found = count === 1 ? "1 result" : `${count} results`;
  say(`${found} in ${seconds.toFixed(1)} s · ${width} × ${height} pixels.${plain}`);
  parts.canvas.setAttribute("aria-label", `The photograph, with ${drawn().length} results drawn over it`);
}

// MARK: Photographs

async function open(file, name) {
  state.running?.abort();
  Object.assign(state, { file, opening: true, record: null, items: {}, running: null });
  parts.results.hidden = true;
  parts.file.textContent = name;
  showError(null);
  say("");
  unpin();
  stage.clear();
  refreshButtons();
  const bitmap = await picture(file);
  if (state.file !== file) return bitmap?.close();
  state.opening = false;
  if (bitmap) stage.show(bitmap, { width: bitmap.width, height: bitmap.height });
  refreshButtons();
  return run();
}

function openFiles(files) {
  const file = [...(files ?? [])].find((one) => one.type === "" || one.type.startsWith("image/"));
  if (file) open(file, file.name || "Pasted photograph");
  else if (files?.length) {
    showError(new ServiceError(0, "This is not a photograph.", `“${files[0].name}” is a file of another kind.`));
    parts.retry.hidden = true;
  }
}

function choose() {
  parts.input.value = "";
  parts.input.click();
}

function followDragging() {
  let depth = 0;
  const shows = (value) => { parts.curtain.hidden = !value; };
  const carriesFiles = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragenter", (event) => { if (carriesFiles(event)) { depth += 1; shows(true); } });
  addEventListener("dragleave", (event) => { if (carriesFiles(event) && --depth <= 0) { depth = 0; shows(false); } });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    shows(false);
    openFiles(event.dataTransfer?.files);
  });
}

async function save() {
  const file = await stage.file();
  if (!file) {
    return showError(new ServiceError(0, "The drawing cannot be saved.", "The browser has no memory for it."));
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${parts.file.textContent.replace(/\.[^.]+$/, "") || "photograph"}-results.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function copy() {
  try {
    await navigator.clipboard.writeText(parts.json.textContent);
    parts.copy.textContent = "Copied";
  } catch {
    // Without HTTPS there is no clipboard: the text is selected, to be copied by hand.
    getSelection().selectAllChildren(parts.json);
    parts.copy.textContent = "Selected: press Ctrl+C";
  }
  setTimeout(() => { parts.copy.textContent = "Copy"; }, 2500);
}

function select(tab) {
  for (const [button, panel] of [[parts.tabResults, parts.panelResults], [parts.tabJSON, parts.panelJSON]]) {
    button.setAttribute("aria-selected", String(button === tab));
    button.tabIndex = button === tab ? 0 : -1;
    panel.hidden = button !== tab;
  }
}

function zoom() {
  stage.actual = !stage.actual;
  parts.zoom.setAttribute("aria-pressed", String(stage.actual));
  parts.stage.classList.toggle("actual", stage.actual);
  if (stage.size) stage.render();
}

function connect() {
  for (const button of [parts.choose, parts.another]) button.addEventListener("click", choose);
  parts.input.addEventListener("change", () => openFiles(parts.input.files));
  addEventListener("paste", ({ clipboardData: { files } }) => { if (files.length) openFiles(files); });
  followDragging();
  parts.analyze.addEventListener("click", run);
  parts.cancel.addEventListener("click", () => state.running?.abort());
  parts.retry.addEventListener("click", () => (choices ? run() : start()));
  parts.save.addEventListener("click", save);
  parts.copy.addEventListener("click", copy);
  parts.zoom.addEventListener("click", zoom);
  parts.threshold.addEventListener("input", refreshResults);
  parts.labels.addEventListener("change", () => stage.size && stage.render());
  parts.all.addEventListener("click", () => choices?.chooseAll(true));
  parts.none.addEventListener("click", () => choices?.chooseAll(false));
  for (const [tab, other] of [[parts.tabResults, parts.tabJSON], [parts.tabJSON, parts.tabResults]]) {
    tab.addEventListener("click", () => select(tab));
    tab.addEventListener("keydown", ({ key }) => {
      if (key === "ArrowLeft" || key === "ArrowRight") { select(other); other.focus(); }
    });
  }
  parts.tokenForm.addEventListener("submit", (event) => {
    event.preventDefault();
    useToken(parts.token.value);
    parts.token.value = "";
    if (choices) run(); else start();
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") unpin();
    const isTyping = event.target.closest("input, select, textarea, dialog");
    if (event.key === "z" && state.file && !isTyping && !event.ctrlKey && !event.metaKey) zoom();
  });
  if (isAllowed()) {
    const camera = new Camera({
      dialog: parts.cameraDialog, video: parts.video, problem: parts.cameraProblem, close: parts.cameraClose,
      turn: parts.cameraTurn, shoot: parts.shoot }, (blob) => open(blob, "Camera"));
    for (const button of [parts.camera, parts.cameraAgain]) {
      button.hidden = false;
      button.addEventListener("click", () => camera.open());
    }
  }
}

async function start() {
  showError(null);
  try {
    choices = new Choices(parts.chips, parts.optionFields, await requestNames(), refreshButtons);
    refreshButtons();
    if (state.file) run();
  } catch (error) {
    showError(error);
  }
}

parts.host.textContent = location.host;
parts.thresholdText.value = `${parts.threshold.value} %`;
connect();
start();
