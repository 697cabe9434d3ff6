import { test } from "uvu";
import * as assert from "uvu/assert";
import { fusedIn } from "../../tools/toolchain/fused.ts";

/** A line of objdump's listing. */
function line(instruction: string): string {
  return `   2a:\t0086f543          \t${instruction}\tfa0,fa1,fa2,ft0\n`;
}

test("multiply-adds that round once are found, of every architecture", () => {
  for (const name of [
    ...["madd.s", "msub.s", "fmadd.s", "fnmsub.s", "fmsub.d", "fnmadd.d"],
    ...["vfma.f32", "vfms.f32", "vfnma.f32", "vfnms.f32", "vfma.f64", "vfmaeq.f32"],
  ]) {
    assert.equal(fusedIn(line("fadd.s") + line(name) + line(name)), [name]);
  }
});

test("what rounds twice is not: ARM's vmla, a step of Xtensa's division, integers, names of symbols", () => {
  for (const name of ["vmla.f32", "vmls.f32", "vnmls.f32", "maddn.s", "fmul.s", "mla", "smlal"])
    assert.equal(fusedIn(line(name)), []);
  assert.equal(fusedIn("00000010 <fmadd.s>:\n"), []);
});

test.run();
