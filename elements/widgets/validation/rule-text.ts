/** Describes validators: `distance_mi is between 0 and 3000`. */

import {
  type FieldSelector,
  nullHandling,
  type PayloadTime,
  type RunShare,
  selectedFields,
  type Validator,
  validatorKind,
} from '@tiding/client/widgets';
import { numberFormat } from '../../result/parts/numbers.ts';
import { fill } from '../../text/fill.ts';
import { timeText } from '../parts.tsx';
import { listed } from '../sentences.ts';
import { validationTexts as t } from './texts.ts';

/** Maximum number of list values a rule names; of the others only the number is given. */
const MAX_LISTED_VALUES = 12;

/** The fields of a rule, as the start of a sentence. */
function fieldsText(selector: FieldSelector | undefined): string {
  const fields = selectedFields(selector);
  if (!fields) return t.about.any;
  if (fields.kind === 'regex') return fill(t.about.matching, { pattern: fields.pattern });
  return fields.kind === 'single'
    ? fields.names[0]!
    : fill(t.about.each, { names: listed(fields.names) });
}

/** Describes the rule of a validator in one sentence without a full stop. */
export function ruleText(validator: Validator): string {
  const what = fieldsText(validator.fields);
  const {
    validators: names,
    value,
    validValues,
    pattern,
    sql,
    castFields,
    caseSensitive,
  } = validator;
  const added = (rule: string, more: string | false | undefined): string =>
    more ? fill(t.addition, { rule, more }) : rule;
  const unsaid = validator.validatorType
    ? fill(t.rules.other, { what, type: validator.validatorType })
    : fill(t.rules.nothing, { what });
  switch (validatorKind(validator.validatorType)) {
    case 'and':
      return names.length > 0 ? fill(t.rules.and, { names: listed(names) }) : t.rules.noNames;
    case 'or':
      return names.length > 0 ? fill(t.rules.or, { names: listed(names) }) : t.rules.noNames;
    case 'equals':
      return value === undefined ? unsaid : fill(t.rules.equals, { what, value });
    case 'numericalRange':
      return numbers(what, validator);
    case 'dateRange':
      return dates(what, validator.from, validator.to);
    case 'inList':
      return validValues.length === 0
        ? unsaid
        : added(
            fill(validator.isNot ? t.rules.notInList : t.rules.inList, {
              what,
              values: some(validValues),
            }),
            castFields && t.castFields,
          );
    case 'regex':
      return pattern
        ? added(fill(t.rules.regex, { what, pattern }), castFields && t.castFields)
        : unsaid;
    case 'lookup': {
      const place = [validator.lookupTableSchema, validator.lookupTable, validator.lookupColumn]
        .filter(Boolean)
        .join('.');
      return place
        ? added(fill(t.rules.lookup, { what, place }), caseSensitive === false && t.anyCase)
        : unsaid;
    }
    case 'sql':
      return sql ? fill(t.rules.sql, { what, sql }) : unsaid;
    default:
      return unsaid;
  }
}

function numbers(
  what: string,
  { lowerBound: low, upperBound: high, lowerBoundInclusive, upperBoundInclusive }: Validator,
): string {
  // Both bounds are inclusive by default.
  const [withLow, withHigh] = [lowerBoundInclusive !== false, upperBoundInclusive !== false];
  const from =
    low === undefined ? undefined : fill(withLow ? t.rules.atLeast : t.rules.above, { low });
  const to =
    high === undefined ? undefined : fill(withHigh ? t.rules.atMost : t.rules.below, { high });
  if (low !== undefined && high !== undefined && withLow && withHigh)
    return fill(t.rules.between, { what, low, high });
  if (from !== undefined && to !== undefined)
    return fill(t.rules.bounds, { what, low: from, high: to });
  const bound = from ?? to;
  return bound === undefined
    ? fill(t.rules.anyNumber, { what })
    : fill(t.rules.bound, { what, bound });
}

function dates(what: string, from: PayloadTime | undefined, to: PayloadTime | undefined): string {
  const [low, high] = [timeText(from), timeText(to)];
  if (low && high) return fill(t.rules.dates, { what, low, high });
  if (low) return fill(t.rules.since, { what, low });
  return high ? fill(t.rules.until, { what, high }) : fill(t.rules.anyDate, { what });
}

function some(values: readonly string[]): string {
  return values.length > MAX_LISTED_VALUES
    ? fill(t.more, {
        values: listed(values.slice(0, MAX_LISTED_VALUES)),
        n: values.length - MAX_LISTED_VALUES,
      })
    : listed(values);
}

/** Where NULL results are counted; unknown values are displayed as they are. */
export function nullResultText({ onNullResult }: Validator): string {
  const how = nullHandling(onNullResult);
  return how ? t.onNull[how]! : onNullResult!;
}

const percent = numberFormat({ style: 'percent', maximumFractionDigits: 1 });

/** Formats a share in percent; a few rows are never rounded to none or all. */
export function shareText({ share }: Pick<RunShare, 'share'>): string {
  if (share > 0 && share < 0.001) return fill(t.below, { share: percent.format(0.001) });
  if (share < 1 && share > 0.999) return fill(t.above, { share: percent.format(0.999) });
  return percent.format(share);
}
