// Draws items over a photograph, and says which one is at a point. Knows nothing of the page around the canvas.

const HALO = "rgba(0, 0, 0, 0.55)";
const LONGEST_LABEL = 38;

/** How a drawing of `width` × `height` pixels shows an image. `unit`: the pixels of the drawing that look like one. */
export class View {
  constructor(image, width, height, unit) {
    Object.assign(this, { width, height, unit, scale: width / image.width });
  }

  at([x, y]) { return [x * this.scale, y * this.scale]; }

  box({ x, y, width, height }) {
    const s = this.scale;
    return { x: x * s, y: y * s, width: width * s, height: height * s };
  }
}

function path(view, line) {
  const made = new Path2D();
  line.points.forEach((point, index) => {
    const [x, y] = view.at(point);
    if (index) made.lineTo(x, y); else made.moveTo(x, y);
  });
  if (line.closed) made.closePath();
  return made;
}

const smaller = ({ width, height }) => Math.min(width, height) || Math.max(width, height);

function drawItem(context, view, item, colour, emphasised) {
  context.lineJoin = "round";
  context.lineCap = "round";
  // Around small things, such as lines of a page, strong lines would hide what is inside.
  const strength = item.lines.length ? Math.max(0.4, Math.min(1, smaller(view.box(item.box)) / (24 * view.unit))) : 1;
  for (const line of item.lines) {
    const made = path(view, line);
    const width = (line.thin ? 1.25 : 2 * strength) * view.unit * (emphasised ? 1.6 : 1);
    if (line.closed && !line.thin) {
      context.globalAlpha = emphasised ? 0.3 : 0.1;
      context.fillStyle = colour;
      context.fill(made);
      context.globalAlpha = 1;
    }
    context.lineWidth = width + 1.5 * strength * view.unit;
    context.strokeStyle = HALO;
    context.stroke(made);
    context.lineWidth = width;
    context.strokeStyle = line.colour ?? colour;
    context.stroke(made);
  }
  for (const dot of item.dots) {
    const [x, y] = view.at(dot.point);
    context.beginPath();
    context.arc(x, y, (emphasised ? 4.5 : 3.2) * view.unit, 0, 2 * Math.PI);
    context.fillStyle = dot.colour;
    context.fill();
    context.lineWidth = 1.2 * view.unit;
    context.strokeStyle = HALO;
    context.stroke();
  }
}

const overlaps = (a, b) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Returns black or white, whichever is read better on a colour. */
export function ink(colour) {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return (0.299 * r + 0.587 * g + 0.114 * b) / 255 > 0.5 ? "#000000" : "#ffffff";
}

/** Returns where a label may stand, the best first: above an item, below, and to its right. */
function spotsFor(view, item, width, height) {
  const [top, bottom, gap] = [view.at(item.top), view.at(item.bottom), 2 * view.unit];
  const box = view.box(item.box);
  const inside = (x) => Math.max(0, Math.min(x, view.width - width));
  return [
    { x: inside(top[0] - gap), y: top[1] - height - 2 * gap },
    { x: inside(bottom[0] - gap), y: bottom[1] + 2 * gap },
    { x: box.x + box.width + 2 * gap, y: box.y + (box.height - height) / 2 },
    { x: inside(top[0] - gap), y: top[1] + gap },
  ].map((spot) => ({ ...spot, width, height }))
    .filter((spot) => spot.y >= 0 && spot.y + height <= view.height && spot.x + width <= view.width);
}

/** Draws the label of an item; not at all where there is no room, unless it must be seen. */
function drawLabel(context, view, item, colour, taken, must) {
  const size = 12 * view.unit;
  context.font = `600 ${size}px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif`;
  let text = item.title.replace(/\s+/g, " ");
  if (text.length > LONGEST_LABEL) text = `${text.slice(0, LONGEST_LABEL - 1)}…`;
  const [padding, height] = [5 * view.unit, size * 1.5];
  const width = context.measureText(text).width + 2 * padding;
  const spots = spotsFor(view, item, width, height);
  const spot = spots.find((free) => !taken.some((other) => overlaps(free, other))) ?? (must ? spots[0] : null);
  if (!spot) return;
  taken.push(spot);
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(spot.x, spot.y, width, height, 3 * view.unit);
  context.fill();
  context.fillStyle = ink(colour);
  context.textBaseline = "middle";
  context.fillText(text, spot.x + padding, spot.y + height / 2 + 0.5 * view.unit);
}

/** Returns the middle of each line of text, which labels keep clear of: what was read must stay readable. */
function textLines(view, items) {
  return items.filter((item) => item.layer === "text").map((item) => {
    const { x, y, width, height } = view.box(item.box);
    return { x, y: y + height / 4, width, height: height / 2 };
  });
}

/**
 * Draws a photograph (null: a plain ground) and the items over it.
 *
 * @param colours the colour of each layer by its name
 * @param options `labels`: whether titles are drawn; `emphasised`: the item that is pointed at, if any
 */
export function draw(context, view, picture, items, colours, { labels, emphasised }) {
  context.clearRect(0, 0, view.width, view.height);
  if (picture) {
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, 0, 0, view.width, view.height);
  } else {
    context.fillStyle = "#5b6470";
    context.fillRect(0, 0, view.width, view.height);
  }
  const ordered = [...items].sort((a, b) => (a === emphasised) - (b === emphasised));
  for (const item of ordered) drawItem(context, view, item, colours[item.layer], item === emphasised);
  const taken = textLines(view, items);
  const named = labels ? [...ordered].reverse() : ordered.filter((item) => item === emphasised);
  for (const item of named) drawLabel(context, view, item, colours[item.layer], taken, item === emphasised);
}

/** Returns the item at a point of the drawing, null where there is none: of several, the smallest. */
export function hit(context, view, items, x, y) {
  context.save();
  context.lineWidth = 14 * view.unit;
  const found = items.filter((item) => item.lines.some((line) => {
    const made = path(view, line);
    return (line.closed && context.isPointInPath(made, x, y)) || context.isPointInStroke(made, x, y);
  }) || item.dots.some((dot) => {
    const [dotX, dotY] = view.at(dot.point);
    return Math.hypot(dotX - x, dotY - y) <= 9 * view.unit;
  }));
  context.restore();
  const area = ({ box }) => Math.max(box.width, 1) * Math.max(box.height, 1);
  return found.sort((a, b) => area(a) - area(b))[0] ?? null;
}
