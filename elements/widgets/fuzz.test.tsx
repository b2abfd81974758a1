/** Payloads with invalid parts, from the schemas of all widgets. */
import { readWidget, type WidgetId, widgetSchemas } from '@tiding/client/widgets';
import fc, { type Arbitrary } from 'fast-check';
import { check } from '../result/test-support.tsx';
import { widgetCode, widgetFamilies } from './registry.ts';
import { mountWidget } from './test-kit.tsx';

const families: Readonly<Record<string, object>> = widgetFamilies;
/** The parts of a zod schema definition that occur in payload schemas. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly options?: readonly Schema[];
  readonly valueType?: Schema;
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, string | number>>;
  readonly getter?: () => Schema;
}
interface Schema {
  readonly _zod: { readonly def: unknown };
}

/** Texts that have a special meaning for some rule. */
const telling = [
  '',
  ' ',
  'core',
  'core.trips',
  'a.b.c',
  '2024-05-02T09:00:00Z',
  '2024-05-02',
  '1714640400000',
  'yesterday',
  '--02-29',
  '--13-40',
  'February',
  'Monday',
  '12',
  '-1',
  '1e400',
  'NaN',
  'Succeeded',
  'failed',
  'Running',
  'Degraded',
  'JobFailed',
  'StageStarted',
  'Many',
  'One',
  'ZeroOrOne',
  'Simple',
  'Compound',
  'Numerical',
  'Timestamp',
  'Text',
  'DelimitedText',
  'GlobalRole',
  'Result',
  'NestedJob',
  'SqlMapper',
  'Job',
  '0 0 5 * * ?',
  'UTC',
  'Nowhere/Zone',
  'https://example.org/',
  'javascript:alert(1)',
  '<b onclick="alert(1)">bold</b>',
  '</script><script>alert(1)</script>',
  '{{1+1}}',
  '%html',
  'مرحبا',
  '\u202eabc',
  '👩‍👩‍👧',
  'a\nb',
  '__proto__',
  'constructor',
  'x'.repeat(300),
];
/** Nesting depth below which lists and objects are empty, because some schemas are recursive. */
const MAX_DEPTH = 7;

/**
 * Payloads for a schema: most parts are valid, some are missing, `null`, of another type or
 * nonsense. One in thirty is not an object.
 */
function payloads(schema: unknown): Arbitrary<unknown> {
  const wrong = fc.oneof(
    {
      arbitrary: fc.constantFrom<unknown>(
        null,
        undefined,
        '',
        0,
        -1,
        NaN,
        Infinity,
        1e308,
        true,
        [],
        {},
        [null],
        { name: null },
      ),
      weight: 3,
    },
    { arbitrary: fc.constantFrom<unknown>(...telling), weight: 1 },
    { arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 1 },
  );
  const words = fc.oneof(
    { arbitrary: fc.constantFrom(...telling), weight: 3 },
    { arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }), weight: 1 },
  );
  const numbers = fc.oneof(
    { arbitrary: fc.integer({ min: -3, max: 400 }), weight: 4 },
    { arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }), weight: 1 },
    {
      arbitrary: fc.constantFrom(
        0,
        0.65,
        0.8,
        1,
        2024,
        1_714_640_400_000,
        Number.MAX_SAFE_INTEGER,
        -Number.MAX_VALUE,
      ),
      weight: 1,
    },
  );
  const fitting = (of: Schema, level: number): Arbitrary<unknown> => {
    const def = of._zod.def as Definition;
    const inner = (each: Schema) => part(each, level + 1);
    switch (def.type) {
      case 'string':
        return words;
      case 'number':
      case 'int':
        return numbers;
      case 'boolean':
        return fc.boolean();
      case 'array':
        return level > MAX_DEPTH
          ? fc.constant([])
          : fc.array(inner(def.element!), { maxLength: 4 });
      case 'object':
        return level > MAX_DEPTH
          ? fc.constant({})
          : fc.record(
              Object.fromEntries(
                Object.entries(def.shape!).map(([name, each]) => [name, inner(each)]),
              ),
              { requiredKeys: [] },
            );
      case 'record':
        return level > MAX_DEPTH
          ? fc.constant({})
          : fc.dictionary(words, inner(def.valueType!), { maxKeys: 4 });
      case 'union':
        return fc.oneof(...def.options!.map((each) => fitting(each, level)));
      case 'optional':
      case 'nullable':
      case 'default':
      case 'prefault':
      case 'catch':
      case 'readonly':
        return fitting(def.innerType!, level);
      case 'pipe':
        return fitting(def.in!, level);
      case 'lazy':
        return level > MAX_DEPTH ? fc.constant(undefined) : fitting(def.getter!(), level + 1);
      case 'literal':
        return fc.constantFrom(...def.values!);
      case 'enum':
        return fc.constantFrom(...Object.values(def.entries!));
      case 'unknown':
      case 'any':
        return wrong;
      default:
        throw new Error(`The generator does not support the schema type ${def.type}.`);
    }
  };
  const part = (of: Schema, level: number): Arbitrary<unknown> =>
    fc.oneof({ arbitrary: fitting(of, level), weight: 9 }, { arbitrary: wrong, weight: 1 });
  return fc.oneof(
    { arbitrary: fitting(schema as Schema, 0), weight: 29 },
    { arbitrary: wrong, weight: 1 },
  );
}

