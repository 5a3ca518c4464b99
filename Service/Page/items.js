// From a record of the service to items: what the page lists and draws, one for each result. Coordinates are pixels of
// the upright image.
//
// An item has `layer` (the name of the request), `title`, `confidence` (0 to 1, or null), `facts` (pairs of words), and
// `lines`: `points`, whether they are `closed`, and where it differs from the layer's, a `colour`. `dots` are points
// alone. `box` is what surrounds everything, null where there is nothing to draw; `top` and `bottom` are the highest
// and the lowest point.

import { BODY, HAND } from "./skeletons.js";

// Joints that are less certain are not drawn.
const LEAST_JOINT = 0.2;

const CLOSED_REGIONS = new Set(["leftEye", "rightEye", "outerLips", "innerLips"]);

export const percent = (value) => `${Math.round(value * 100)} %`;
const degrees = (value) => `${value.toFixed(1).replace("-", "−")}°`;
const words = (name) => name.replace(/[_-]/g, " ");
const numbers = (values) => values.map((value) => Math.round(value)).join(", ");

function outline(box) {
  const { x, y, width, height } = box;
  return [[x, y], [x + width, y], [x + width, y + height], [x, y + height]];
}

/** What surrounds points, and the highest and the lowest of them; null without points. */
function extent(points) {
  if (!points.length) return { box: null, top: null, bottom: null };
  const xs = points.map((point) => point[0]);
  const ys = points.map((point) => point[1]);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const box = { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
  const ordered = [...points].sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  const lowest = ordered.at(-1)[1];
  return { box, top: ordered[0], bottom: ordered.find((point) => point[1] === lowest) };
}

/** The box or the corners of a result, as facts and as a line. */
function placed(result) {
  if (result.corners) {
    const corners = result.corners.map(([x, y]) => `${Math.round(x)}, ${Math.round(y)}`).join(" · ");
    return { facts: [["Corners", corners]], lines: [{ points: result.corners, closed: true }] };
  }
  if (result.box) {
    const { x, y, width, height } = result.box;
    const facts = [["Position", numbers([x, y])], ["Size", `${Math.round(width)} × ${Math.round(height)}`]];
    return { facts, lines: [{ points: outline(result.box), closed: true }] };
  }
  return { facts: [], lines: [] };
}

function landmarks(found) {
  const lines = [];
  const dots = [];
  for (const [region, points] of Object.entries(found?.regions ?? {})) {
    if (region === "allPoints" || region === "medianLine") continue;
    if (points.length < 2) {
      dots.push(...points.map((point) => ({ point, colour: "#ffffff" })));
      continue;
    }
    // The last of the nose's eight points is its tip, which is not on the outline.
    const path = region === "nose" && points.length === 8 ? points.slice(0, -1) : points;
    lines.push({ points: path, closed: CLOSED_REGIONS.has(region), colour: "#ffffff", thin: true });
  }
  return { lines, dots };
}

function skeleton(joints, chains) {
  const seen = (name) => joints[name] && (joints[name].confidence ?? 1) >= LEAST_JOINT;
  const lines = [];
  const dots = [];
  for (const [colour, ...names] of chains) {
    for (let index = 1; index < names.length; index += 1) {
      if (!seen(names[index - 1]) || !seen(names[index])) continue;
      lines.push({ points: [joints[names[index - 1]].point, joints[names[index]].point], closed: false, colour });
    }
    for (const name of names.filter(seen)) dots.push({ point: joints[name].point, colour });
  }
  return { lines, dots };
}

/** What is particular to a request; the rest follows from the fields that a result has. */
const KINDS = {
  classify: (result) => ({
    title: words(result.identifier),
    facts: result.parents?.length ? [["Kind of", result.parents.map(words).join(", ")]] : [],
  }),
  faces: (result, index) => {
    const facts = [];
    if (result.quality != null) facts.push(["Capture quality", percent(result.quality)]);
    for (const [name, field] of [["Roll", "roll"], ["Yaw", "yaw"], ["Pitch", "pitch"]]) {
      if (result[field] != null) facts.push([name, degrees(result[field])]);
    }
    return { title: `Face ${index + 1}`, facts, ...landmarks(result.landmarks) };
  },
  people: (_, index) => ({ title: `Person ${index + 1}` }),
  animals: (result) => ({ title: result.label ?? "Animal" }),
  pose: (result, index) => ({ title: `Body ${index + 1}`, ...skeleton(result.joints, BODY) }),
  hands: (result, index) => ({
    title: result.chirality ? `${result.chirality === "left" ? "Left" : "Right"} hand` : `Hand ${index + 1}`,
    ...skeleton(result.joints, HAND),
  }),
  text: (result) => ({ title: result.text }),
  barcodes: (result) => {
    const facts = [["Kind", result.symbology]];
    if (result.supplement) facts.push(["Supplement", result.supplement]);
    if (result.base64) facts.push(["Bytes", `${result.base64} (Base64)`]);
    return { title: result.payload ?? "Bytes that are not text", facts };
  },
  rectangles: (_, index) => ({ title: `Rectangle ${index + 1}` }),
  document: () => ({ title: "Page" }),
  horizon: (result, _, image) => {
    // Through the middle of the image, from edge to edge; the angle is counter-clockwise, and y points down.
    const angle = (result.angle * Math.PI) / 180;
    const [x, y] = [image.width / 2, image.height / 2];
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const reach = Math.min(x / Math.max(Math.abs(cos), 1e-6), y / Math.max(Math.abs(sin), 1e-6));
    const [dx, dy] = [cos * reach, -sin * reach];
    return { title: `Tilted by ${degrees(result.angle)}`, lines: [{ points: [[x - dx, y - dy], [x + dx, y + dy]] }] };
  },
  saliency: (result, index) => ({ title: `Region ${index + 1}` }),
  print: (result) => ({ title: `${result.count} numbers`, facts: [["Revision", String(result.revision)]] }),
};

function item(layer, result, index, image) {
  const where = placed(result);
  const particular = KINDS[layer]?.(result, index, image) ?? {};
  const lines = [...where.lines, ...(particular.lines ?? [])];
  const dots = particular.dots ?? [];
  const points = [...lines.flatMap((line) => line.points), ...dots.map((dot) => dot.point)];
  return {
    layer, index, lines, dots, ...extent(points),
    title: particular.title ?? result.label ?? result.identifier ?? result.text ?? `Result ${index + 1}`,
    confidence: result.confidence ?? null,
    facts: [...(particular.facts ?? []), ...where.facts],
  };
}

/** Returns the items of a record by request, in the order of its results. */
export function itemsOf(record) {
  const layers = {};
  for (const [layer, results] of Object.entries(record.results)) {
    layers[layer] = results.map((result, index) => item(layer, result, index, record.image));
  }
  return layers;
}
