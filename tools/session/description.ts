import { Ajv } from "ajv";
import { parseJson } from "../../host/json.ts";
import { ClassNames } from "../../host/streams/class-names.ts";
import { chooseFamily } from "../../host-sim/catalogue/learner-choice.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { Message } from "../../src/wire/messages.ts";
import { readText } from "../../src/wire/receiver.ts";
import type { Hello } from "./hello.ts";

/** What a node says of itself, as far as this program can use it. */
export interface NodeDescription {
  readonly learner: string;
  /** The names of its classes, in the order of their targets, where it has names. */
  readonly names?: readonly string[];
  /** The node's options, its session 1, where this program can make such a node; else why it can't. */
  readonly node: NodeOptions | string;
}

/** Most bytes of a node that is made from a description: a board has less, and more would keep this machine busy. */
const NODE_MAX = 1 << 24;
/** Of learners' names in hello. */
const HELLO_NAME = 16;

const isDescription = new Ajv().compile({
  type: "object",
  required: ["learner", "options"],
  properties: {
    learner: { type: "string", minLength: 1, maxLength: 64 },
    options: { type: "object" },
    channels: { type: "integer", minimum: 1, maximum: 4096 },
    classes: {
      type: "array",
      minItems: 2,
      maxItems: 256,
      uniqueItems: true,
      items: { type: "string", minLength: 1, maxLength: 64 },
    },
  },
});

type DescribedNode = Omit<NodeOptions, "sid" | "learner" | "channels"> & {
  readonly learner: string;
  readonly channels?: number;
};

/** The node of these options, or why this program can't make it. */
function nodeFrom({ learner, ...options }: DescribedNode, channels: number): NodeOptions | string {
  try {
    const node = { ...options, sid: 1, channels, learner: chooseFamily(learner) };
    const { bytes } = nodeLayout(node);
    return bytes > NODE_MAX ? `its options make a node of ${bytes} bytes` : node;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Reads the text of message description, which may hold anything. Undefined: it says nothing that fits this hello. */
export function readDescription(text: string, hello: Hello): NodeDescription | undefined {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return undefined;
  }
  if (!isDescription(value)) return undefined;
  const described = value as DescribedNode;
  const { learner, channels = hello.channels, classes: names } = described;
  if (learner.slice(0, HELLO_NAME) !== hello.learner || channels !== hello.channels) return undefined;
  return { learner, ...(names && { names }), node: nodeFrom(described, channels) };
}

/** The node's options; undefined: it doesn't describe them, or this program can't make such a node. */
export function describedOptions(description?: NodeDescription | null): NodeOptions | undefined {
  return typeof description?.node === "object" ? description.node : undefined;
}

/**
 * A node's classes: those that it names, or numbered ones, two where nothing is known of their number. Undefined: it has none, as a
 * regression, or its learner isn't known.
 */
export function classesOfNode(
  hello: Pick<Hello, "learner">,
  description?: NodeDescription | null,
): ClassNames | undefined {
  if (description?.names) return new ClassNames(description.names);
  const node = describedOptions(description);
  const family = node?.learner ?? familyNamed(hello.learner);
  if (!family || family.task === "regression") return undefined;
  return ClassNames.forCount(node?.options.classes ?? family.options.classes?.default ?? 2);
}

/** Assembles the parts of message description. */
export class DescriptionParts {
  private text = "";

  /** The whole text once its last part has come; empty: the node describes nothing. A part out of turn is ignored. */
  take({ first, total, text, length }: Message<"description">): string | undefined {
    if (first === 0) this.text = "";
    if (first !== this.text.length || first + length > total) return undefined;
    this.text += readText(text, length);
    return this.text.length === total ? this.text : undefined;
  }
}
