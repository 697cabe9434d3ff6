// Builds the parts of a JSON schema. `limits`: further keys, such as the largest length or the default.

export const text = (description: string, limits: object = {}) => ({
  ...{ type: "string", ...limits, description },
});

/** A text that isn't empty, such as a file's name. */
export const name = (description: string, limits: object = {}) =>
  text(description, { minLength: 1, ...limits });

export const whole = (minimum: number, maximum: number, description: string, limits: object = {}) => ({
  ...{ type: "integer", minimum, maximum, ...limits, description },
});

export const number = (description: string, limits: object) => ({ type: "number", ...limits, description });

/** One of several texts. */
export const choice = <V extends readonly string[]>(values: V, first: V[number], description: string) => ({
  ...{ enum: values, default: first, description },
});

/** True or false; false is the default. */
export const flag = (description: string, first = false) => ({
  type: "boolean",
  default: first,
  description,
});

export const list = (items: object, limits: object, description?: string) => ({
  ...{ type: "array", ...limits, items, ...(description && { description }) },
});

/** An object without other keys. `about`: its required ones, its default, its description. */
export const object = <A extends object, P extends object>(about: A, properties: P) => ({
  ...{ type: "object", additionalProperties: false, ...about, properties },
});
