/* `ledgerNatives`: what a node writes down at each sample and label, by name, for an engine that has no Native API. */
#include "machine.h"
#include "../../moddable/native-ledger.h"

#define DECLARE(name, length, body) void motelearn_ledger_##name(txMachine* the);
LEDGER_NATIVES(DECLARE)

#define ENTRY(name, length, body) { #name, motelearn_ledger_##name, length },
const HostFunction ledger_functions[] = { LEDGER_NATIVES(ENTRY) { NULL } };
