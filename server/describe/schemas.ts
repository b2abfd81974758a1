/**
 * Converts the protocol's schemas to JSON Schema; named objects are written once and referenced.
 */

import * as protocol from '@tiding/client/protocol';
import * as z from 'zod/mini';
import type { Docs } from './docs.ts';

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = { [key: string]: unknown };
type Schema = z.core.$ZodType;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && '_zod' in value;

/** Converts schemas and collects the named ones that they reference. */
export class Schemas {
  /** Named schemas, by the name used in references. */
  readonly components: Record<string, JsonSchema> = {};
  readonly #names = z.registry<{ id: string }>();
  readonly #docs: Docs;

  constructor(docs: Docs) {
    this.#docs = docs;
    for (const [name, value] of Object.entries(protocol)) {
      // Frames are described with each message.
      if (isSchema(value) && !['jsonObject', 'clientFrame', 'serverFrame'].includes(name))
        this.#names.add(value, { id: name });
    }
  }

  /** Returns the schema of a value; `undefined` if any value is allowed. */
  of(schema: Schema): JsonSchema | undefined {
    // Wrapped in an object, so that a named schema is referenced even if it is the whole value. In
    // wire format: before defaults and transforms.
    const all = z.toJSONSchema(z.object({ value: schema }), {
      metadata: this.#names,
      io: 'input',
      unrepresentable: 'any',
    }) as JsonSchema;
    for (const [name, definition] of Object.entries(
      (all['$defs'] ?? {}) as Record<string, JsonSchema>,
    ))
      this.components[name] ??= this.#component(name, definition);
    const value = (all['properties'] as Record<string, JsonSchema>)['value']!;
    return Object.keys(value).length === 0 ? undefined : (refer(value) as JsonSchema);
  }

  #component(name: string, { id: _, ...definition }: JsonSchema): JsonSchema {
    const schema = refer(definition) as JsonSchema;
    const properties = schema['properties'] as Record<string, JsonSchema> | undefined;
    for (const [field, property] of Object.entries(properties ?? {})) {
      const doc = this.#docs.fields[`${name}.${field}`];
      if (doc) properties![field] = { ...property, description: doc };
    }
    const doc = this.#docs.objects[name];
    return doc ? { description: doc, ...schema } : schema;
  }
}

/** Moves the `$defs` of one schema to the shared components. */
function refer(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(refer);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      key === '$ref' && typeof entry === 'string'
        ? entry.replace('#/$defs/', '#/components/schemas/')
        : refer(entry),
    ]),
  );
}
