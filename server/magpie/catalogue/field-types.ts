/** Converts field types between the platform's names and the engine's. */
import { z } from 'zod';
import { quoteName } from '../../interpreters/sql/script.ts';

/** A field type in a definition: a name, or an array, map or struct of field types. */
type FieldTypeDefinition =
  | string
  | { readonly dataType: 'array'; readonly elementType: FieldTypeDefinition }
  | {
      readonly dataType: 'map';
      readonly keyType: FieldTypeDefinition;
      readonly valueType: FieldTypeDefinition;
    }
  | {
      readonly dataType: 'struct';
      readonly fields: readonly {
        readonly name: string;
        readonly fieldType: FieldTypeDefinition;
      }[];
    };

/** The platform's names of each engine type, the preferred one first. */
const namesOfTypes: Readonly<Record<string, readonly string[]>> = {
  VARCHAR: ['string', 'text', 'varchar', 'char'],
  BIGINT: ['long', 'bigint'],
  INTEGER: ['int', 'integer'],
  SMALLINT: ['short', 'smallint'],
  TINYINT: ['byte', 'tinyint'],
  FLOAT: ['float', 'real'],
  DOUBLE: ['double', 'number'],
  'DECIMAL(38,10)': ['decimal', 'numeric'],
  'DECIMAL(19,4)': ['money'],
  BOOLEAN: ['boolean', 'bool', 'bit'],
  DATE: ['date'],
  TIME: ['time'],
  TIMESTAMP: ['timestamp', 'datetime'],
  BLOB: ['binary'],
  UUID: ['uuid'],
};
const toEngine: ReadonlyMap<string, string> = new Map(
  Object.entries(namesOfTypes).flatMap(([type, names]) => names.map((name) => [name, type])),
);
const parametric = /^(decimal|numeric|varchar|char)\s*\(\s*(\d{1,6})(?:\s*,\s*(\d{1,2}))?\s*\)$/;

/** The engine's name of a type. Undefined if the type is unknown. */
export function engineType(type: FieldTypeDefinition): string | undefined {
  if (typeof type === 'string') {
    const given = type.trim().toLowerCase();
    const found = parametric.exec(given);
    if (!found) return toEngine.get(given);
    if (found[1] === 'varchar' || found[1] === 'char') return 'VARCHAR';
    const [width, scale] = [Number(found[2]), Number(found[3] ?? 0)];
    return width >= 1 && width <= 38 && scale <= width ? `DECIMAL(${width},${scale})` : undefined;
  }
  if (type.dataType === 'array') {
    const element = engineType(type.elementType);
    return element && `${element}[]`;
  }
  if (type.dataType === 'map') {
    const [key, value] = [engineType(type.keyType), engineType(type.valueType)];
    return key && value && `MAP(${key}, ${value})`;
  }
  const parts = type.fields.map(({ name, fieldType: own }) => ({ name, own: engineType(own) }));
  return parts.length > 0 && parts.every(({ own }) => own)
    ? `STRUCT(${parts.map(({ name, own }) => `${quoteName(name)} ${own}`).join(', ')})`
    : undefined;
}

/**
 * The platform's name of an engine type. A type without one keeps the engine's name in lower case.
 */
export function typeOfEngine(type: string): FieldTypeDefinition {
  if (type.endsWith('[]'))
    return { dataType: 'array', elementType: typeOfEngine(type.slice(0, -2)) };
  // Decimals keep their width.
  return (!type.includes('(') && namesOfTypes[type]?.[0]) || type.toLowerCase();
}

export const fieldTypeSchema: z.ZodType<FieldTypeDefinition> = z
  .lazy(() =>
    z.union([
      z.string(),
      z.object({ dataType: z.literal('array'), elementType: fieldTypeSchema }),
      z.object({
        dataType: z.literal('map'),
        keyType: fieldTypeSchema,
        valueType: fieldTypeSchema,
      }),
      z.object({
        dataType: z.literal('struct'),
        fields: z.array(z.object({ name: z.string().min(1), fieldType: fieldTypeSchema })).min(1),
      }),
    ]),
  )
  .refine(
    (type) => engineType(type) !== undefined,
    `must be a type: ${[...toEngine.keys()].join(', ')}, or an array, map or struct of these`,
  );
