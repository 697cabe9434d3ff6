// Renames a firmware module's own identifiers to names that the engine's table of keys already has: a new
// name there takes a slot of 16 bytes of flash, its text and a pointer. It never picks a name that the module
// also uses as the engine's, so other uses of that name elsewhere don't matter.
import ts from "typescript-5";
import { applyEdits } from "./edited.ts";
import { eachNode, isDeclaration, isPropertyName, isShorthand, namesBy, parse } from "./syntax.ts";

/**
 * Names in the keys of XS (SDK 8.2.3, xs/sources/xsCommon.c) that stay in a firmware, and of the SDK's modules in a board's. A name that an engine
 * lacks only costs its slot.
 */
const ENGINE_NAMES = `
AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError
FinalizationRegistry Float32Array Float64Array Int16Array Int32Array Int8Array JSON Map Math ModuleSource Number
Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol SyntaxError
TypeError TypedArray URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet decodeURI
decodeURIComponent encodeURI encodeURIComponent escape isFinite isNaN parseFloat parseInt trace unescape Iterator
Float16Array Compartment Function AsyncFunction AsyncGeneratorFunction BYTES_PER_ELEMENT E EPSILON
Generator GeneratorFunction LN10 LN2 LOG10E LOG2E MAX_SAFE_INTEGER MAX_VALUE MIN_SAFE_INTEGER MIN_VALUE
NEGATIVE_INFINITY PI POSITIVE_INFINITY SQRT1_2 SQRT2 UTC __defineGetter__ __defineSetter__ __lookupGetter__
__lookupSetter__ __proto__ abs acos acosh add aliases all allSettled and any append apply as asIntN asUintN asin
asinh assign asyncIterator at atan atanh atan2 bind bindings bitLength boundArguments boundFunction boundThis buffer
busy byteLength byteOffset cache call callee caller cause cbrt ceil center charAt charCodeAt chunk chunkify
cleanupSome clear closure clz32 codePointAt compare compareExchange compile concat configurable console construct
constructor copyWithin cos cosh count create defineProperties defineProperty deleteProperty deref description done
dotAll eachDown eachUp endsWith entries enumerable enumerate errors evaluate every exchange exec exp expm1 exports
fill filter find findIndex findLast findLastIndex flags flat flatMap floor forEach free freeze from fromArrayBuffer
fromBigInt fromCharCode fromCodePoint fromEntries fromString fround getBigInt64 getBigUint64 getDate getDay
getFloat32 getFloat64 getFullYear getHours getInt16 getInt32 getInt8 getMilliseconds getMinutes getMonth
getOwnPropertyDescriptor getOwnPropertyDescriptors getOwnPropertyNames getOwnPropertySymbols getPrototypeOf
getSeconds getTime getTimezoneOffset getUTCDate getUTCDay getUTCFullYear getUTCHours getUTCMilliseconds
getUTCMinutes getUTCMonth getUTCSeconds getUint16 getUint32 getUint8 getYear global globalThis groups grow growable
has hasIndices hasInstance hasOwn hasOwnProperty hypot id idiv idivmod ignoreCase imod importNow imports imul
imuldiv includes index indexOf indices input irem is isArray isConcatSpreadable isExtensible isFrozen isInteger
isLockFree isPrototypeOf isSafeInteger isSealed isView iterable iterator join keyFor keys lastIndex lastIndexOf left
length line load local localeCompare log log1p log10 log2 map match matchAll max maxByteLength message min mod
module multiline name needsImport needsImportMeta next normalize notify now or ownKeys padEnd padStart parse path
peek poke pop pow preventExtensions propertyIsEnumerable prototype proxy push race random raw reason reduce
reduceRight reexports register reject repeat replace replaceAll resizable resize resolve result reverse revocable
revoke right round seal search setBigInt64 setBigUint64 setDate setFloat32 setFloat64 setFullYear setHours setInt16
setInt32 setInt8 setMilliseconds setMinutes setMonth setPrototypeOf setSeconds setTime setUTCDate setUTCFullYear
setUTCHours setUTCMilliseconds setUTCMinutes setUTCMonth setUTCSeconds setUint16 setUint32 setUint8 setYear shift
sign sin sinh size slice some sort source species splice split sqrt stack startsWith status sticky store stringify
sub subarray substr substring tan tanh test then toDateString toExponential toFixed toGMTString toISOString toJSON
toLocaleDateString toLocaleLowerCase toLocaleString toLocaleTimeString toLocaleUpperCase toLowerCase toPrecision
toPrimitive toString toStringTag toTimeString toUTCString toUpperCase transfer transfers trim trimEnd trimLeft
trimRight trimStart trunc unicode unregister unscopables unshift uri value valueOf values wait wake weak writable
xor detached irandom toReversed toSorted toSpliced groupBy isWellFormed promise toWellFormed transferToFixedLength
unicodeSets waitAsync withResolvers alphabet fromBase64 fromHex lastChunkHandling omitPadding read setFromBase64
setFromHex toBase64 toHex written difference drop intersection isDisjointFrom isSubsetOf isSupersetOf options
symmetricDifference take toArray type union f16round getFloat16 setFloat16 isError fromAsync getOrInsert
getOrInsertComputed isRawJSON rawJSON sumPrecise
edge mode onChanged pin order format target activeLow bank falls initialValue onReadable pins rises address clock data hz
port pullup stop timeout onWake wakeEdge baud onWritable receive transmit attenuation calibrated esp32 blockLength blocks
exists Resource Preference getPixel brightness NeoPixel update makeHSB makeRGB timezone dst delta ticks Time Timer delay
schedule Output InputPullUpDown InputPullUp Input OutputOpenDrain Digital WakeOnFall InputPullDown WakeOnRise write PWM
pwm_freq pwm_duty Falling Rising Monitor pressed onPush invert Button on NeoPixelLED LED config Flash led off rgb phases
Default advance direction STEP phase Host args neopixel rainbow Serial DigitalBank ActiveLow resolution Analog I2C Async
writeRead SMBus readUint8 readQuick writeBuffer readBuffer receiveByte writeUint16 readUint16 writeUint8 writeQuick
sendByte io readBlock writeByte writeWord bigEndian readByte command writeBlock readWord byte word eraseBlock rotation
FlashPartitionIterator open close i o
`
  .trim()
  .split(/\s+/);

