import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Backoff } from "../../host/backoff.ts";
import { parseJson } from "../../host/json.ts";

/** Messages that wait; of more it drops the oldest. */
export const WAITING_MAX = 256;
const TIMEOUT_MS = 10_000;
const RETRY_MS = [1000, 300_000] as const;
/** Refusals that pass; after any other of 400 to 499 the same message would be refused again. */
const PASSING: readonly number[] = [408, 425, 429];
/** The environment variable with the token that it sends. */
export const TOKEN_VARIABLE = "MOTELEARN_WEBHOOK_TOKEN";

interface WebhookPorts {
  /** The messages that waited when the gateway last ran, as text; undefined: none. */
  waiting(): string | undefined;
  /** Stores the messages that wait. */
  keep(waiting: string): void;
  say(level: "info" | "warn", text: string): void;
  /** Calls `act` after so many milliseconds; returns a function that prevents it. */
  after(ms: number, act: () => void): () => void;
}

interface WebhookOptions {
  readonly url: string;
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string;
  /** Certificates, PEM, of those who vouch for the server. */
  readonly ca?: string;
}

/**
 * Posts messages to an address, one after the other, until it takes each. They wait in a bounded queue, which is on disk. It follows no
 * redirect, so that neither a message nor the token gets to another host. Of the address it logs the host alone: the rest may be secret.
 */
export class Webhook {
  private readonly url: URL;
  private waiting: string[];
  private dropped = 0;
  private readonly backoff = new Backoff(...RETRY_MS);
  private trouble = "";
  private sending = false;
  private closed = false;
  /** Prevents the next attempt, or ends the present one. */
  private cancel = () => {};

  constructor(
    private readonly options: WebhookOptions,
    private readonly ports: WebhookPorts,
  ) {
    this.url = new URL(options.url);
    this.waiting = parseJson(ports.waiting() ?? "[]") as string[];
    this.send();
  }

  post(message: string): void {
    this.waiting.push(message);
    if (this.waiting.length > WAITING_MAX) {
      // The first is under way.
      this.waiting.splice(this.sending ? 1 : 0, 1);
      this.dropped++;
    }
    this.keep();
    this.send();
  }

  close(): void {
    this.closed = true;
    this.cancel();
  }

  private keep(): void {
    this.ports.keep(JSON.stringify(this.waiting));
  }

  private send(): void {
    if (this.sending || this.waiting.length === 0 || this.closed) return;
    this.cancel(); // an alarm that comes during a pause is tried at once
    this.sending = true;
    this.attempt(this.waiting[0]).then(
      (status) => this.answered(status),
      ({ message }: Error) => this.fail(message),
    );
  }

  /** Resolves with the status of the answer, whose body isn't read. */
  private attempt(message: string): Promise<number> {
    const { url, options } = this;
    const { token, ca } = options;
    const request = url.protocol === "https:" ? requestHttps : requestHttp;
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(message),
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return new Promise((resolve, reject) => {
      const sent = request(url, { method: "POST", headers, signal, ...(ca && { ca }) }, (response) => {
        response.destroy();
        resolve(response.statusCode ?? 0);
      });
      sent.on("error", (error) => reject(signal.aborted ? new Error("no answer within 10 s") : error));
      this.cancel = () => void sent.destroy();
      sent.end(message);
    });
  }

  private answered(status: number): void {
    const isFinal = status >= 400 && status < 500 && !PASSING.includes(status);
    if (status >= 200 && status < 300) this.done(undefined);
    else if (isFinal) this.done(`refuses an alarm with status ${status}; it isn't sent again`);
    else if (status >= 300 && status < 400)
      this.fail(`status ${status}: it leads to another address; give that one`);
    else this.fail(`status ${status}`);
  }

  private done(refused: string | undefined): void {
    this.sending = false;
    this.waiting.shift();
    this.keep();
    this.backoff.reset();
    if (refused !== undefined) this.say("warn", refused);
    else if (this.trouble !== "") this.say("info", `takes alarms again${this.droppedText()}`);
    this.trouble = "";
    this.send();
  }

  private fail(why: string): void {
    this.sending = false;
    if (this.closed) return;
    if (why !== this.trouble)
      this.say("warn", `${why}; ${this.waiting.length} alarms wait, and are sent again`);
    this.trouble = why;
    this.cancel = this.ports.after(this.backoff.next(), () => this.send());
  }

  private droppedText(): string {
    const { dropped } = this;
    this.dropped = 0;
    return dropped > 0 ? `; ${dropped} of them were dropped, as more than ${WAITING_MAX} waited` : "";
  }

  private say(level: "info" | "warn", text: string): void {
    this.ports.say(level, `webhook at ${this.url.host}: ${text}`);
  }
}
