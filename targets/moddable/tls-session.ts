/** A client's side of one TLS connection, by tls-session.c: it trusts one authority, and works in memory. All methods throw an Error once it failed. */
export class TlsSession extends Native("tls_session_delete") {
  /**
   * @param host name or address that the broker's certificate must have.
   * @param authority the certificate of who signs the broker's, PEM or DER.
   * @param hasClock true if the machine knows the time: it checks the certificate's dates. Without a clock it ignores them until the clock is set.
   */
  constructor(host: string, authority: Uint8Array, hasClock: boolean) {
    super();
    this.open(host, authority, hasClock);
  }

  private open(host: string, authority: Uint8Array, hasClock: boolean): void {
    native("tls_session_open").call(this, host, authority, hasClock);
  }

  /** One step of the handshake: 1 after the last, 0 after another, -1 if it waits for bytes, or for room. */
  step(): -1 | 0 | 1 {
    return native("tls_session_step").call(this);
  }

  /** How many bytes it can receive now. */
  room(): number {
    return native("tls_session_room").call(this);
  }

  /** Takes bytes that came, no more than there is room. */
  receive(bytes: Uint8Array): void {
    native("tls_session_receive").call(this, bytes);
  }

  /** Decrypts to the beginning of `into`; returns how many bytes. */
  read(into: Uint8Array): number {
    return native("tls_session_read").call(this, into);
  }

  /** Encrypts bytes, up to 3 KB. Nothing may be pending. */
  write(bytes: Uint8Array): void {
    native("tls_session_write").call(this, bytes);
  }

  /** Bytes to send. */
  pending(): number {
    return native("tls_session_pending").call(this);
  }

  /** Moves bytes to send to `into`; returns how many. */
  take(into: Uint8Array): number {
    return native("tls_session_take").call(this, into);
  }

  close(): void {
    native("tls_session_close").call(this);
  }
}
