import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Limiter } from "./limiter.ts";
import { networkPrefix } from "./network.ts";
import { Refusal } from "./refusal.ts";
import { isPassword, sameText, tokenHash } from "./secrets.ts";

/** Roles: look; also label; also command nodes. */
export const ROLES = ["look", "label", "operate"] as const;
export type Role = (typeof ROLES)[number];

/** True if a role includes another. */
export function mayDo(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** A person or program that may use the gateway. */
export interface User {
  readonly name: string;
  readonly role: Role;
  /** Hashes of a password, for people, and of a token, for programs; at least one. */
  readonly password?: string;
  readonly token?: string;
}

/** The sender of a request, and its address. */
export interface Caller {
  /** "" where there are no users. */
  readonly name: string;
  readonly role: Role;
  /** The address of the other end. */
  readonly from: string;
  /** False once the session is over. */
  readonly valid: () => boolean;
}

/** Who gives a label, and from where. */
export type Giver = Pick<Caller, "name" | "from">;

/** A login's answer to the page. */
export interface OpenedSession {
  readonly name: string;
  readonly role: Role;
  /** Goes with each request that changes something: another page can't read it. */
  readonly csrf: string;
}

interface KeptSession extends OpenedSession {
  readonly until: number;
}

interface AccessOptions {
  /** Undefined: every user of this machine may do everything. */
  readonly users?: readonly User[];
  readonly tls: boolean;
  readonly sessionHours: number;
  readonly labelsPerMinute: number;
  /** Milliseconds of a monotonic clock: one set back would lengthen a session. */
  readonly now: () => number;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const SESSIONS_MAX = 1000;
/** Most failures from one address, and for one name from anywhere, in this time. */
const FAILURES_MS = 5 * MINUTE_MS;
const FAILURES_OF_ADDRESS = 10;
const FAILURES_OF_NAME = 50;
const COMMANDS_PER_MINUTE = 60;
/** Most concurrent password checks: each takes 32 MB. */
const CHECKS_MAX = 4;
/** This machine's own host names: another name in a request means DNS rebinding by a page elsewhere. */
const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Authenticates requests, and checks roles. */
export class Access {
  private readonly sessions = new Map<string, KeptSession>();
  private readonly failuresOfAddress: Limiter;
  private readonly failuresOfName: Limiter;
  private readonly labels: Limiter;
  private readonly commands: Limiter;
  private readonly cookie: string;
  private checks = 0;

  constructor(private readonly options: AccessOptions) {
    const { now, tls, labelsPerMinute } = options;
    this.failuresOfAddress = new Limiter(FAILURES_OF_ADDRESS, FAILURES_MS, now);
    this.failuresOfName = new Limiter(FAILURES_OF_NAME, FAILURES_MS, now);
    this.labels = new Limiter(labelsPerMinute, MINUTE_MS, now);
    this.commands = new Limiter(COMMANDS_PER_MINUTE, MINUTE_MS, now);
    // A browser accepts a cookie with that prefix only from this host, and only over TLS.
    this.cookie = tls ? "__Host-motelearn" : "motelearn";
  }

  get hasUsers(): boolean {
    return this.options.users !== undefined;
  }

  /** Refuses pages of another origin, and names rebound to this machine. Throws a Refusal. */
  checkOrigin({ headers }: IncomingMessage): void {
    const { host = "", origin } = headers;
    if (!this.hasUsers && !OWN_HOST.test(host))
      throw new Refusal(403, "takes requests of this machine alone, by its own name");
    const own = `${this.options.tls ? "https" : "http"}://${host}`;
    const site = headers["sec-fetch-site"] ?? "none";
    if ((origin !== undefined && origin !== own) || (site !== "same-origin" && site !== "none"))
      throw new Refusal(403, "takes no request of another page");
  }

  /**
   * The sender. Throws a Refusal if it is missing or wrong, or if the request would change something without
   * the session's token.
   */
  caller(request: IncomingMessage): Caller {
    const { users } = this.options;
    const from = remoteAddress(request);
    if (!users) return { name: "", role: "operate", from, valid: () => true };
    const { authorization } = request.headers;
    if (authorization !== undefined) return { ...this.tokensUser(authorization, from), from };
    const id = readCookie(request, this.cookie);
    const session = id === undefined ? undefined : this.sessionAt(id);
    if (!id || !session) throw new Refusal(401, "log in, or send a token", { "www-authenticate": "Bearer" });
    const changes = request.method !== "GET" && request.method !== "HEAD";
    if (changes && !sameText(String(request.headers["x-csrf-token"]), session.csrf))
      throw new Refusal(403, "lacks the session's token, X-CSRF-Token");
    const { name, role } = session;
    return { name, role, from, valid: () => this.sessionAt(id) !== undefined };
  }

  /** Throws a Refusal unless the sender has that role. */
  demand({ name, role }: Caller, needed: Role): void {
    if (!mayDo(role, needed)) throw new Refusal(403, `needs role ${needed}; ${name} has ${role}`);
  }

  /** Counts a user's label or command. Throws a Refusal when there were too many. */
  count({ name }: Caller, what: "labels" | "commands"): void {
    const wait = this[what].wait(name);
    if (wait > 0) throw tooMany(wait, `too many ${what}`);
    this[what].add(name);
  }

  /** Opens a session; returns it with its cookie. Throws a Refusal for a wrong password, and after many for any. */
  async logIn(
    request: IncomingMessage,
    name: string,
    password: string,
  ): Promise<{ session: OpenedSession; cookie: string }> {
    const { users = [], now, sessionHours } = this.options;
    const network = networkPrefix(remoteAddress(request));
    const wait = Math.max(this.failuresOfAddress.wait(network), this.failuresOfName.wait(name));
    if (wait > 0) throw tooMany(wait, "too many wrong passwords");
    const user = users.find((each) => each.name === name);
    // Counted before the check, so that concurrent guesses count like sequential ones.
    this.failuresOfAddress.add(network);
    this.failuresOfName.add(name);
    if (!user || !(await this.checkPassword(password, user.password))) {
      if (!user) await this.checkPassword(password, undefined);
      throw new Refusal(401, "not a user's name and password");
    }
    this.failuresOfAddress.forget(network);
    this.failuresOfName.forget(name);
    const id = randomBytes(32).toString("base64url");
    const session = { name, role: user.role, csrf: randomBytes(32).toString("base64url") };
    this.makeRoom();
    this.sessions.set(tokenHash(id), { ...session, until: now() + sessionHours * HOUR_MS });
    return { session, cookie: this.cookieText(id, Math.round(sessionHours * 3600)) };
  }

  /** The session of a page; undefined: it has none. */
  findSession(request: IncomingMessage): OpenedSession | undefined {
    const id = readCookie(request, this.cookie);
    const session = id === undefined ? undefined : this.sessionAt(id);
    return session && { name: session.name, role: session.role, csrf: session.csrf };
  }

  /** Ends a page's session, if it has one; returns whether, and the cookie that removes it. */
  logOut(request: IncomingMessage): { ended: boolean; cookie: string } {
    const id = readCookie(request, this.cookie);
    const ended = id !== undefined && this.sessions.delete(tokenHash(id));
    return { ended, cookie: this.cookieText("", 0) };
  }

  private tokensUser(authorization: string, from: string): { name: string; role: Role; valid: () => true } {
    const [, token] = /^Bearer ([\w-]{1,128})$/i.exec(authorization) ?? [];
    const hash = token === undefined ? "" : tokenHash(token);
    const user = this.options.users?.find((each) => each.token !== undefined && sameText(each.token, hash));
    // Nobody guesses a token, so a right one passes: one wrong program behind an address doesn't keep the others out.
    if (user) return { name: user.name, role: user.role, valid: () => true };
    const network = networkPrefix(from);
    const wait = this.failuresOfAddress.wait(network);
    if (wait > 0) throw tooMany(wait, "too many wrong tokens");
    this.failuresOfAddress.add(network);
    throw new Refusal(401, "not a user's token", { "www-authenticate": 'Bearer error="invalid_token"' });
  }

  private async checkPassword(password: string, hash: string | undefined): Promise<boolean> {
    if (this.checks >= CHECKS_MAX) throw tooMany(1000, "too many log in at once");
    this.checks++;
    try {
      return await isPassword(password, hash);
    } finally {
      this.checks--;
    }
  }

  private sessionAt(id: string): KeptSession | undefined {
    const key = tokenHash(id);
    const session = this.sessions.get(key);
    if (!session || session.until > this.options.now()) return session;
    this.sessions.delete(key);
    return undefined;
  }

  /** Drops the oldest sessions when there are too many. */
  private makeRoom(): void {
    const { sessions } = this;
    const now = this.options.now();
    for (const [key, { until }] of sessions) if (until <= now) sessions.delete(key);
    if (sessions.size >= SESSIONS_MAX) sessions.delete(sessions.keys().next().value as string);
  }

  private cookieText(value: string, seconds: number): string {
    const secure = this.options.tls ? "; Secure" : "";
    return `${this.cookie}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
  }
}

function tooMany(waitMs: number, what: string): Refusal {
  const seconds = Math.ceil(waitMs / 1000);
  return new Refusal(429, `${what}; wait ${seconds} s`, { "retry-after": String(seconds) });
}

export function remoteAddress({ socket }: IncomingMessage): string {
  return socket.remoteAddress?.replace(/^::ffff:/, "") ?? "";
}

function readCookie({ headers }: IncomingMessage, name: string): string | undefined {
  for (const part of headers.cookie?.split(/; */) ?? [])
    if (part.startsWith(`${name}=`)) return part.slice(name.length + 1);
  return undefined;
}
