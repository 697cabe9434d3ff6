import type { IncomingMessage } from "node:http";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Access } from "../../fleet/access/access.ts";
import { networkPrefix } from "../../fleet/access/network.ts";
import { newToken, tokenHash } from "../../fleet/access/secrets.ts";
import * as fc from "../properties.ts";

/** All 16 digits of the first 64 bits of an address in its long form. */
const long = (words: readonly number[]) => words.map((word) => word.toString(16).padStart(4, "0")).join(":");
/** The same address as systems write it: RFC 5952, by the URL's own parser. */
const short = (address: string) => new URL(`http://[${address}]/`).hostname.slice(1, -1);

const word = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }));
const words = (count: number) => fc.array(word, { minLength: count, maxLength: count });

test("addresses are of one network exactly if their first 64 bits are the same, however they are written", () => {
  fc.assert(
    fc.property(words(4), words(4), words(4), fc.nat(63), (network, one, other, bit) => {
      fc.pre(network.some((each) => each !== 0)); // IPv4 addresses are written there, too
      const differs = network.map((each, i) => (i === bit >> 4 ? each ^ (1 << (bit & 15)) : each));
      fc.pre(differs.some((each) => each !== 0));
      const [a, b, c] = [
        [...network, ...one],
        [...network, ...other],
        [...differs, ...one],
      ].map(long);
      for (const write of [
        short,
        (address: string) => address,
        (address: string) => `${short(address)}%eth0`,
      ]) {
        assert.is(networkPrefix(write(a)), networkPrefix(long([...network, 0, 0, 0, 0])));
        assert.is(networkPrefix(write(b)), networkPrefix(a));
        assert.is.not(networkPrefix(write(c)), networkPrefix(a));
      }
    }),
  );
});

test("an IPv4 address is its own network, also where it is written as IPv6", () => {
  for (const written of ["192.0.2.1", "::ffff:192.0.2.1", "::ffff:c000:201", "0:0:0:0:0:ffff:c000:0201"])
    assert.is(networkPrefix(written), "192.0.2.1");
  assert.is.not(networkPrefix("::ffff:192.0.2.2"), networkPrefix("::ffff:192.0.2.1"));
  assert.is(networkPrefix(""), "");
});

test("wrong tokens from anywhere in a /64 count together", () => {
  const user = { name: "anna", role: "operate", token: tokenHash(newToken()) } as const;
  for (const prefix of ["2001:db8:1:2::", "fd00::", "2001:db8::", "fe80::"]) {
    const access = new Access({
      users: [user],
      tls: true,
      sessionHours: 1,
      labelsPerMinute: 1,
      now: () => 0,
    });
    const statuses = Array.from({ length: 300 }, (_, i) => {
      const socket = { remoteAddress: `${prefix}${(i + 1).toString(16)}` };
      const headers = { authorization: `Bearer ${newToken()}` };
      try {
        access.caller({ socket, headers, method: "GET" } as unknown as IncomingMessage);
      } catch (error) {
        return (error as { status: number }).status;
      }
      return 200;
    });
    assert.is(statuses.filter((status) => status === 401).length, 10, prefix);
    assert.is(statuses.filter((status) => status === 429).length, 290, prefix);
  }
});

test.run();
