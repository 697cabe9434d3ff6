/** A program's view of its machine; on XS the C functions of natives_host.c. Measuring allocates nothing. */
export interface Host {
  print(line: string): void;
  /** The program's argument, as JSON text. */
  argument(): string;
  /** XS slots in use, garbage included until it is collected. */
  slots(): number;
  /** Bytes of XS chunks in use, garbage included. */
  chunks(): number;
  /** Garbage collections until now. */
  collections(): number;
  collect(): void;
  /** Starts to watch the C stack again. */
  watchStack(): void;
  /**
   * Bytes of the C stack at its deepest since `watchStack`, the engine's own frames included; 0 where it
   * isn't watched.
   */
  stack(): number;
  /** Resets the watchdog, where there is one, once a step. */
  feed(): void;
  /** Instructions since the board started; 0 where they aren't counted. */
  instructions(): number;
}
