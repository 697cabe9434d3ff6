import { createServer, type Socket } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { LineSplitter } from "../../tools/fusion/line-splitter.ts";
import { CentreSupply } from "../../tools/labels/centre-supply.ts";
import { become } from "./awaited.ts";
import { inFolder } from "./stations.ts";

const LABELS = 9000;

/** A label names the subscription that it answers. */
function labelLine(number: number, ask: number): string {
  return `${JSON.stringify({ node: "room", number, seq: number, label: ask })}\n`;
}

/**
 * A centre that sends `LABELS` labels and half a line; at the next subscription it sends the rest of that
 * line, then the labels.
 */
function openCentre(path: string) {
  const half = labelLine(LABELS + 1, 1);
  const server = createServer((socket: Socket) => {
    const splitter = new LineSplitter(1 << 20);
    const answer = ({ schema, ask, label }: { schema: string; ask: number; label: number }) => {
      const lines = Array.from({ length: LABELS - label + 1 }, (_, i) => labelLine(label + i, ask)).join("");
      socket.write(`${JSON.stringify({ schema, ask, node: "room", label })}\n${lines}`);
    };
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      for (const line of splitter.take(bytes as Uint8Array)) {
        const question = JSON.parse(line);
        if (question.ask === 1) {
          answer(question);
          socket.write(half.slice(0, 20));
        } else {
          socket.write(half.slice(20));
          setTimeout(() => answer(question), 100);
        }
      }
    });
  });
  server.listen(path).unref();
  return server;
}

test("a node that starts again asks for labels again: what lay ahead of it doesn't keep the answer waiting", async () => {
  const path = inFolder("full-centre");
  const server = openCentre(path);
  const supply = await CentreSupply.open(`unix:${path}`, 1, { baud: 115200, giveUp: 30 }, {});
  supply.goOn(1, null, []);
  const gaps = () => `${supply.gaps} gaps`;
  await become("more labels than it keeps ahead", () => supply.label(8193) !== undefined, gaps);
  supply.goOn(1, null, []);
  await become("label 1 again", () => supply.label(1)?.y === 2, gaps);
  for (let number = 1; number <= 5000; number++) supply.passed(number, number);
  await become("all that follow", () => supply.label(LABELS) !== undefined, gaps);
  assert.is(supply.gaps, 0, "a line cut by the question is whole");
  await supply.close();
  server.close();
});

test("a source that isn't a centre is asked three times, and then no more", async () => {
  const path = inFolder("no-centre");
  let asked = 0;
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => {
      asked++;
      socket.write("HTTP/1.1 400 Bad Request\n");
    });
  });
  server.listen(path).unref();
  const supply = await CentreSupply.open(`unix:${path}`, 1, { baud: 115200, giveUp: 30 }, {});
  supply.goOn(1, null, []);
  let fault = "";
  const look = () => {
    try {
      supply.label(1);
    } catch (error) {
      fault = (error as Error).message;
    }
    return fault !== "";
  };
  await become("its fault", look, () => `${supply.gaps} gaps`);
  assert.match(fault, /line 3: not JSON/);
  await supply.close();
  await new Promise((closed) => server.close(closed));
  assert.is(asked, 3);
});

test.run();
