/* `f32Natives`: the primitives by name, for an engine without a Native API. */
#include "machine.h"
#include "../../moddable/native-f32.h"

#define DECLARE(name, length, body) void motelearn_##name(txMachine* the);
F32_NATIVES(DECLARE)
F32_BIND(DECLARE)
F32_TESTS(DECLARE)

#define ENTRY(name, length, body) { #name, motelearn_##name, length },
const HostFunction f32_functions[] = { F32_NATIVES(ENTRY) F32_BIND(ENTRY) F32_TESTS(ENTRY) { NULL } };
