/** A password between a user's name and the "@" before a host. */
const PASSWORD = /((?:^|\b[a-z][a-z0-9+.-]*:)\/\/[^\s:/@]*):\S*@/gi;

/**
 * A text for a terminal, a log or an answer, without the passwords of addresses that somebody wrote into it:
 * such texts go into reports.
 *
 *     withoutPassword("mqtt://anna:secret@host/n1") // "mqtt://anna:...@host/n1"
 */
export function withoutPassword(text: string): string {
  return text.replace(PASSWORD, "$1:...@");
}
