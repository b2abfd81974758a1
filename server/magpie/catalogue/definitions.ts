/**
 * Schemas for the JSON bodies of statements, one for each type of object. Unknown members are
 * dropped and reported.
 */
import { isJsonObject } from '@tiding/client/model';
import { z } from 'zod';
import { MetadataError } from '../contract.ts';
import type { Body, BodyValue, ObjectType } from '../language/statements.ts';
import {
  descriptionSchema,
  durationSchema,
  instantSchema,
  keyword,
  nameSchema,
  optionalFlag,
  quartzSchema,
  textSchema,
  timeZoneSchema,
} from './definition-parts.ts';
import { isSameName } from './state.ts';
import {
  type FieldDefinition,
  type FileDefinition,
  fieldSchema,
  fileSchema,
  mappingSchema,
  partitionOptionsSchema,
  storageSchema,
  type TableStorage,
  writtenFileSchema,
} from './table-definitions.ts';
import {
  type ValidatorDefinition,
  type ValidatorTypes,
  validatorSchemas,
} from './validator-definitions.ts';

/**
 * Types of objects in the catalogue. Users are not included, because they are accounts of the
 * server.
 */
export type ItemType = Exclude<ObjectType, 'user'> | 'task' | 'schedule' | 'subscription';
/** Schema of an object with a name, a description and further members. */
const named = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ name: nameSchema, description: descriptionSchema, ...shape });
const credentials = z.discriminatedUnion('credentialType', [
  z.object({
    credentialType: z.literal('AwsAccessKey'),
    accessKeyId: textSchema,
    secretAccessKey: textSchema,
  }),
  z.object({
    credentialType: z.literal('AwsAssumedRole'),
    roleArn: textSchema,
    roleSessionName: textSchema.optional(),
    duration: z.number().int().default(3_600),
    crossAccount: z.boolean().default(false),
  }),
  z.object({
    credentialType: z.literal('AzureServicePrincipal'),
    tenantId: textSchema,
    clientId: textSchema,
    clientSecret: textSchema,
  }),
]);
const schedule = named({
  expression: quartzSchema,
  userName: z.string().optional(),
  startTime: instantSchema.optional(),
  endTime: instantSchema.optional(),
  timeZone: timeZoneSchema.optional(),
  clusterAction: keyword('Start', 'Stop', 'Restart').optional(),
  clusterName: nameSchema.optional(),
  state: keyword('Enabled', 'Disabled').default('Enabled'),
});
const task = named({
  state: keyword('Enabled', 'Disabled').default('Enabled'),
  predecessorName: nameSchema.optional(),
  failureMode: keyword('Abort', 'Ignore').default('Abort'),
  maxRetries: z.number().int().min(0).max(100).default(0),
  timeout: durationSchema.optional(),
  isFinalizer: z.boolean().default(false),
  targetTableName: nameSchema.optional(),
  targetTableSpec: z
    .union([
      nameSchema,
      z.object({
        name: nameSchema.optional(),
        tableName: nameSchema.optional(),
        schemaName: nameSchema.optional(),
        file: writtenFileSchema.optional(),
      }),
    ])
    .optional(),
  targetSchemaName: nameSchema.optional(),
  dataSourceName: nameSchema.optional(),
  partitionOptions: partitionOptionsSchema.optional(),
  saveMode: keyword('Create', 'Replace', 'ReplaceWithDelete').optional(),
  createMode: keyword('Create', 'Replace', 'ReplaceWithDelete', 'UseExisting').optional(),
  writeMode: keyword('Append').optional(),
});

const schemas = {
  organization: named({
    defaultRepositoryName: nameSchema.optional(),
    clusterLimits: z.looseObject({}).optional(),
  }),
  repository: named({
    defaultDataSourceName: nameSchema.optional(),
    defaultProjectName: nameSchema.optional(),
    defaultSchemaName: nameSchema.optional(),
  }),
  schema: named({ defaultDataSourceName: nameSchema.optional() }),
  project: named({}),
  job: named({
    state: keyword('Enabled', 'Disabled').default('Enabled'),
    failureMode: keyword('Abort', 'Continue').default('Abort'),
    allowConcurrentRuns: z.boolean().default(true),
  }),
  task,
  schedule,
  subscription: named({
    eventTypes: z.array(z.string().min(1)).default([]),
    recipients: z.array(z.string().min(1)).default([]),
    channel: keyword('Email').default('Email'),
    state: keyword('Enabled', 'Disabled').default('Enabled'),
  }),
  'data source': named({
    sourceType: keyword('hdfs', 'jdbc', 'file', 'duckdb'),
    hdfsType: textSchema.optional(),
    host: textSchema.optional(),
    pathPrefix: textSchema.optional(),
    defaultPath: textSchema.optional(),
    credentials: credentials.optional(),
    url: textSchema.optional(),
    databaseType: textSchema.optional(),
    port: z.number().int().optional(),
    databaseName: textSchema.optional(),
    userName: textSchema.optional(),
    passwordSecret: textSchema.optional(),
    rootPath: textSchema.optional(),
    path: textSchema.optional(),
  }),
  table: named({
    fields: z.array(fieldSchema).optional(),
    persistenceMapping: mappingSchema.optional(),
    isTemporary: optionalFlag,
  }),
  stream: named({
    dataSourceName: nameSchema,
    topic: textSchema.optional(),
    path: textSchema.optional(),
    fields: z.array(fieldSchema).default([]),
    state: keyword('Started', 'Stopped').default('Stopped'),
  }),
  sink: named({
    dataSourceName: nameSchema,
    sourceName: nameSchema.optional(),
    topic: textSchema.optional(),
    path: textSchema.optional(),
    state: keyword('Started', 'Stopped').default('Stopped'),
  }),
  cluster: named({
    driverTypeName: textSchema.optional(),
    workerTypeName: textSchema.optional(),
    workerCount: z.number().int().min(0).optional(),
    idleTimeoutMinutes: z.number().int().min(0).optional(),
  }),
  role: named({}),
  secret: named({ value: z.string().min(1).max(65_536).optional() }),
  'validation suite': named({}),
  user: z.object({
    userName: z.string().min(1).max(128),
    firstName: textSchema.optional(),
    lastName: textSchema.optional(),
    userStatus: keyword('Active', 'Disabled').default('Active'),
    serviceAccount: z.boolean().default(false),
  }),
} as const satisfies Record<ItemType | 'user', z.ZodType>;

