// The calls to the service, and its errors in plain words.

/** An error that the user is told: a title, a sentence, the HTTP status (0 without an answer) and seconds to wait. */
export class ServiceError extends Error {
  constructor(status, title, message, retryAfter = null) {
    super(message);
    Object.assign(this, { status, title, retryAfter });
  }
}

const TITLES = {
  400: "The request was not understood.",
  401: "This server asks for an access token.",
  403: "This server does not allow it.",
  404: "This server does not offer that.",
  408: "The photograph took too long to arrive.",
  413: "The photograph is too large for this server.",
  415: "This is not an image format that the server reads.",
  422: "The photograph cannot be analysed.",
  429: "The server is busy.",
  503: "The server is not ready.",
};
// Where one status has several reasons, by the code of the error.
const TITLES_OF_CODES = {
  timeout: "The analysis took too long.",
  closing: "The server is shutting down.",
  unavailable: "The server lacks a network that this needs.",
};

let token = null;

/** Sets the access token of later calls. It is forgotten with the page. */
export function useToken(value) {
  // Headers cannot hold other characters; such a token is wrong in any case, and the service says so.
  token = value?.replace(/[^\x21-\x7e]/g, "?") || null;
}

async function call(path, options = {}) {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  let response;
  try {
    response = await fetch(path, { ...options, headers, cache: "no-store" });
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw new ServiceError(0, "The server cannot be reached.", "Is it still running, and is there a network?");
  }
  const text = await response.text();
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    // A proxy in front of the service answers in HTML.
    value = null;
  }
  if (response.ok && value !== null) return value;
  const title = TITLES_OF_CODES[value?.error?.code] ?? TITLES[response.status]
    ?? (response.status >= 500 ? "Something went wrong in the server." : "The server refused the request.");
  const message = value?.error?.message ?? `It answered with the HTTP status ${response.status}.`;
  const seconds = Number.parseInt(response.headers.get("Retry-After") ?? "", 10);
  throw new ServiceError(response.status, title, message, Number.isFinite(seconds) ? Math.max(seconds, 1) : null);
}

/** Returns the names of the service's requests. */
export async function requestNames() {
  const { requests } = await call("/v1/requests");
  return requests.map(({ name }) => name);
}

/** Returns the record of an image, a Blob. `requests` is an array of names or of objects with a `name`. */
export async function analyze(image, requests, signal) {
  const form = new FormData();
  form.append("requests", JSON.stringify(requests));
  form.append("image", image, "photograph");
  return call("/v1/analyze", { method: "POST", body: form, signal });
}
