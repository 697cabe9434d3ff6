import { Ajv, type ErrorObject } from "ajv";
import { parseJson } from "../../host/json.ts";
import { schemaFault } from "../../host/schema-fault.ts";

const check = new Ajv({ verbose: true }).compile<{ readonly name: string; readonly password: string }>({
  type: "object",
  additionalProperties: false,
  required: ["name", "password"],
  properties: {
    name: { type: "string", maxLength: 64 },
    password: { type: "string", maxLength: 1024 },
  },
});

/** Reads a request's body; returns a text about a wrong one, without the password. */
export function readLogin(body: string): { readonly name: string; readonly password: string } | string {
  let given: unknown;
  try {
    given = parseJson(body);
  } catch {
    return "the login isn't JSON";
  }
  if (check(given)) return given;
  const [fault] = check.errors as ErrorObject[];
  if (fault.instancePath === "/password") return "password: takes a text of at most 1024 characters";
  return schemaFault(fault, "the login");
}
