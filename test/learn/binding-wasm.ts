import type { Binding } from "../../src/math/primitives.ts";
import { compileWasm, WasmF32 } from "../../src/math/wasm.ts";

const module = compileWasm();
/** The call that each method binds, and whether it learns. */
export const CALLS = {
  bindExpansion: ["f32_bound_expansion", false],
  bindExpansionStep: ["f32_learn_expansion", true],
  bindLocal: ["f32_bound_local", false],
  bindLocalStep: ["f32_learn_local", true],
  bindClasses: ["f32_bound_classes", false],
  bindClassStep: ["f32_learn_classes", true],
} as const;
export type Call = keyof typeof CALLS;
/** Those whose learner may find its width. */
const FINDING: readonly Call[] = ["bindExpansion", "bindExpansionStep", "bindClasses", "bindClassStep"];
/** Bytes of a bound call's arguments, with room for those that a learner makes. */
const ROOM = 512;
/** Of f32_bound: its whole numbers begin so many bytes from its start, x and d first and fourth. */
const WHOLE = 56;

type Code = Record<string, (...options: number[]) => number>;

/** WebAssembly that binds calls, as native-f32.c does. */
export class BindingWasm extends WasmF32 {
  readonly bound: Call[] = [];
  readonly bindExpansion = this.binding("bindExpansion");
  readonly bindExpansionStep = this.binding("bindExpansionStep");
  readonly bindLocal = this.binding("bindLocal");
  readonly bindLocalStep = this.binding("bindLocalStep");
  readonly bindClasses = this.binding("bindClasses");
  readonly bindClassStep = this.binding("bindClassStep");
  private free = 0;

  constructor(private readonly range: number) {
    super(module, range + ROOM);
  }

  private binding(call: Call): Binding {
    const [name, learns] = CALLS[call];
    const finds = FINDING.includes(call);
    return (options) => {
      const { words, bound, range } = this;
      const m = words.byteOffset;
      const at = m + range + this.free;
      this.free += options.byteLength;
      new Uint8Array(words.buffer, at, options.byteLength).set(new Uint8Array(options));
      bound.push(call);
      const [to, , , form] = new Int32Array(options, WHOLE, 4);
      const d = Math.abs(form);
      const { code } = this as unknown as { code: Code };
      const { otherwise, otherwiseLearn } = options;
      return function (this: unknown, x, y) {
        if (finds && learns && !code.f32_is_routine(m, at))
          return (otherwiseLearn as NonNullable<typeof otherwiseLearn>).call(this, x, y as number);
        const taken = x.length === d;
        if (taken) words.set(Array.from(x), to);
        if (finds && !learns && taken && otherwise && !code.f32_is_ready(m, at))
          return otherwise.call(this, x);
        if (learns) return code[name](m, at, Number(taken), y as number);
        return taken ? code[name](m, at) : Number.NaN;
      };
    };
  }
}
