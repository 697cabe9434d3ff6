interface ConfigureOptions {
  readonly checkpointEvery?: number;
  readonly statisticsMs?: number;
}

/** The outcome of a command `configure`, in words. @param every labels between two checkpoints, as the node has it now. */
export function configuredText({ checkpointEvery, statisticsMs }: ConfigureOptions, every: number): string {
  const text = `configured: ${JSON.stringify({ checkpointEvery, statisticsMs })}`;
  if (checkpointEvery === undefined || checkpointEvery === every) return text;
  return `${text}, but the node's own options have it write a checkpoint after ${every} labels at the latest`;
}
