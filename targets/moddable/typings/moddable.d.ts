// Declarations of the SDK that @moddable/typings 5.6.0 on npm lacks.

/** The C function of that name; xsc compiles a function whose body only calls it to that function. */
declare function native(name: string): (...args: unknown[]) => never;

/** The class of objects that have memory of C, which that function frees. */
declare function Native(name: string): new () => object;
