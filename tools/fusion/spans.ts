/** A session's samples among the centre's: its sample `seq` is the centre's sample `first`, and so on. */
export interface Span {
  readonly sid: number;
  readonly first: number;
  readonly seq: number;
}

/** Most spans of a subscription: the newest. */
export const SPANS_MAX = 32;
/** A session that no node has. */
const NO_SESSION = 0;

/**
 * Session and number at the node for the centre's sample `seq`, by spans in order of their start. A sample
 * before the first span has no session, so a node refuses its label.
 */
export function locateSample(
  spans: readonly Span[],
  seq: number,
): { readonly sid: number; readonly seq: number } {
  let at = spans.length - 1;
  while (at >= 0 && spans[at].first > seq) at--;
  if (at < 0) return { sid: NO_SESSION, seq };
  const span = spans[at];
  return { sid: span.sid, seq: (span.seq + seq - span.first) >>> 0 };
}
