/** What the bodies of statements may hold: a schema for each kind of object. Members that none of them knows are told and left out. */
import { parseQuartz } from 'tiding/model';
import { z } from 'zod';
import { MetadataError } from '../contract.ts';
import type { Body, ObjectType } from '../language/statements.ts';
import { fieldType } from './field-types.ts';

/** Kinds of things that the catalogue keeps; users are the server's own. */
export type ItemType = Exclude<ObjectType, 'user'> | 'task' | 'schedule' | 'subscription';

/** Letters, digits, `_`, `-` and blanks inside: what stands between the dots of a reference. */
const namePattern = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_ -]{0,126}[\p{L}\p{N}_-])?$/u;
const name = z
  .string()
  .regex(namePattern, 'is a name of letters, digits, _ and -, at most 128 of them');
const description = z.string().max(4_000).optional();
const text = z.string().max(4_000);
const word = (...values: readonly [string, ...string[]]) =>
  z.string().transform((given, context) => {
    const found = values.find((value) => value.toLowerCase() === given.toLowerCase());
    if (found === undefined)
      context.addIssue({ code: 'custom', message: `is one of ${values.join(', ')}` });
    return found ?? values[0];
  });
/** ISO 8601 with a zone, kept as it is in UTC. */
const instant = z.string().transform((given, context) => {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/.test(given)
    ? Date.parse(given)
    : Number.NaN;
  if (Number.isNaN(time)) {
    context.addIssue({ code: 'custom', message: 'is a time such as 2024-05-02T10:00:00Z' });
    return given;
  }
  return new Date(time).toISOString();
});
const zone = z.string().refine((given) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: given }) !== undefined;
  } catch {
    return false;
  }
}, 'is a time zone such as America/New_York');
const expression = z.string().superRefine((given, context) => {
  try {
    parseQuartz(given);
  } catch (error) {
    context.addIssue({
      code: 'custom',
      message: `is a Quartz expression: ${(error as Error).message}`,
    });
  }
});

const field = z.object({
  name: z.string().min(1).max(255),
  description,
  length: z.number().int().positive().optional(),
  fieldType,
  fieldIndex: z.number().int().min(0).optional(),
});
const flag = z.boolean().optional();
const file = z.object({
  format: word('text', 'DelimitedText', 'JSON', 'Parquet', 'ORC').default('Parquet'),
  path: text.default(''),
  fileName: text.min(1),
  compression: word('none', 'bzip2', 'gzip', 'lz4', 'snappy', 'deflate').optional(),
  encoding: text.optional(),
  delimiter: z.string().min(1).max(4).optional(),
  header: flag,
  multiLine: flag,
  ignoreLeadingWhiteSpace: flag,
  ignoreTrailingWhiteSpace: flag,
  quoteCharacter: z.string().max(1).optional(),
  escapeCharacter: z.string().max(1).optional(),
  dateFormat: text.optional(),
  timestampFormat: text.optional(),
  // Of files that were written in a folder for each value of these columns; they stand in the files too.
  partitionBy: z.array(z.string()).optional(),
});
const mapping = z.discriminatedUnion('mappingType', [
  z.object({
    mappingType: z.literal('FileSystem'),
    sourceName: name,
    file,
    mapping: z
      .array(z.object({ sourceField: z.string().min(1), targetField: z.string().min(1) }))
      .optional(),
    isWritable: flag,
  }),
  z.object({
    mappingType: z.literal('Virtual'),
    expression: z.object({ query: z.string().min(1) }),
  }),
  z.object({
    mappingType: z.literal('JDBC'),
    sourceName: name,
    expression: z.union([
      z.object({ schemaName: text.optional(), tableName: text }),
      z.object({ query: text }),
    ]),
  }),
]);
const credentials = z.discriminatedUnion('credentialType', [
  z.object({ credentialType: z.literal('AwsAccessKey'), accessKeyId: text, secretAccessKey: text }),
  z.object({
    credentialType: z.literal('AwsAssumedRole'),
    roleArn: text,
    roleSessionName: text.optional(),
    duration: z.number().int().default(3_600),
    crossAccount: z.boolean().default(false),
  }),
  z.object({
    credentialType: z.literal('AzureServicePrincipal'),
    tenantId: text,
    clientId: text,
    clientSecret: text,
  }),
]);
const schedule = z.object({
  name,
  description,
  expression,
  userName: z.string().optional(),
  startTime: instant.optional(),
  endTime: instant.optional(),
  timeZone: zone.optional(),
  clusterAction: word('Start', 'Stop', 'Restart').optional(),
  clusterName: name.optional(),
  state: word('Enabled', 'Disabled').default('Enabled'),
});
const partitionOptions = z.object({
  count: z.number().int().min(1).max(1_000).optional(),
  partitionBy: z.array(z.string().min(1)).optional(),
});
/** How the files of a table are written. */
const writtenFile = z.object({
  format: word('DelimitedText', 'JSON', 'Parquet').default('Parquet'),
  path: text.optional(),
  compression: word('none', 'bzip2', 'gzip', 'lz4', 'snappy', 'deflate').default('gzip'),
  delimiter: z.string().length(1).optional(),
  header: flag,
});
const storage = z.object({
  description,
  saveMode: word('Create', 'Replace', 'ReplaceWithDelete').optional(),
  dataSourceName: name.optional(),
  partitionOptions: partitionOptions.optional(),
  file: writtenFile.optional(),
});
const duration = z
  .string()
  .refine((given) => durationMs(given) !== undefined, 'is a duration such as 30m or PT30M');
