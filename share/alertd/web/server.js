// Requests to alertctl, which serves this page.

/** A refusal or failure, with a text for the user. */
export class Failure extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

async function answer(response) {
  const isJSON = response.headers.get("content-type") === "application/json";
  const body = isJSON ? await response.json() : { text: (await response.text()).trim() };
  if (!response.ok) throw new Failure(response.status, body.text);
  return body;
}

export async function get(path, parameters, signal) {
  const query = new URLSearchParams(parameters);
  return answer(await fetch(`${path}?${query}`, { signal }));
}

export async function post(path, body) {
  const headers = { "Content-Type": "application/json", "X-Alertctl": "1" };
  return answer(await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

/**
 * Listens for changes. `onTick` gets what the server says every two seconds, `onState` whether it is connected:
 * true, false, or null once the session has ended.
 */
export function listen(onTick, onState) {
  let last = Date.now();
  let source = null;
  const open = () => {
    source = new EventSource("/api/changes");
    source.addEventListener("tick", (event) => {
      last = Date.now();
      onState(true);
      onTick(JSON.parse(event.data));
    });
    source.addEventListener("error", () => {
      onState(false);
      if (source.readyState !== EventSource.CLOSED) return;
      // The browser gave up: the session ended, or there was an error that it does not retry.
      fetch("/icon.svg").then(
        (response) => (response.status === 401 ? onState(null) : setTimeout(open, 5000)),
        () => setTimeout(open, 5000),
      );
    });
  };
  open();
  setInterval(() => {
    if (Date.now() - last > 10000) onState(false);
  }, 2000);
}