export type ObjectDefinition<Type extends keyof typeof schemas> = z.infer<(typeof schemas)[Type]>;

/** A validated definition, and the paths of unknown members that were dropped. */
export interface Checked<T> {
  readonly value: T;
  readonly ignored: readonly string[];
}

/** Members that other statements add. */
function partsOf(type: string): readonly string[] {
  if (type === 'job') return ['startTask', 'tasks', 'schedules', 'subscriptions'];
  return type === 'validation suite' ? ['validators'] : [];
}

/** Validates a body. Throws {@link MetadataError} that names the invalid member. */
export function define<Type extends keyof typeof schemas>(
  type: Type,
  body: Body,
): Checked<ObjectDefinition<Type>> {
  const part = partsOf(type).find((name) => Object.hasOwn(body, name));
  if (part !== undefined)
    throw new MetadataError(
      `"${part}" can't be in the body of the ${type}. Create the ${type} first, then add each ` +
        `part: alter ${type} NAME add …`,
      { member: [part] },
    );
  const given = type === 'table' || type === 'data source' ? inCase(body) : body;
  return check(`the ${type}`, schemas[type] as unknown as z.ZodType<ObjectDefinition<Type>>, given);
}

/** Validates a field of a table. */
export const defineField = (body: Body): Checked<FieldDefinition> =>
  check('the field', fieldSchema, body);
/**
 * Validates a file behind a table. `format` defaults to Parquet, so callers derive it from the file
 * name first.
 */
export const defineFile = (body: Body): Checked<FileDefinition> =>
  check('the file', fileSchema, body);
/** Validates the options after the query of `create table … from sql`. */
export const defineStorage = (body: Body): Checked<TableStorage> =>
  check('the table', storageSchema, body);

/** Validates a validator. Its type is matched ignoring case. */
export function defineValidator(body: Body): Checked<ValidatorDefinition> {
  const wanted =
    typeof body['validatorType'] === 'string' ? body['validatorType'].toLowerCase() : '';
  const type = Object.keys(validatorSchemas).find((known) => known.toLowerCase() === wanted) as
    | keyof typeof validatorSchemas
    | undefined;
  if (!type)
    throw new MetadataError(
      '"validatorType" of the validator must be one of ' +
        `${Object.keys(validatorSchemas).join(', ')}.`,
      { member: ['validatorType'] },
    );
  const { validatorType: _, ...rest } = body;
  const { value, ignored } = check(
    'the validator',
    validatorSchemas[type] as z.ZodType<z.infer<ValidatorTypes[keyof ValidatorTypes]>>,
    rest,
  );
  return { value: { validatorType: type, ...value } as ValidatorDefinition, ignored };
}

/** Members with variants: which member of theirs selects one, and its values. */
const VARIANTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['persistenceMapping', ['mappingType', 'FileSystem', 'Virtual', 'JDBC']],
  ['credentials', ['credentialType', 'AwsAccessKey', 'AwsAssumedRole', 'AzureServicePrincipal']],
]);

/** Corrects the case of the members that select a variant. */
function inCase(body: Body): Body {
  const fix = ([member, value]: readonly [string, BodyValue]): [string, BodyValue] => {
    const [key, ...all] = VARIANTS.get(member) ?? [];
    if (key === undefined || !isJsonObject(value)) return [member, value];
    const given = value[key];
    const found = all.find((each) => typeof given === 'string' && isSameName(given, each));
    return [member, found === undefined ? value : { ...value, [key]: found }];
  };
  return Object.fromEntries(Object.entries(body).map(fix));
}

function check<T>(what: string, schema: z.ZodType<T>, body: Body): Checked<T> {
  const result = schema.safeParse(body);
  if (!result.success) {
    const issue = result.error.issues[0]!;
    const path = issue.path.map(String).join('.');
    const problem = issue.message.replace(/\.$/, '');
    const missing =
      issue.path.reduce<unknown>(
        (value, key) => (value as Record<string, unknown> | undefined)?.[String(key)],
        body,
      ) === undefined;
    throw new MetadataError(
      path === ''
        ? `This is not a valid definition of ${what}: ${problem}.`
        : missing
          ? `${what[0]!.toUpperCase()}${what.slice(1)} needs "${path}".`
          : `"${path}" of ${what}${problem.startsWith('must ') ? '' : ':'} ${problem}.`,
      { member: issue.path.map(String) },
    );
  }
  return { value: result.data, ignored: droppedMembers(body, result.data) };
}

/**
 * Paths of members, including nested ones, that validation dropped, such as
 * `persistenceMapping.file.colour`.
 */
function droppedMembers(given: unknown, kept: unknown, path = ''): readonly string[] {
  if (Array.isArray(given) && Array.isArray(kept))
    return [...new Set(given.flatMap((each, index) => droppedMembers(each, kept[index], path)))];
  if (!isJsonObject(given) || !isJsonObject(kept)) return [];
  return Object.keys(given).flatMap((key) =>
    Object.hasOwn(kept, key)
      ? droppedMembers(given[key], kept[key], `${path}${key}.`)
      : [`${path}${key}`],
  );
}
