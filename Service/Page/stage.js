// The photograph with what is drawn over it: its size on the page, what the pointer is at, and saving it as a file.

import { draw, hit, View } from "./drawing.js";

// Browsers refuse larger canvases, some of them silently.
const LARGEST_SAVED = 16_000_000;

/** Returns the photograph of a file, upright as its EXIF data says; null where the browser cannot show its format. */
export async function picture(file) {
  try {
    return await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    return null;
  }
}

export class Stage {
  /**
   * Takes the elements of the stage.
   *
   * @param hooks `items()`: those that are drawn, `colours()`, `labels()`, `pointed(item or null, event, isPressed)`
   */
  constructor({ stage, sheet, canvas }, hooks) {
    Object.assign(this, { stage, sheet, canvas, hooks, picture: null, size: null, emphasised: null, actual: false });
    this.context = this.canvas.getContext("2d");
    new ResizeObserver(() => this.size && this.render()).observe(this.stage);
    const at = (event) => this.itemAt(event);
    this.canvas.addEventListener("pointermove", (event) => this.hooks.pointed(at(event), event, false));
    this.canvas.addEventListener("pointerleave", (event) => {
      if (event.pointerType !== "touch") this.hooks.pointed(null, event, false);
    });
    this.canvas.addEventListener("click", (event) => this.hooks.pointed(at(event), event, true));
  }

  /** Shows a photograph: `size` is of the upright image, in pixels. */
  show(bitmap, size) {
    if (this.picture && this.picture !== bitmap) this.picture.close();
    Object.assign(this, { picture: bitmap, size, emphasised: null });
    this.sheet.hidden = false;
    this.render();
  }

  clear() {
    this.picture?.close();
    Object.assign(this, { picture: null, size: null, emphasised: null });
    this.sheet.hidden = true;
  }

  /** The pixels of the page that the photograph takes: fitted into the stage, or those that it has. */
  get shownSize() {
    const { width, height } = this.size;
    const ratio = window.devicePixelRatio || 1;
    const room = { width: this.stage.clientWidth, height: this.stage.clientHeight };
    const fitted = Math.min(room.width / width, room.height / height, Math.max(2, 400 / Math.max(width, height)));
    const scale = this.actual ? Math.max(1 / ratio, fitted) : fitted;
    return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  }

  render() {
    const ratio = window.devicePixelRatio || 1;
    const { width, height } = this.shownSize;
    const pixels = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== pixels[0] || this.canvas.height !== pixels[1]) {
      [this.canvas.width, this.canvas.height] = pixels;
    }
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.view = new View(this.size, ...pixels, ratio);
    const items = this.hooks.items();
    draw(this.context, this.view, this.picture, items, this.hooks.colours(), {
      labels: this.hooks.labels(), emphasised: this.emphasised });
    // What is drawn, for programs that look at the page.
    const drawn = {};
    for (const item of items) drawn[item.layer] = (drawn[item.layer] ?? 0) + 1;
    this.canvas.dataset.drawn = JSON.stringify(drawn);
  }

  emphasise(item) {
    if (item === this.emphasised) return;
    this.emphasised = item?.box ? item : null;
    if (this.size) this.render();
  }

  itemAt(event) {
    if (!this.size) return null;
    const ratio = window.devicePixelRatio || 1;
    const box = this.canvas.getBoundingClientRect();
    return hit(this.context, this.view, this.hooks.items(), (event.clientX - box.x) * ratio,
      (event.clientY - box.y) * ratio);
  }

  /** Returns the photograph with what is drawn on it, a PNG file in its own size up to 16 megapixels. */
  async file() {
    const { width, height } = this.size;
    const scale = Math.min(1, Math.sqrt(LARGEST_SAVED / (width * height)));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.floor(width * scale));
    canvas.height = Math.max(1, Math.floor(height * scale));
    const unit = Math.max(1, Math.max(canvas.width, canvas.height) / 1000);
    const view = new View(this.size, canvas.width, canvas.height, unit);
    const options = { labels: this.hooks.labels(), emphasised: null };
    draw(canvas.getContext("2d"), view, this.picture, this.hooks.items(), this.hooks.colours(), options);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  }
}