const task = z.object({
  name,
  description,
  state: word('Enabled', 'Disabled').default('Enabled'),
  predecessorName: name.optional(),
  failureMode: word('Abort', 'Ignore').default('Abort'),
  maxRetries: z.number().int().min(0).max(100).default(0),
  timeout: duration.optional(),
  isFinalizer: z.boolean().default(false),
  targetTableName: name.optional(),
  targetTableSpec: z
    .union([
      name,
      z.object({
        name: name.optional(),
        tableName: name.optional(),
        schemaName: name.optional(),
        file: writtenFile.optional(),
      }),
    ])
    .optional(),
  targetSchemaName: name.optional(),
  dataSourceName: name.optional(),
  partitionOptions: partitionOptions.optional(),
  saveMode: word('Create', 'Replace', 'ReplaceWithDelete').optional(),
  createMode: word('Create', 'Replace', 'ReplaceWithDelete', 'UseExisting').optional(),
  writeMode: word('Append').optional(),
});
const nullOrText = z.string().optional();
const selector = z.discriminatedUnion('fieldSelectorType', [
  z.object({ fieldSelectorType: z.literal('Single'), fieldName: z.string().min(1) }),
  z.object({ fieldSelectorType: z.literal('List'), fieldNames: z.array(z.string().min(1)).min(1) }),
  z
    .object({ fieldSelectorType: z.literal('Regex'), pattern: nullOrText, fieldName: nullOrText })
    .refine(
      ({ pattern, fieldName }) => isPattern(pattern ?? fieldName),
      'needs a pattern that is a regular expression',
    ),
]);
const validatorBase = {
  name,
  description,
  onNullResult: word('null', 'pass', 'fail').default('null'),
};
const pattern = z.string().refine(isPattern, 'is a regular expression');
const validatorsByType = {
  and: z.object({ ...validatorBase, validators: z.array(name).min(1) }),
  or: z.object({ ...validatorBase, validators: z.array(name).min(1) }),
  equals: z.object({ ...validatorBase, fields: selector, value: z.number() }),
  numericalRange: z.object({
    ...validatorBase,
    fields: selector,
    lowerBound: z.number().optional(),
    upperBound: z.number().optional(),
    lowerBoundInclusive: z.boolean().default(true),
    upperBoundInclusive: z.boolean().default(true),
  }),
  dateRange: z.object({
    ...validatorBase,
    fields: selector,
    from: instant.optional(),
    to: instant.optional(),
  }),
  inList: z.object({
    ...validatorBase,
    fields: selector,
    validValues: z.array(z.union([z.string(), z.number().transform(String)])),
    isNot: z.boolean().default(false),
    castFields: z.boolean().default(false),
  }),
  regex: z.object({
    ...validatorBase,
    fields: selector,
    pattern,
    castFields: z.boolean().default(false),
  }),
  lookup: z.object({
    ...validatorBase,
    fields: selector,
    lookupTable: z.string().min(1),
    lookupColumn: z.string().min(1),
    lookupTableSchema: z.string().optional(),
    caseSensitive: z.boolean().default(true),
  }),
  sql: z.object({ ...validatorBase, fields: selector, sql: z.string().min(1) }),
} as const;

