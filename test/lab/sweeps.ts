/** A scenario whose runs take milliseconds. */
export const TINY = {
  schema: "motelearn.scenario/1",
  name: "tiny",
  stream: { type: "scene", nodes: 1, samples: 120, channels: 2, persistence: 20, separation: 2 },
  labels: { noise: { symmetric: { rate: 0.1 } }, delayMean: 5, delaySpread: 2, loss: 0.1 },
  tasks: [
    {
      name: "presence",
      task: "classification",
      learners: [{ learner: "pa" }, { learner: "olk-c", options: { budget: 8 } }],
    },
  ],
};

/** Fields of a line, in which texts may stand in quotes. */
function fields(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"'),
  );
}

/** The rows of a CSV file without line breaks in its fields. */
export function parsedCsv(text: string): Record<string, string>[] {
  const [head, ...lines] = text.trimEnd().split("\n").map(fields);
  return lines.map((line) => Object.fromEntries(line.map((field, i) => [head[i], field])));
}
