import { Ajv, type ErrorObject } from "ajv";
import { keyTwice, parseJson } from "../../host/json.ts";
import { schemaFault } from "../../host/schema-fault.ts";
import { text } from "../../host/schema-parts.ts";

/** A key of a body, as JSON Schema has it. */
interface Key {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly default?: string | number;
  readonly description: string;
  /** A secret, which no message shows. */
  readonly writeOnly?: boolean;
}

export const ASKED_BY = text("who asks; where there are users, the request's user", {
  maxLength: 64,
  default: "",
});

interface BodySchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, Key>>;
  readonly required?: readonly string[];
  /** What else holds if the body is like the first. */
  readonly if?: object;
  readonly then?: object;
}

/** A kind of body that requests send: an object in JSON. */
export class RequestBody<B = unknown> {
  private readonly isRight;

  /** @param what names it in messages, "label"; its keys have the schema's defaults. */
  constructor(
    readonly what: string,
    readonly schema: BodySchema,
  ) {
    const ajv = new Ajv({ useDefaults: true, verbose: true, allowUnionTypes: true });
    this.isRight = ajv.compile<B>({ additionalProperties: false, ...schema });
  }

  /** Reads a body with its defaults; returns a text about a wrong one. */
  read(text: string): B | string {
    let body: unknown;
    try {
      body = parseJson(text);
    } catch (error) {
      const isSecret = Object.values(this.schema.properties).some(({ writeOnly }) => writeOnly);
      return isSecret ? `the ${this.what} isn't JSON` : (error as Error).message;
    }
    const twice = keyTwice(text);
    if (twice !== undefined) return `${twice}: is there more than once; a ${this.what} has each key once`;
    return this.check(body);
  }

  /** The body with its defaults; or a text about a wrong one. */
  check(body: unknown): B | string {
    if (this.isRight(body)) return body;
    const [fault] = this.isRight.errors as ErrorObject[];
    const key = fault.instancePath.slice(1);
    const { writeOnly, maxLength } = this.schema.properties[key] ?? {};
    if (writeOnly) return `${key}: takes a text of at most ${maxLength} characters`;
    return schemaFault(fault, `the ${this.what}`);
  }
}
