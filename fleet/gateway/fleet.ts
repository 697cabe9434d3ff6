import type { GivenCopy } from "../../host-sim/state/copy-file.ts";
import type { FeaturesOption } from "../../src/signal/features.ts";
import type { User } from "../access/access.ts";
import type { AlarmRule } from "../alarms/alarm.ts";
import type { Channel } from "../api/node-state.ts";
import type { ClusterOptions } from "../cluster/cluster.ts";
import type { Together } from "../training/training.ts";

export interface FleetNode {
  readonly name: string;
  readonly port: string;
  readonly baud: number;
  /** Its readings, in their order. */
  readonly channels?: readonly Channel[];
  /** Its learner's options that aren't the defaults, for explanations. */
  readonly options?: { readonly [name: string]: unknown };
  /** The names of its classes, in the order of their targets; default: the node's own. */
  readonly classes?: readonly string[];
  /** What it makes of its readings, for explanations. */
  readonly features?: FeaturesOption;
  /** Hash of the token that is its password at the built-in broker. */
  readonly token?: string;
  /** The state with which it begins while it has learned no label. */
  readonly state?: GivenCopy;
  /** The key of its line, and its label key. */
  readonly key?: Uint8Array;
  readonly labelKey?: Uint8Array;
  /** A source of its labels besides the page: see `openIntake`. */
  readonly labels?: string;
  /** Its name at the fusion centre, or its place there, from 1; default: its name here. */
  readonly labelsOf?: string | number;
}

/** The alarms of a fleet, and who gets them besides the page and Home Assistant. */
interface FleetAlarms {
  readonly rules: readonly AlarmRule[];
  /** A topic, mqtt://HOST/TOPIC; undefined: none. */
  readonly mqtt?: string;
  /** An address that gets each alarm by POST; undefined: none. */
  readonly webhook?: string;
}

export interface Listen {
  readonly host: string;
  /** Certificate and private key, PEM; undefined: in clear. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** A fleet file, every default filled in, its paths resolved, its keys read. */
export interface Fleet {
  /** Where the page, the figures and the interface for labels are. */
  readonly port: number;
  /** Of page and broker. */
  readonly listen: Listen;
  /** The users and their roles; undefined: every user of this machine may do everything. */
  readonly users?: readonly User[];
  /** Hours after which a page must log in again. */
  readonly sessionHours: number;
  /** Labels that each user may give in a minute. */
  readonly labelsPerMinute: number;
  /** The database. */
  readonly store: string;
  /** TCP port of the built-in broker; undefined: there is none. */
  readonly broker?: number;
  /** Certificates, PEM, of those who vouch for brokers at `mqtts://`; undefined: those that Node.js knows. */
  readonly ca?: string;
  /** Home Assistant's broker and discovery prefix, mqtt://HOST/PREFIX; undefined: it isn't told of the nodes. */
  readonly homeAssistant?: string;
  readonly alarms?: FleetAlarms;
  /** True if labels over HTTP need the name of who gives them. */
  readonly askName?: boolean;
  /** The NATS servers by which gateways share the fleet; undefined: this gateway alone has it. */
  readonly cluster?: ClusterOptions;
  /** The nodes for which it trains models; undefined: each node learns by itself. */
  readonly together?: Together;
  /** Days that samples and predictions are kept. */
  readonly keepDays: number;
  /** Megabytes beyond which the oldest of them go sooner; undefined: any. */
  readonly keepMegabytes?: number;
  /** Hours between two copies of each node's memory; undefined: none but those asked for. */
  readonly copyHours?: number;
  /** Copies of each node that are kept. */
  readonly keepCopies: number;
  readonly nodes: readonly FleetNode[];
}
