import { test } from "uvu";
import * as assert from "uvu/assert";
import { type KeyStore, readKeys, STORED } from "../../targets/moddable/keys.ts";

const HEX = "000102030405060708090a0b0c0d0e0f";
const OTHER = HEX.replace("00", "ff");
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));

/** A board that stores those. */
function storing(keys: { readonly [name: string]: string }): KeyStore {
  return {
    read(name, into) {
      if (keys[name]) into.set(bytes(keys[name]));
      return keys[name] !== undefined;
    },
  };
}

test("a node has the keys of its configuration, or none", () => {
  assert.equal(readKeys({ key: HEX }), { key: bytes(HEX) });
  assert.equal(readKeys({}), {});
  assert.equal(readKeys({ key: HEX, labelKey: OTHER }, storing({})), {
    key: bytes(HEX),
    labelKey: bytes(OTHER),
  });
});

test("a key that the board stores is in force, whatever the firmware's configuration has", () => {
  const store = storing({ key: OTHER });
  for (const config of [{}, { key: HEX }, { key: STORED }])
    assert.equal(readKeys(config, store), { key: bytes(OTHER) });
  assert.equal(readKeys({ labelKey: HEX }, store), { key: bytes(OTHER), labelKey: bytes(HEX) });
});

test("a node whose key should be stored and isn't doesn't start without one", () => {
  for (const store of [undefined, storing({}), storing({ labelKey: HEX })])
    assert.throws(() => readKeys({ key: STORED }, store), /key: the board stores none; .* flash --key/);
  assert.throws(
    () => readKeys({ labelKey: STORED }, storing({ key: HEX })),
    /labelKey: the board stores none/,
  );
});

test("what isn't a key is refused without a word of it", () => {
  assert.throws(
    () => readKeys({ key: `${HEX}0` }),
    (error: Error) => error.message === "config: key: takes 32 hex digits",
  );
});

test.run();
