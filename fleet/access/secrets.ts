import { createHash, randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** scrypt with N = 2^15, r = 8, p = 1: a guess takes 32 MB and about a tenth of a second. */
const COST = { N: 1 << 15, r: 8, p: 1, maxmem: 1 << 26 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const PREFIX = "scrypt$15$8$1$";

/** The forms of a password's and a token's hash in a fleet file. */
export const PASSWORD_HASH = "^scrypt\\$15\\$8\\$1\\$[\\w-]{22}\\$[\\w-]{43}$";
export const TOKEN_HASH = "^sha256\\$[\\w-]{43}$";

/** A hash that no password has, so that a login of an unknown user takes as long as any. */
const NOBODY = `${PREFIX}${"A".repeat(22)}$${"A".repeat(43)}`;

function deriveKey(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((done, fail) =>
    scrypt(password.normalize("NFC"), salt, HASH_BYTES, COST, (error, key) =>
      error ? fail(error) : done(key),
    ),
  );
}

/** A password's salted hash for a fleet file. */
export async function passwordHash(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return `${PREFIX}${salt.toString("base64url")}$${(await deriveKey(password, salt)).toString("base64url")}`;
}

/** True if that is the password. An undefined `hash` takes as long to check. */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [salt, right] = (hash ?? NOBODY).slice(PREFIX.length).split("$");
  const key = await deriveKey(password, Buffer.from(salt, "base64url"));
  return timingSafeEqual(key, Buffer.from(right, "base64url")) && hash !== undefined;
}

/** A token of 256 random bits, for a program or a node. It can't be guessed, so a fast hash suffices. */
export function newToken(): string {
  return randomBytes(HASH_BYTES).toString("base64url");
}

/** A token's hash for a fleet file. */
export function tokenHash(token: string): string {
  return `sha256$${createHash("sha256").update(token).digest("base64url")}`;
}

/** True if two texts are equal, in constant time. */
export function sameText(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(a, b);
}
