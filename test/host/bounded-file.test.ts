import { test } from "uvu";
import * as assert from "uvu/assert";
import { readBounded } from "../../host/bounded-file.ts";
import { temporaryFolder } from "../cli/program.ts";

const write = temporaryFolder();

test("a file that an editor saved as UTF-16, or with a byte order mark, has the same text", () => {
  const text = '{ "schema": "motelearn.node/1", "name": "Gerät" }\r\n';
  const swapped = Buffer.from(`\ufeff${text}`, "utf16le").swap16();
  for (const bytes of [
    Buffer.from(text),
    Buffer.from(`\ufeff${text}`),
    Buffer.from(`\ufeff${text}`, "utf16le"),
    Buffer.from(text, "utf16le"),
    swapped,
  ])
    assert.is(readBounded(write("node.json", bytes)), text);
  assert.is(readBounded(write("empty.json", "")), "");
});

test.run();
