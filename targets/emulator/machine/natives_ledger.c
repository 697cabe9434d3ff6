/*
 * `ledgerNatives`: a node's bookkeeping of each sample and label, by name, for an engine without a Native
 * API.
 */
#include "machine.h"
#include "../../moddable/native-ledger.h"

#define DECLARE(name, length, body) void motelearn_ledger_##name(txMachine* the);
LEDGER_NATIVES(DECLARE)

#define ENTRY(name, length, body) { #name, motelearn_ledger_##name, length },
const HostFunction ledger_functions[] = { LEDGER_NATIVES(ENTRY) { NULL } };
