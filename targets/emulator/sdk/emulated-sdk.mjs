// Bundles moddable/ for the emulated board; this folder replaces Moddable's SDK.
const here = (name) => new URL(name, import.meta.url).pathname;

const MODULES = {
  ...Object.fromEntries(
    ["analog", "i2c", "serial", "smbus"].map((io) => [`embedded:io/${io}`, here(`${io}.ts`)]),
  ),
  "embedded:storage/flash": here("flash.ts"),
  time: here("time.ts"),
  timer: here("timer.ts"),
};
/** Modules of moddable/ to replace: they call C functions by name, or import a module at run time. */
const REPLACED = [
  ...["board", "deep-sleep", "driver", "firmware-slots", "given-config", "installed-mod"],
  ...["learner", "mqtt-module", "stored-keys", "uart"],
];
const OWN = {
  ...Object.fromEntries(REPLACED.map((name) => [`./${name}.ts`, here(`${name}.ts`)])),
  "./native-f32.ts": here("../programs/native-f32.ts"),
};

export const emulatedSdk = {
  name: "emulated SDK",
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ path, importer }) => {
      if (MODULES[path]) return { path: MODULES[path] };
      return importer.includes("/targets/moddable/") && OWN[path] ? { path: OWN[path] } : undefined;
    });
  },
};
