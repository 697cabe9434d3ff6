/** What a job sees of the machine that it runs in; on XS the C functions of natives_host.c. Measuring allocates nothing. */
export interface Host {
  print(line: string): void;
  /** The job, as JSON text. */
  job(): string;
  /** XS slots in use, garbage included until it is collected. */
  slots(): number;
  /** Bytes of XS chunks in use, garbage included. */
  chunks(): number;
  /** Garbage collections until now. */
  collections(): number;
  collect(): void;
  /** Instructions since the board started; 0 where they aren't counted. */
  instructions(): number;
}
