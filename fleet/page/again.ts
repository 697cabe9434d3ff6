/** Most times that a request is sent while the gateway refuses it for now. */
const TRIES = 60;
const SERVICE_UNAVAILABLE = 503;

/** The answer to a request: one that is refused for now is sent again, once as much time has passed as its answer asks for. */
export async function answerTo(
  send: () => Promise<Response>,
  pause: (ms: number) => Promise<unknown> = (ms) => new Promise((done) => setTimeout(done, ms)),
): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await send();
    const wait = Number(response.headers.get("retry-after") ?? 0);
    if (response.status !== SERVICE_UNAVAILABLE || !(wait > 0) || tries === TRIES) return response;
    await pause(1000 * wait);
  }
}

/** A request that changes nothing when it is repeated: one that the gateway didn't answer counts as refused for now, as while it restarts. */
export function repeatable(send: () => Promise<Response>): () => Promise<Response> {
  const body = JSON.stringify({ error: "the gateway doesn't answer" });
  const again = { status: SERVICE_UNAVAILABLE, headers: { "retry-after": "1" } };
  return () => send().catch(() => new Response(body, again));
}
