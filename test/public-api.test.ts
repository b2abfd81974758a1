/**
 * The public interface is usable by strangers: it has no `any`, documents each name, and exports
 * every type that it refers to.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { apiReport, sortUnions } from './support/api-report.ts';
import { compiled, listing, offendersOf, publicEntries } from './support/public-api.ts';

describe('the public interface', () => {
  // Compiling three packages takes half a minute, and longer on a busy machine.
  let rooms: ReturnType<typeof compiled>;
  beforeAll(() => {
    rooms = compiled(publicEntries());
  }, 300_000);

  it('has its entries in package.json', () => {
    expect(
      publicEntries()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(
      (
        '@tiding/client @tiding/client/changes @tiding/client/model @tiding/client/node ' +
        '@tiding/client/notebook @tiding/client/pivot @tiding/client/protocol ' +
        '@tiding/client/schedules @tiding/client/testing @tiding/client/widgets ' +
        '@tiding/elements @tiding/elements/define @tiding/elements/hooks ' +
        '@tiding/elements/portal @tiding/elements/react @tiding/elements/snapshot ' +
        'tiding/server'
      ).split(' '),
    );
  });

  it('has no `any`, documents every name, and exports every type it refers to', {
    timeout: 300_000,
  }, () => {
    expect(listing(offendersOf(rooms))).toBe('');
  });

  // `npx vitest run test/public-api -u` writes it again. Read the difference: what disappears or
  // becomes narrower breaks the code of others.
  it('is the one that was reviewed', { timeout: 300_000 }, async () => {
    await expect(apiReport(rooms)).toMatchFileSnapshot('fixtures/public-api.txt');
  });
});

it.each([
  ['string | undefined', 'undefined | string'],
  ['(a: "x | y" | 1) => Promise<B | A>', '(a: 1 | "x | y") => Promise<A | B>'],
  ['{ a: { b: 2 | 1; }[] | null; c?: D; }', '{ a: null | { b: 1 | 2; }[]; c?: D; }'],
])('the report writes %s as %s', (one, other) => {
  expect(sortUnions(one)).toBe(sortUnions(other));
});

describe('the check', () => {
  /** Defects in a module with these lines, as `kind path`. */
  const found = (lines: readonly string[], more: Record<string, string> = {}) =>
    offendersOf(
      compiled([{ name: 'x', source: 'client/x.ts' }], {
        'client/x.ts': lines.join('\n'),
        ...more,
      }),
    )
      .map(({ kind, path }) => `${kind} ${path}`)
      .sort();

  it('finds `any` that is written, inferred, or inside generics', () => {
    expect(
      found([
        '/** D. */ export const written: any = 1;',
        '/** D. */ export const inferred = () => JSON.parse("1");',
        '/** D. */ export const deep = new Map<string, readonly any[]>();',
        '/** D. */ export function takes(given: { list: Promise<any> }): void { void given; }',
        '/** D. */ export type Named = Record<string, any>;',
        '/** D. */ export function bound<T extends Record<string, ' +
          'any>>(given: T): T { return given; }',
        '/** D. */ export class Base<T> {',
        '  /** D. */',
        '  held?: T;',
        '}',
        '/** D. */ export class Derived extends Base<any> {}',
        '/** D. */ export type Picks<T> = T extends string ? Set<any> : never;',
        '/** D. */ export const fine = { text: "", list: [1], ' +
          'later: Promise.resolve({ unknown: 1 as unknown }) };',
      ]),
    ).toEqual([
      'any Derived extends<>',
      'any Derived.held',
      'any x: Named[string]',
      'any x: Picks<>',
      'any x: bound<T><>',
      'any x: bound<T>[string]',
      'any x: deep<><>',
      'any x: inferred()',
      'any x: takes(given).list<>',
      'any x: written',
    ]);
  });

  it('finds undocumented names and members, through re-exports, unless hidden', () => {
    expect(
      found(
        [
          "export { Far, type OnlyType } from './y.ts';",
          'export const bare = 1;',
          '/** */ export function empty(): void {}',
          '/** D. */ export interface Shape {',
          '  field: string;',
          '  method(): void;',
          '  /** D. */',
          '  told: string;',
          '  inner: { free: string };',
          '}',
          '/** D. */ export type Fields = { free: string };',
        ],
        {
          'client/y.ts': [
            '/** D. */ export class Far {',
            '  #own = 1; private kept = 2; protected held = 3;',
            '  /** @internal */ inside = 4;',
            '  get open(): number { return this.#own + this.kept + this.held; }',
            '  static made(): Far { return new Far(); }',
            '}',
            '/** D. */ export class OnlyType { constructor(given: any) { void given; } }',
          ].join('\n'),
        },
      ),
    ).toEqual([
      'undocumented Far.open',
      'undocumented Shape.field',
      'undocumented Shape.inner',
      'undocumented Shape.method',
      'undocumented x: Far.made',
      'undocumented x: bare',
      'undocumented x: empty',
    ]);
  });

  it('finds a type that a signature refers to and no entry exports', () => {
    expect(
      found([
        '/** D. */ interface Hidden {',
        '  /** D. */',
        '  a: string;',
        '}',
        '/** D. */ type Alias = { b: string } | undefined;',
        '/** D. */ export const make = (): Promise<Hidden[]> => Promise.resolve([]);',
        '/** D. */ export function take(given: Alias): void { void given; }',
      ]),
    ).toEqual(['unexported x: make()<><> → Hidden', 'unexported x: take(given) → Alias']);
  });
});
