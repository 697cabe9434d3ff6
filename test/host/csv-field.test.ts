import { test } from "uvu";
import * as assert from "uvu/assert";
import { csvField } from "../../host/csv-field.ts";
import * as fc from "../properties.ts";

/** The field's text as a reader of RFC 4180 has it. */
const read = (field: string) => (field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);

test("no text is a formula in a spreadsheet, moves a cursor, or becomes a field or a line of its own", () => {
  const begin = fc.constantFrom(..."=+-@\t\r\n\x1b\u202e\u061c");
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.tuple(begin, fc.string()).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, (options) => {
      const field = csvField(options);
      assert.not.match(field, /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      const seen = read(field);
      if (/^[=+\-@]/.test(seen)) assert.ok(Number.isFinite(Number(seen)), seen);
      assert.ok(/^"(?:[^"]|"")*"$/.test(field) || !/[",]/.test(field), field);
    }),
  );
});

test("numbers and other texts stay as they are", () => {
  for (const value of [
    0,
    -1.5,
    1e-7,
    -1e300,
    Number.NEGATIVE_INFINITY,
    "-0.5",
    "+1e-7",
    "-.5",
    "press-1",
    "größe",
    "見",
  ])
    assert.is(csvField(value), String(value));
  assert.equal([null, undefined, Number.NaN, ""].map(csvField), ["", "", "NaN", ""]);
  assert.equal(["-1+1", "=cmd|' /C calc'!A0", "@a,b", "-", 'a "b"', "a\r\nb", "\t=1"].map(csvField), [
    "'-1+1",
    "'=cmd|' /C calc'!A0",
    '"\'@a,b"',
    "'-",
    '"a ""b"""',
    "a\\x0d\\nb",
    "\\x09=1",
  ]);
});

test.run();
