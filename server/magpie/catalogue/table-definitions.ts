/** Schemas of tables: their fields, files and mappings, and how their rows are stored. */
import { z } from 'zod';
import {
  descriptionSchema,
  keyword,
  nameSchema,
  optionalFlag,
  textSchema,
} from './definition-parts.ts';
import { fieldTypeSchema } from './field-types.ts';

export const fieldSchema = z.object({
  name: z.string().min(1).max(255),
  description: descriptionSchema,
  length: z.number().int().positive().optional(),
  fieldType: fieldTypeSchema,
  fieldIndex: z.number().int().min(0).optional(),
});
export const fileSchema = z.object({
  format: keyword('text', 'DelimitedText', 'JSON', 'Parquet', 'ORC').default('Parquet'),
  path: textSchema.default(''),
  fileName: textSchema.min(1),
  compression: keyword('none', 'bzip2', 'gzip', 'lz4', 'snappy', 'deflate').optional(),
  encoding: textSchema.optional(),
  delimiter: z.string().min(1).max(4).optional(),
  header: optionalFlag,
  multiLine: optionalFlag,
  ignoreLeadingWhiteSpace: optionalFlag,
  ignoreTrailingWhiteSpace: optionalFlag,
  quoteCharacter: z.string().max(1).optional(),
  escapeCharacter: z.string().max(1).optional(),
  dateFormat: textSchema.optional(),
  timestampFormat: textSchema.optional(),
  // Columns by whose values the files were partitioned into folders. The files contain these
  // columns too.
  partitionBy: z.array(z.string()).optional(),
});
export const mappingSchema = z.discriminatedUnion('mappingType', [
  z.object({
    mappingType: z.literal('FileSystem'),
    sourceName: nameSchema,
    file: fileSchema,
    mapping: z
      .array(z.object({ sourceField: z.string().min(1), targetField: z.string().min(1) }))
      .optional(),
    isWritable: optionalFlag,
  }),
  z.object({
    mappingType: z.literal('Virtual'),
    expression: z.object({ query: z.string().min(1) }),
  }),
  z.object({
    mappingType: z.literal('JDBC'),
    sourceName: nameSchema,
    expression: z.union([
      z.object({ schemaName: textSchema.optional(), tableName: textSchema }),
      z.object({ query: textSchema }),
    ]),
  }),
]);
export const partitionOptionsSchema = z.object({
  count: z.number().int().min(1).max(1_000).optional(),
  partitionBy: z.array(z.string().min(1)).optional(),
});
/** How to write the files of a table. */
export const writtenFileSchema = z.object({
  format: keyword('DelimitedText', 'JSON', 'Parquet').default('Parquet'),
  path: textSchema.optional(),
  compression: keyword('none', 'bzip2', 'gzip', 'lz4', 'snappy', 'deflate').default('gzip'),
  delimiter: z.string().length(1).optional(),
  header: optionalFlag,
});
export const storageSchema = z.object({
  description: descriptionSchema,
  saveMode: keyword('Create', 'Replace', 'ReplaceWithDelete').optional(),
  dataSourceName: nameSchema.optional(),
  partitionOptions: partitionOptionsSchema.optional(),
  file: writtenFileSchema.optional(),
});
export type FieldDefinition = z.infer<typeof fieldSchema>;
/** A file behind a table. */
export type FileDefinition = z.infer<typeof fileSchema>;
/** The source of a table's rows. */
export type MappingDefinition = z.infer<typeof mappingSchema>;

/**
 * How to store the rows of a table that is created from a query, and what to do with the rows it
 * replaces.
 */
export type TableStorage = z.infer<typeof storageSchema>;
