import { X509Certificate } from "node:crypto";
import { readBounded } from "../../host/bounded-file.ts";
import { placed, UserError } from "../../host/errors.ts";

/**
 * For commander, and for a fleet file: reads a file of certificates, PEM, of those who vouch for a broker.
 * Throws a UserError that names `place`.
 */
export function authorityReader(place: string): (file: string) => string {
  return (file) => {
    const text = placed(`${place} ${file}`, () => readBounded(file), "takes a file of certificates, PEM");
    try {
      new X509Certificate(text);
    } catch {
      throw new UserError(`${place} ${file}: not a certificate; takes a file of certificates, PEM`);
    }
    return text;
  };
}
