// Requests to alertctl, which serves this page. Each request includes the key of the session. The key arrives after
// '#' in the address and is stored where no other host or port can read it. All addresses are relative because a
// reverse proxy may publish the page below a path.

const key = takeKey();

function takeKey() {
  const match = /^#key=([0-9a-f]+)$/.exec(location.hash);
  // Pages of several servers may share a host, so the name of the key includes the path.
  const place = new URL(".", location).pathname;
  const name = place === "/" ? "key" : `key ${place}`;
  try {
    if (match) localStorage.setItem(name, match[1]);
    return match?.[1] ?? localStorage.getItem(name) ?? "";
  } catch {
    return match?.[1] ?? "";
  } finally {
    if (match) history.replaceState(null, "", place);
  }
}

/** An error response, with its HTTP status and a message for the user. */
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
  return answer(await fetch(`${path}?${query}`, { signal, headers: { "X-Alertctl": key } }));
}

export async function post(path, body) {
  const headers = { "Content-Type": "application/json", "X-Alertctl": key };
  return answer(await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

/**
 * Listens for changes. `onTick` receives the server's status every two seconds. `onState` receives the state of the
 * connection: true if connected, false if not, null once the session has ended.
 */
export function listen(onTick, onState) {
  let last = Date.now();
  let source = null;
  const address = `api/changes?key=${key}`;
  const probe = async () => {
    const control = new AbortController();
    const response = await fetch(address, { signal: control.signal });
    control.abort();
    return response.status;
  };
  const open = () => {
    source = new EventSource(address);
    source.addEventListener("tick", (event) => {
      last = Date.now();
      onState(true);
      onTick(JSON.parse(event.data));
    });
    source.addEventListener("error", () => {
      onState(false);
      if (source.readyState !== EventSource.CLOSED) return;
      // The browser gave up: the session has ended, or there was an error that it does not retry.
      probe().then(
        (status) => (status === 401 ? onState(null) : setTimeout(open, 5000)),
        () => setTimeout(open, 5000),
      );
    });
  };
  open();
  setInterval(() => {
    if (Date.now() - last > 10000) onState(false);
  }, 2000);
}