/**
 * Properties that every object inherits or a class has, those of descriptors, iterators and promises, and
 * those that errors print.
 */
const MEANT = new Set(
  [Object.prototype, Function.prototype, Error.prototype]
    .flatMap(Object.getOwnPropertyNames)
    .concat(
      "configurable enumerable writable value get set next done return then toJSON stack cause prototype".split(
        " ",
      ),
    )
    .concat(
      // What a buffer inherits: bound calls are properties of one.
      "byteLength concat detached maxByteLength resizable resize slice transfer transferToFixedLength".split(
        " ",
      ),
    ),
);

/** True if an identifier names a property, also of `new` or an export, not a variable. */
function isProperty(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isMetaProperty(parent)) return parent.name === node;
  if (ts.isExportSpecifier(parent)) return parent.propertyName !== undefined && parent.name === node;
  return isPropertyName(node);
}

/** True if an identifier names a property, or a variable by a property's name. */
const isKey = (node: ts.Node): node is ts.Identifier =>
  ts.isIdentifier(node) &&
  (isProperty(node) || ts.isShorthandPropertyAssignment(node.parent) || ts.isBindingElement(node.parent));

const propertiesIn = namesBy((node, used) => {
  if (isKey(node) || (ts.isStringLiteralLike(node) && /^\w+$/.test(node.text))) used.add(node.text);
});

/** Names of properties that a module has, and its texts that are one word. */
export const textProperties = (text: string) => propertiesIn(parse(text));

/** Methods of a layout, which take a region's name. */
const OF_REGIONS = ["at", "find", "within", "regionWords", "parts"];

/** True if a text can't name a property: it is a region's name, or only compared. */
function isNoKey(node: ts.StringLiteralLike): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent))
    return [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken].includes(
      parent.operatorToken.kind,
    );
  if (ts.isCallExpression(parent))
    return (
      parent.arguments[0] === node &&
      ts.isPropertyAccessExpression(parent.expression) &&
      OF_REGIONS.includes(parent.expression.name.text)
    );
  if (!ts.isPropertyAssignment(parent) || parent.name.getText() !== "name") return false;
  return parent.parent.properties.some((one) => one.name?.getText() === "words");
}

/** Texts of one word in a module that may name properties. */
const wordsIn = namesBy((node, words) => {
  if (ts.isStringLiteralLike(node) && !isNoKey(node)) words.add(node.text);
});

/**
 * New names for those properties, by their names: none that the module uses for another, and none in `others`. A name that the module has
 * as a text stays, too: it may be taken by that.
 */
export function propertyNames(
  text: string,
  own: readonly string[],
  others: ReadonlySet<string>,
): Map<string, string> {
  const used = textProperties(text);
  const words = wordsIn(parse(text));
  const free = ENGINE_NAMES.filter((name) => !used.has(name) && !MEANT.has(name) && !others.has(name));
  const present = own.filter(
    (name) => used.has(name) && !words.has(name) && !MEANT.has(name) && !ENGINE_NAMES.includes(name),
  );
  return new Map(present.map((name, i) => [name, free[i] ?? `${name}_`]));
}

const isKeyword = (name: string) =>
  ts.identifierToKeywordKind(ts.factory.createIdentifier(name)) !== undefined;

/** Texts by frequency, the most frequent first. */
function byFrequency(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([text]) => text);
}

/**
 * The module with such names for its variables, or with its own properties' names, which are keys, too; the
 * most frequent get the shortest. A variable has the same new name everywhere, so no scope changes.
 */
export function withEngineNames(text: string): string {
  const declared = new Set<string>();
  const places: ts.Identifier[] = [];
  const properties = new Set<string>();
  eachNode(parse(text), (node) => {
    if (!ts.isIdentifier(node)) return;
    if (isProperty(node)) properties.add(node.text);
    else places.push(node);
    if (isDeclaration(node)) declared.add(node.text);
  });
  const used = new Set([...places.map(({ text }) => text), "arguments", "undefined", "NaN", "Infinity"]);
  const free = [...new Set([...ENGINE_NAMES, ...properties])]
    .filter((name) => !isKeyword(name) && !used.has(name))
    .sort((one, other) => one.length - other.length);
  const own = places.filter(({ text }) => declared.has(text));
  const ordered = byFrequency(own.map(({ text }) => text));
  const names = new Map(ordered.slice(0, free.length).map((name, i) => [name, free[i]]));
  const renamings = own.filter(({ text }) => names.has(text));
  return applyEdits(
    text,
    renamings.map((node) => [node.getStart(), node.end, renameText(node, names.get(node.text) as string)]),
  );
}

/** The replacement of a variable's name at its place; a property or an export keeps its own. */
function renameText(node: ts.Identifier, by: string): string {
  const { parent, text } = node;
  if (isShorthand(node)) return `${text}:${by}`;
  if (ts.isExportSpecifier(parent) && parent.propertyName === undefined) return `${by} as ${text}`;
  return by;
}
