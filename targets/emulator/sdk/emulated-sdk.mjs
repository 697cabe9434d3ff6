// Bundles moddable/ for the emulated board; this folder replaces Moddable's SDK.
const here = (name) => new URL(name, import.meta.url).pathname;

const MODULES = {
  "embedded:io/analog": here("analog.ts"),
  "embedded:io/i2c": here("i2c.ts"),
  "embedded:io/serial": here("serial.ts"),
  "embedded:io/smbus": here("smbus.ts"),
  "embedded:storage/flash": here("flash.ts"),
  time: here("time.ts"),
  timer: here("timer.ts"),
};
/** Modules of moddable/ to replace: they call C functions by name, or import a module at run time. */
const OWN = {
  "./board.ts": here("board.ts"),
  "./deep-sleep.ts": here("deep-sleep.ts"),
  "./driver.ts": here("driver.ts"),
  "./firmware-slots.ts": here("firmware-slots.ts"),
  "./given-config.ts": here("given-config.ts"),
  "./installed-mod.ts": here("installed-mod.ts"),
  "./learner.ts": here("learner.ts"),
  "./mqtt-module.ts": here("mqtt-module.ts"),
  "./native-f32.ts": here("../programs/native-f32.ts"),
  "./stored-keys.ts": here("stored-keys.ts"),
  "./uart.ts": here("uart.ts"),
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
