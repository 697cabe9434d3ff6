import { test } from "uvu";
import * as assert from "uvu/assert";
import { UserError } from "../../host/errors.ts";
import { descriptionPath } from "../../host/streams/description.ts";
import { parseScenario } from "../../host-sim/scenario/scenario.ts";
import { FilesSent } from "../../lab/sweep/machines/files.ts";
import { Hashes } from "../../lab/sweep/program-key.ts";
import { temporaryFolder } from "../cli/program.ts";

test("a file's description and its labels' file are in the identity of a sweep's runs, and such a file isn't sent to workers", () => {
  const written = temporaryFolder();
  const source = written("s.json", "");
  const text = JSON.stringify({
    schema: "motelearn.scenario/1",
    stream: { type: "files", files: [{ node: "n", path: "d.csv" }] },
    tasks: [{ name: "t", task: "classification", learners: [{ learner: "pa" }] }],
  });
  const scenario = parseScenario(text, source);
  written("d.csv", "a,y\n1,0\n2,1\n");
  const hash = () => new Hashes(source).ofStreams(scenario)[0];
  const sent = () => new FilesSent([scenario], source, { "d.csv": hash() }).of(scenario);
  const bare = hash();
  assert.equal(sent(), [{ path: "d.csv", sha256: bare, bytes: 12 }]);
  const described = ["1", "2"].map((lines) => {
    written(descriptionPath("d.csv"), `{"schema": "motelearn.data/1", "skipLines": ${lines}}`);
    return hash();
  });
  written(
    descriptionPath("d.csv"),
    '{"schema": "motelearn.data/1", "labels": {"file": "l.csv", "label": 1}}',
  );
  const labelled = ["0\n1\n", "1\n0\n"].map((labels) => {
    written("l.csv", labels);
    return hash();
  });
  assert.is(new Set([bare, ...described, ...labelled]).size, 5);
  assert.throws(
    sent,
    (error: Error) => error instanceof UserError && /d.csv.data.json isn't sent/.test(error.message),
  );
});

test.run();
