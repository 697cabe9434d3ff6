// The types of the gateway's answers as JSON Schema, by the compiler. Version 7 of it has no JavaScript API.
import { join } from "node:path";
import ts from "typescript-5";

/** A schema: what JSON Schema has. */
export type Schema = { readonly [keyword: string]: unknown };

const FILE = "fleet/api/routes.ts";
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  strict: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  types: [],
};

/** Makes schemas of types; those of interfaces get a place of their own, once. */
class Schemas {
  readonly named: { [name: string]: Schema } = {};

  constructor(private readonly checker: ts.TypeChecker) {}

  of(type: ts.Type): Schema {
    const { checker } = this;
    if (type.isUnion()) return this.ofUnion(type.types);
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (type.flags & ts.TypeFlags.String || type.flags & ts.TypeFlags.TemplateLiteral)
      return { type: "string" };
    if (type.flags & ts.TypeFlags.Number) return { type: "number" };
    if (type.flags & ts.TypeFlags.BooleanLike) return { type: "boolean" };
    if (type.flags & ts.TypeFlags.Null) return { type: "null" };
    if (checker.isTupleType(type)) return this.ofTuple(type as ts.TupleTypeReference);
    if (checker.isArrayType(type))
      return { type: "array", items: this.of(checker.getTypeArguments(type as ts.TypeReference)[0]) };
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)))
      throw new Error(`${checker.typeToString(type)}: no JSON has that type`);
    return type.isClassOrInterface() ? this.ofNamed(type.symbol.name, type) : this.ofObject(type);
  }

  private ofNamed(name: string, type: ts.Type): Schema {
    if (!(name in this.named)) {
      this.named[name] = {}; // it may name itself
      const description = this.commentText(type.symbol);
      this.named[name] = { ...(description && { description }), ...this.ofObject(type) };
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  private ofUnion(types: readonly ts.Type[]): Schema {
    const options = types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
    const isBoolean = ({ flags }: ts.Type) => (flags & ts.TypeFlags.BooleanLiteral) !== 0;
    const literals = options.flatMap((type) =>
      type.isStringLiteral() || type.isNumberLiteral() ? type.value : [],
    );
    const others = options.filter(
      (type) => !type.isStringLiteral() && !type.isNumberLiteral() && !isBoolean(type),
    );
    const all: Schema[] = [
      ...(literals.length > 0 ? [literals.length > 1 ? { enum: literals } : { const: literals[0] }] : []),
      ...(options.some(isBoolean) ? [{ type: "boolean" }] : []),
      ...others.map((type) => this.of(type)),
    ];
    return all.length === 1 ? all[0] : { anyOf: all };
  }

  private ofTuple(type: ts.TupleTypeReference): Schema {
    const { labeledElementDeclarations: labels = [], minLength } = type.target;
    const items = this.checker.getTypeArguments(type).map((item, i) => {
      const name = labels[i]?.name.getText();
      return { ...(name && { title: name }), ...this.of(item) };
    });
    return { type: "array", prefixItems: items, minItems: minLength, maxItems: items.length };
  }

  private ofObject(type: ts.Type): Schema {
    const { checker } = this;
    const index = checker.getIndexTypeOfType(type, ts.IndexKind.String);
    if (index) return { type: "object", additionalProperties: this.of(index) };
    const properties: { [name: string]: Schema } = {};
    const required: string[] = [];
    for (const symbol of checker.getPropertiesOfType(type)) {
      const description = this.commentText(symbol);
      properties[symbol.name] = {
        ...(description && { description }),
        ...this.of(checker.getTypeOfSymbol(symbol)),
      };
      if (!(symbol.flags & ts.SymbolFlags.Optional)) required.push(symbol.name);
    }
    return { type: "object", properties, required, additionalProperties: false };
  }

  private commentText(symbol: ts.Symbol): string {
    return ts.displayPartsToString(symbol.getDocumentationComment(this.checker)).replace(/\s+/g, " ");
  }
}

export interface AnswerSchemas {
  /** The schema of each route's answer, by the route's name. */
  readonly answers: { readonly [route: string]: Schema };
  /** Those of interfaces, by their names. */
  readonly named: { readonly [name: string]: Schema };
}

export function answerSchemas(): AnswerSchemas {
  const path = join(process.cwd(), FILE);
  const program = ts.createProgram([path], OPTIONS);
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(path) as ts.SourceFile) as ts.Symbol;
  const routes = checker.getExportsOfModule(module).find(({ name }) => name === "ROUTES") as ts.Symbol;
  const schemas = new Schemas(checker);
  const answers = checker.getPropertiesOfType(checker.getTypeOfSymbol(routes)).map((route) => {
    const answer = checker.getPropertyOfType(checker.getTypeOfSymbol(route), "answer") as ts.Symbol;
    return [route.name, schemas.of(checker.getNonNullableType(checker.getTypeOfSymbol(answer)))];
  });
  return { answers: Object.fromEntries(answers), named: schemas.named };
}
