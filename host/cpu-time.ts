/** CPU time of this process with all its threads, garbage collection among them, in microseconds. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
