/** Schemas of validators. */
import { z } from 'zod';
import { descriptionSchema, instantSchema, keyword, nameSchema } from './definition-parts.ts';

const nullOrText = z.string().optional();
const selector = z.discriminatedUnion('fieldSelectorType', [
  z.object({ fieldSelectorType: z.literal('Single'), fieldName: z.string().min(1) }),
  z.object({ fieldSelectorType: z.literal('List'), fieldNames: z.array(z.string().min(1)).min(1) }),
  z
    .object({ fieldSelectorType: z.literal('Regex'), pattern: nullOrText, fieldName: nullOrText })
    .refine(
      ({ pattern, fieldName }) => isPattern(pattern ?? fieldName),
      'must have a pattern that is a regular expression',
    ),
]);
const validatorBase = {
  name: nameSchema,
  description: descriptionSchema,
  onNullResult: keyword('null', 'pass', 'fail').default('null'),
};
/** Schema of a validator of fields, with further members. */
const onFields = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ ...validatorBase, fields: selector, ...shape });
const pattern = z.string().refine(isPattern, 'must be a regular expression');
export const validatorSchemas = {
  and: z.object({ ...validatorBase, validators: z.array(nameSchema).min(1) }),
  or: z.object({ ...validatorBase, validators: z.array(nameSchema).min(1) }),
  equals: onFields({ value: z.number() }),
  numericalRange: onFields({
    lowerBound: z.number().optional(),
    upperBound: z.number().optional(),
    lowerBoundInclusive: z.boolean().default(true),
    upperBoundInclusive: z.boolean().default(true),
  }),
  dateRange: onFields({ from: instantSchema.optional(), to: instantSchema.optional() }),
  inList: onFields({
    validValues: z.array(z.union([z.string(), z.number().transform(String)])),
    isNot: z.boolean().default(false),
    castFields: z.boolean().default(false),
  }),
  regex: onFields({ pattern, castFields: z.boolean().default(false) }),
  lookup: onFields({
    lookupTable: z.string().min(1),
    lookupColumn: z.string().min(1),
    lookupTableSchema: z.string().optional(),
    caseSensitive: z.boolean().default(true),
  }),
  sql: onFields({ sql: z.string().min(1) }),
} as const;
export type ValidatorTypes = typeof validatorSchemas;
/** A validator of a suite. `validatorType` has its canonical case. */
export type ValidatorDefinition = {
  [Type in keyof ValidatorTypes]: { readonly validatorType: Type } & z.infer<ValidatorTypes[Type]>;
}[keyof ValidatorTypes];

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
