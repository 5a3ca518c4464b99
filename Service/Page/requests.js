// What the page knows about the requests of the service: titles, colours and options. A request that is not here is
// offered under its own name, and its results are drawn by the shapes that they have.

const COLOURS = ["#d4925c", "#e040fb", "#a5e6a0", "#ffabbe"];

/** A row is: title, colour of the layer, whether it is chosen at first, parameters, and options of the user. */
const KNOWN = {
  classify: { title: "Classes", colour: "#7996ff", chosen: true, options: [
    { name: "top", title: "Classes shown", values: [[5, "5"], [10, "10"], [20, "20"]] }] },
  faces: { title: "Faces", colour: "#ffca28", chosen: true, parameters: { landmarks: true, quality: true } },
  people: { title: "People", colour: "#40c463", options: [
    { name: "upperBody", title: "People by", values: [[false, "whole body"], [true, "upper body"]] }] },
  animals: { title: "Cats and dogs", colour: "#ff7043" },
  pose: { title: "Body poses", colour: "#26d6ce" },
  hands: { title: "Hands", colour: "#cddc39", options: [
    { name: "maximumCount", title: "Hands at most", values: [[2, "2"], [4, "4"], [8, "8"]] }] },
  text: { title: "Text", colour: "#42a5f5", chosen: true, options: [
    { name: "level", title: "Reading text", values: [["accurate", "accurate"], ["fast", "fast"]] }] },
  barcodes: { title: "Barcodes", colour: "#ec5ab6", chosen: true },
  rectangles: { title: "Rectangles", colour: "#ab80ff" },
  document: { title: "Document", colour: "#14a08c" },
  horizon: { title: "Horizon", colour: "#ef5350" },
  saliency: { title: "What stands out", colour: "#81d4fa", options: [
    { name: "kind", title: "What stands out", values: [["attention", "to the eye"], ["objectness", "as objects"]] }] },
  print: { title: "Feature print", colour: "#909aa8" },
};

/** Returns what the page knows about each of the service's requests, the familiar ones first and in their order. */
export function described(names) {
  const order = Object.keys(KNOWN);
  const rank = (name) => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...names].sort((a, b) => rank(a) - rank(b)).map((name, index) => ({
    name, title: name, colour: COLOURS[index % COLOURS.length], chosen: false, parameters: {}, options: [],
    ...KNOWN[name],
  }));
}

/** Returns a request as the service takes it: the name, or an object with the parameters that are not the usual. */
export function asJSON(request, values) {
  const parameters = { ...request.parameters };
  for (const option of request.options) {
    const chosen = values[option.name];
    if (chosen !== undefined && chosen !== option.values[0][0]) parameters[option.name] = chosen;
  }
  return Object.keys(parameters).length ? { name: request.name, ...parameters } : request.name;
}