/**
 * Number of payloads per widget in a long run, its first seed, and its families, separated by
 * spaces (`npm run test:fuzz`). Defined by the test runner; 0 or empty if not set.
 */
declare const FUZZ_RUNS: number;
declare const FUZZ_SEED: number;
declare const FUZZ_FAMILIES: string;
const isLong = FUZZ_RUNS > 0;
const DRAWN = isLong ? 150 : 24;
const SEED = FUZZ_SEED || (isLong ? Date.now() % 2 ** 31 : 20261122);

/**
 * `describe` must not throw or leave gaps in its text, for 300 payloads of a family, and a sample
 * must render without errors. A long run uses new payloads each time, as many per widget as
 * configured. The seed is logged; `SEED=…` repeats the run.
 */
async function fuzz(ids: readonly WidgetId[]): Promise<void> {
  const each = FUZZ_RUNS || Math.ceil(300 / ids.length);
  console.log(
    `fuzz: ${ids.length} widgets (${ids[0]} …), ${each} payloads of each, ` +
      `${Math.max(DRAWN, ids.length)} drawn, SEED=${SEED}`,
  );
  for (const [at, id] of ids.entries()) {
    const { describe } = await widgetCode(id).load();
    const arbitrary = payloads(widgetSchemas[id]);
    fc.assert(
      fc.property(arbitrary, (payload) => {
        const said = describe(readWidget(payload, id)!.data);
        const hole = /\bundefined\b|\[object |\bNaN\b/;
        check(
          typeof said === 'string' &&
            (!hole.test(said) ||
              hole.test(
                JSON.stringify(payload, (_, value: unknown) =>
                  typeof value === 'number' && !Number.isFinite(value) ? 'NaN' : value,
                ) ?? '',
              )),
          `Said of ${id}: ${String(said)}`,
        );
      }),
      { numRuns: each, seed: SEED },
    );
    // Every widget gets a share of the sample.
    const share = Math.max(
      1,
      Math.floor(((at + 1) * DRAWN) / ids.length) - Math.floor((at * DRAWN) / ids.length),
    );
    for (const [number, payload] of fc
      .sample(arbitrary, { numRuns: share, seed: SEED })
      .entries()) {
      // A missing payload is not a payload of a widget.
      const placed = await mountWidget(id, payload ?? {}, {
        theme: number % 2 === 0 ? 'light' : 'dark',
        width: number % 3 === 0 ? 390 : 1000,
      });
      check(
        placed.root.querySelector('.widget > .visually-hidden') &&
          !placed.root.querySelector('.element-message, .result-notice.danger'),
        `${id} was not drawn (seed ${SEED}): ${JSON.stringify(payload)?.slice(0, 2000)}`,
      );
      placed.remove();
    }
  }
}

for (const family of FUZZ_FAMILIES ? FUZZ_FAMILIES.split(' ') : Object.keys(families))
  it(`widgets of the family ${family} accept any payload [O2]`, async () => {
    const widgets = families[family];
    check(widgets, `Unknown family. Use one of: ${Object.keys(families).join(', ')}.`);
    await fuzz(Object.keys(widgets) as WidgetId[]);
  }).timeout(isLong ? 1_200_000 : 240_000);
