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

const toEngine: Readonly<Record<string, string>> = {
  string: 'VARCHAR',
  text: 'VARCHAR',
  varchar: 'VARCHAR',
  char: 'VARCHAR',
  long: 'BIGINT',
  bigint: 'BIGINT',
  int: 'INTEGER',
  integer: 'INTEGER',
  short: 'SMALLINT',
  smallint: 'SMALLINT',
  byte: 'TINYINT',
  tinyint: 'TINYINT',
  float: 'FLOAT',
  real: 'FLOAT',
  double: 'DOUBLE',
  number: 'DOUBLE',
  decimal: 'DECIMAL(38,10)',
  numeric: 'DECIMAL(38,10)',
  money: 'DECIMAL(19,4)',
  boolean: 'BOOLEAN',
  bool: 'BOOLEAN',
  bit: 'BOOLEAN',
  date: 'DATE',
  time: 'TIME',
  timestamp: 'TIMESTAMP',
  datetime: 'TIMESTAMP',
  binary: 'BLOB',
  uuid: 'UUID',
};
const parametric = /^(decimal|numeric|varchar|char)\s*\(\s*(\d{1,6})(?:\s*,\s*(\d{1,2}))?\s*\)$/;

/** The engine's name of a type. Undefined if the type is unknown. */
export function engineType(type: FieldTypeDefinition): string | undefined {
  if (typeof type === 'string') {
    const given = type.trim().toLowerCase();
    const found = parametric.exec(given);
    if (!found) return Object.hasOwn(toEngine, given) ? toEngine[given] : undefined;
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

const fromEngine: Readonly<Record<string, string>> = {
  VARCHAR: 'string',
  BIGINT: 'long',
  INTEGER: 'int',
  SMALLINT: 'short',
  TINYINT: 'byte',
  FLOAT: 'float',
  DOUBLE: 'double',
  BOOLEAN: 'boolean',
  DATE: 'date',
  TIME: 'time',
  TIMESTAMP: 'timestamp',
  BLOB: 'binary',
  UUID: 'uuid',
};

/**
 * The platform's name of an engine type. A type without one keeps the engine's name in lower case.
 */
export function typeOfEngine(type: string): FieldTypeDefinition {
  if (type.endsWith('[]'))
    return { dataType: 'array', elementType: typeOfEngine(type.slice(0, -2)) };
  return fromEngine[type] ?? type.toLowerCase();
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
    `must be a type: ${Object.keys(toEngine).join(', ')}, or an array, map or struct of these`,
  );
