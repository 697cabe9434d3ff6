// Which parts of a node a firmware carries: those that `config` of its manifest needs; all, where `config`
// describes no node. The SDK's linker runs modules before it links them, and keeps what can be reached, so a
// part left out takes no flash.
import config from "mc/config";

/** Learners that make others, by options of their own. */
export const MAKING = ["auto-r", "auto"];
/** Learners whose kernel is linear unless another is given. */
const LINEAR = ["oskm"];
/** The learner that stores neighbours without another. */
const NEIGHBOURS = "knn";
/** The part that checks options. */
const CHECKS = "checks";
/** The part whose function offers a classifier an option. */
const BALANCE = "balance";

/** Texts, since a firmware may rename properties. */
function listParts({ node, wire = {} }) {
  const {
    learner,
    options = {},
    features = {},
    drift = "none",
    coverage = 0,
    labelBudget = 0,
    fleetBudget = -1,
    sleep,
  } = node;
  const { kernel, sources = [] } = options;
  const { window = 0, standardise = false, wavelet, bands, lines } = features;
  const isMaking = MAKING.includes(learner);
  const isSeveral = isMaking && options.classes > 2;
  const isCommittee = options.bytes > 0 || isSeveral;
  const parts = [
    drift !== "none" && "drift",
    coverage !== 0 && "coverage",
    labelBudget !== 0 && "requests",
    fleetBudget >= 0 && "fleet",
    (drift !== "none" || coverage !== 0 || labelBudget !== 0 || fleetBudget >= 0) && "remarks",
    sleep !== undefined && "sleep",
    wire.key !== undefined && "key",
    (wire.key !== undefined || wire.labelKey !== undefined) && "label key", // an updater may know only the first
    window !== 0 && "window",
    wavelet !== undefined && "wavelet",
    (bands !== undefined || lines !== undefined) && "spectrum",
    standardise !== false && "standardise",
    (isMaking || kernel === undefined || kernel.width !== undefined) && "width",
    (isMaking || sources.length !== 0) && "sources",
    (options.residual ?? "none") !== "none" && "residual",
    (options.falseAlarms ?? 0) !== 0 && "alarms",
    options.balanced === true && BALANCE,
    isCommittee && "bytes",
    isSeveral && "several",
    (learner === NEIGHBOURS || isCommittee) && "neighbours",
    (isMaking || options.storage === "q15") && "q15",
    (isMaking || LINEAR.includes(learner) || kernel?.type === "linear") && "linear",
    (isMaking || kernel?.type === "polynomial") && "polynomial",
  ];
  return parts.filter((part) => part !== false);
}

/**
 * Hash of a configuration's text, 32 bits: FNV-1a. firmware.ts of the tools, which checks the configuration,
 * has the same.
 */
function digestText(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Undefined: all. */
const carried = config.node && listParts(config);

/** True if a tool checked the manifest's node exactly as it is: then the board needn't. */
export const isChecked = carried !== undefined && config.checked === digestText(JSON.stringify(config.node));

/** Replaces a check of options that a tool has checked. */
function pass() {}

/** Replaces a function of a part that is left out, and its class. */
function refuse() {
  throw new RangeError(
    "config: asks for a part that the firmware leaves out, as config of its manifest didn't; build it with that, a stored key included",
  );
}

class Absent {
  constructor() {
    refuse();
  }
}
for (const method of ["layout", "regions"]) Object.defineProperty(Absent, method, { value: refuse });
Object.freeze(Absent);

const isCarried = (part) => carried === undefined || carried.includes(part);

/** The part that only a host's programs call, which no firmware carries. */
const HOST = "host";

/** True if methods of that part are left out. */
export const isLeftOut = (part) => part === HOST || !isCarried(part);

/** A class that only that part uses, or its replacement. */
export function carriedClass(part, value) {
  return isCarried(part) ? value : Absent;
}

/** A function that only that part uses, or its replacement. */
export function carriedFunction(part, value) {
  if (part === CHECKS) return isChecked ? pass : value;
  if (part === BALANCE && !isCarried(part)) return (family) => family;
  return isCarried(part) ? value : refuse;
}

/** Throws unless that is the checked node, with as many readings in a sample, or the firmware carries checks. */
function holdToChecked(node, sensors) {
  if (node !== config.node)
    throw new RangeError("config: isn't the manifest's, whose options were checked when it was written");
  const channels = sensors.reduce((sum, one) => sum + one.channels, 0);
  if (channels !== (node.channels ?? channels))
    throw new RangeError(
      `config.node.channels: got ${node.channels}, but the sensors have ${channels}; flash it for these sensors`,
    );
}

/** Called with the node's configuration from the board's program. */
export const checkGivenConfig = isChecked ? holdToChecked : pass;
