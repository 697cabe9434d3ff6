import { test } from "uvu";
import { refusesHere, temporaryFolder } from "../cli/program.ts";

const written = temporaryFolder();

test("more readings out of order than are held are refused before they are held", async () => {
  const columns = 20_000;
  const rows = Math.ceil((1 << 23) / columns) + 1;
  const head = `time,${Array.from({ length: columns }, (_, j) => `c${j}`).join(",")}`;
  const lines = Array.from({ length: rows }, (_, i) => `${1709287200 - 60 * i}${",1".repeat(columns)}`);
  await refusesHere(
    ["import", written("falling.csv", `${head}\n${lines.join("\n")}\n`), "--every", "60"],
    "falling.csv: more than 8388608 readings that aren't in the order of their times; a file sorted by time is needed, or several smaller ones",
  );
});

test.run();
