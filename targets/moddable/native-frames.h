/*
 * Frame operations as XS calls them: NATIVE(name, number of arguments, C expression that gives the result).
 * One line a method of `FrameBytes`; native-frames.ts declares the same ones.
 */
#ifndef MOTELEARN_NATIVE_FRAMES_H
#define MOTELEARN_NATIVE_FRAMES_H

#define FRAME_NATIVES(NATIVE) \
	NATIVE(pack, 4, giveInteger(the, pack(the))) \
	NATIVE(unpack, 5, giveBoolean(the, unpack(the))) \
	NATIVE(close, 4, giveInteger(the, closeFrame(the))) \
	NATIVE(gather, 5, giveInteger(the, gather(the))) \
	NATIVE(unstuff, 2, giveBoolean(the, unstuff(the))) \
	NATIVE(residue, 3, giveInteger(the, residue(the))) \
	NATIVE(sign, 6, sign(the)) \
	NATIVE(isSigned, 6, giveBoolean(the, isSigned(the))) \
	NATIVE(make, 4, giveInteger(the, make(the))) \
	NATIVE(read, 5, giveBoolean(the, readFrame(the)))

#endif
