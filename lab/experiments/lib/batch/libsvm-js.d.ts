/**
 * What is used here of LIBSVM's build to JavaScript, which has no types of its own. The same package's
 * WebAssembly complains on stderr under a Node that has `fetch`.
 */
declare module "libsvm-js/asm.js" {
  /**
   * Options as LIBSVM's svm-train names them: `type` -s, `kernel` -t, `gamma` -g, `coef0` -r, `degree` -d,
   * `cost` -c.
   */
  interface Options {
    readonly type: string;
    readonly kernel: string;
    readonly gamma?: number;
    readonly coef0?: number;
    readonly degree?: number;
    readonly cost?: number;
    readonly tolerance?: number;
    readonly quiet?: boolean;
  }

  class Svm {
    static readonly SVM_TYPES: { readonly C_SVC: string };
    static readonly KERNEL_TYPES: {
      readonly LINEAR: string;
      readonly POLYNOMIAL: string;
      readonly RBF: string;
    };
    constructor(options: Options);
    train(samples: readonly ArrayLike<number>[], labels: ArrayLike<number>): void;
    predictOne(sample: ArrayLike<number>): number;
    /** Of two classes, the first has positive decision values. */
    getLabels(): number[];
    getSVIndices(): number[];
    /** The model file's text. */
    serializeModel(): string;
    free(): void;
  }

  export default Svm;
}
