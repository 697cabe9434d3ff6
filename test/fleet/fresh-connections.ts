/**
 * Has each `fetch` of a test open a connection of its own. A gateway ends idle ones after seconds: a test that a busy
 * machine lets wait so long would send its next request on one that is just being ended.
 */
const kept = globalThis.fetch;
globalThis.fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set("connection", "close");
  return kept(input, { ...init, headers });
};

export {};
