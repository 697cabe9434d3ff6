/*
 * A node's bookkeeping of each sample and label, as XS calls it: NATIVE(name, number of arguments, C
 * expression that gives the result). One line a method of `Ledger`; native-ledger.ts declares the same ones.
 */
#ifndef MOTELEARN_NATIVE_LEDGER_H
#define MOTELEARN_NATIVE_LEDGER_H

#define LEDGER_NATIVES(NATIVE) \
	NATIVE(push, 0, push(the)) \
	NATIVE(take, 5, take(the)) \
	NATIVE(finish, 3, finish(the))

#endif