const schemas = {
  organization: z.object({
    name,
    description,
    defaultRepositoryName: name.optional(),
    clusterLimits: z.looseObject({}).optional(),
  }),
  repository: z.object({
    name,
    description,
    defaultDataSourceName: name.optional(),
    defaultProjectName: name.optional(),
    defaultSchemaName: name.optional(),
  }),
  schema: z.object({ name, description, defaultDataSourceName: name.optional() }),
  project: z.object({ name, description }),
  job: z.object({
    name,
    description,
    state: word('Enabled', 'Disabled').default('Enabled'),
    failureMode: word('Abort', 'Continue').default('Abort'),
    allowConcurrentRuns: z.boolean().default(true),
  }),
  task,
  schedule,
  subscription: z.object({
    name,
    description,
    eventTypes: z.array(z.string().min(1)).default([]),
    recipients: z.array(z.string().min(1)).default([]),
    channel: word('Email').default('Email'),
    state: word('Enabled', 'Disabled').default('Enabled'),
  }),
  'data source': z.object({
    name,
    description,
    sourceType: word('hdfs', 'jdbc', 'file', 'duckdb'),
    hdfsType: text.optional(),
    host: text.optional(),
    pathPrefix: text.optional(),
    defaultPath: text.optional(),
    credentials: credentials.optional(),
    url: text.optional(),
    databaseType: text.optional(),
    port: z.number().int().optional(),
    databaseName: text.optional(),
    userName: text.optional(),
    passwordSecret: text.optional(),
    rootPath: text.optional(),
    path: text.optional(),
  }),
  table: z.object({
    name,
    description,
    fields: z.array(field).optional(),
    persistenceMapping: mapping.optional(),
    isTemporary: flag,
  }),
  stream: z.object({
    name,
    description,
    dataSourceName: name,
    topic: text.optional(),
    path: text.optional(),
    fields: z.array(field).default([]),
    state: word('Started', 'Stopped').default('Stopped'),
  }),
  sink: z.object({
    name,
    description,
    dataSourceName: name,
    sourceName: name.optional(),
    topic: text.optional(),
    path: text.optional(),
    state: word('Started', 'Stopped').default('Stopped'),
  }),
  cluster: z.object({
    name,
    description,
    driverTypeName: text.optional(),
    workerTypeName: text.optional(),
    workerCount: z.number().int().min(0).optional(),
    idleTimeoutMinutes: z.number().int().min(0).optional(),
  }),
  role: z.object({ name, description }),
  secret: z.object({ name, description, value: z.string().min(1).max(65_536).optional() }),
  'validation suite': z.object({ name, description }),
  user: z.object({
    userName: z.string().min(1).max(128),
    firstName: text.optional(),
    lastName: text.optional(),
    userStatus: word('Active', 'Disabled').default('Active'),
    serviceAccount: z.boolean().default(false),
  }),
} as const satisfies Record<ItemType | 'user', z.ZodType>;

/** What a kind of object holds, checked. */
export type Definition<Type extends keyof typeof schemas> = z.infer<(typeof schemas)[Type]>;
/** A field of a table. */
export type FieldDefinition = z.infer<typeof field>;
/** A file behind a table. */
export type FileDefinition = z.infer<typeof file>;
/** How the rows of a table are kept. */
export type MappingDefinition = z.infer<typeof mapping>;
/** A validator of a suite, with its kind as the platform writes it. */
export type ValidatorDefinition = {
  readonly validatorType: string;
  readonly name: string;
  readonly [key: string]: unknown;
};

/** A definition and the members that were left out. */
export interface Checked<T> {
  readonly value: T;
  readonly ignored: readonly string[];
}

/** Checks a body. Throws {@link MetadataError} that names the member. */
export function define<Type extends keyof typeof schemas>(
  type: Type,
  body: Body,
): Checked<Definition<Type>> {
  const given = type === 'table' || type === 'data source' ? inCase(body) : body;
  return check(`the ${type}`, schemas[type] as unknown as z.ZodType<Definition<Type>>, given);
}

/** Checks a field of a table. */
export const defineField = (body: Body): Checked<FieldDefinition> =>
  check('the field', field, body);
