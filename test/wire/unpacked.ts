/** The bytes of a frame between its delimiters, unstuffed. */
export function unpackPayload(frame: Uint8Array): Uint8Array {
  const stuffed = [...frame.slice(1, -1)];
  for (let at = 0; at < stuffed.length; ) {
    const code = stuffed[at];
    stuffed[at] = 0;
    at += code;
  }
  return Uint8Array.from(stuffed.slice(1));
}
