/* `frameNatives`: the frame operations by name, for an engine without a Native API. */
#include "machine.h"
#include "../../moddable/native-frames.h"

#define DECLARE(name, length, body) void motelearn_frame_##name(txMachine* the);
FRAME_NATIVES(DECLARE)

#define ENTRY(name, length, body) { #name, motelearn_frame_##name, length },
const HostFunction frame_functions[] = { FRAME_NATIVES(ENTRY) { NULL } };