/** Checks a file behind a table; `format` is read from the name where it is absent. */
export const defineFile = (body: Body): Checked<FileDefinition> => check('the file', file, body);

/** How the rows of a table that a query makes are kept, and what becomes of those that are replaced. */
export type Storage = z.infer<typeof storage>;
/** Checks what stands behind a query that a table is made of. */
export const defineStorage = (body: Body): Checked<Storage> => check('the table', storage, body);

/** Checks a validator; its kind is matched in any case. */
export function defineValidator(body: Body): Checked<ValidatorDefinition> {
  const wanted =
    typeof body['validatorType'] === 'string' ? body['validatorType'].toLowerCase() : '';
  const type = Object.keys(validatorsByType).find((known) => known.toLowerCase() === wanted) as
    | keyof typeof validatorsByType
    | undefined;
  if (!type)
    throw new MetadataError(
      `validatorType of the validator is one of ${Object.keys(validatorsByType).join(', ')}.`,
    );
  const { validatorType: _, ...rest } = body;
  const { value, ignored } = check(
    'the validator',
    validatorsByType[type] as z.ZodType<{ name: string }>,
    rest,
  );
  return { value: { validatorType: type, ...value }, ignored };
}

/** The values that tell kinds apart are matched in any case. */
function inCase(body: Body): Body {
  const fix = (value: unknown, key: string, all: readonly string[]): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const given = (value as Body)[key];
    const found =
      typeof given === 'string'
        ? all.find((each) => each.toLowerCase() === given.toLowerCase())
        : undefined;
    return found === undefined ? value : { ...value, [key]: found };
  };
  return {
    ...body,
    ...('persistenceMapping' in body
      ? {
          persistenceMapping: fix(body['persistenceMapping'], 'mappingType', [
            'FileSystem',
            'Virtual',
            'JDBC',
          ]) as Body,
        }
      : {}),
    ...('credentials' in body
      ? {
          credentials: fix(body['credentials'], 'credentialType', [
            'AwsAccessKey',
            'AwsAssumedRole',
            'AzureServicePrincipal',
          ]) as Body,
        }
      : {}),
  };
}

function check<T>(what: string, schema: z.ZodType<T>, body: Body): Checked<T> {
  const result = schema.safeParse(body);
  if (!result.success) {
    const issue = result.error.issues[0]!;
    const path = issue.path.map(String).join('.');
    const missing =
      issue.path.reduce<unknown>(
        (value, key) => (value as Record<string, unknown> | undefined)?.[String(key)],
        body,
      ) === undefined;
    throw new MetadataError(
      path === ''
        ? `This is no definition of ${what}: ${issue.message}.`
        : missing
          ? `${what[0]!.toUpperCase()}${what.slice(1)} needs "${path}".`
          : `"${path}" of ${what}: ${issue.message}.`,
    );
  }
  return { value: result.data, ignored: leftOut(body, result.data) };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members, also further down, that a check did not take over: `persistenceMapping.file.colour`. */
function leftOut(given: unknown, kept: unknown, path = ''): readonly string[] {
  if (Array.isArray(given) && Array.isArray(kept))
    return [...new Set(given.flatMap((each, index) => leftOut(each, kept[index], path)))];
  if (!isObject(given) || !isObject(kept)) return [];
  return Object.keys(given).flatMap((key) =>
    Object.hasOwn(kept, key) ? leftOut(given[key], kept[key], `${path}${key}.`) : [`${path}${key}`],
  );
}

function isPattern(given: string | undefined): boolean {
  if (given === undefined) return false;
  try {
    return new RegExp(given, 'u') !== undefined;
  } catch {
    try {
      return new RegExp(given) !== undefined;
    } catch {
      return false;
    }
  }
}

/** A duration in ms: `90s`, `30m`, `2h`, `1d`, or ISO 8601; undefined where it is none. */
export function durationMs(given: string): number | undefined {
  const short = /^\s*(\d{1,9})\s*(ms|s|m|h|d)\s*$/i.exec(given);
  const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
  if (short)
    return Number(short[1]) * units[short[2]!.toLowerCase() as keyof typeof units] || undefined;
  const iso = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i.exec(given.trim());
  if (!iso) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = iso
    .slice(1)
    .map((part) => Number(part ?? 0));
  return days * 86_400_000 + hours * 3_600_000 + minutes * 60_000 + seconds * 1_000 || undefined;
}
