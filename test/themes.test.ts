/** The ready themes set documented properties only, and their texts are readable. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './support/sources.ts';

interface Values {
  readonly light: string;
  readonly dark: string;
}
type Theme = ReadonlyMap<string, Values>;
interface Contrast {
  readonly text: string;
  readonly surface: string;
  readonly ratio: number;
}
const { contrast, contrasts, MIN_CONTRAST, readTheme, themeNames, valuesOf, writeTheme } =
  (await import(join(root, 'examples/theme-css.js'))) as {
    contrast: (one: string, other: string) => number;
    contrasts: (colourOf: (name: string) => string) => Contrast[];
    MIN_CONTRAST: number;
    readTheme: (css: string) => Theme;
    themeNames: readonly string[];
    valuesOf: (text: string) => Values;
    writeTheme: (theme: Theme) => string;
  };
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const sourceOf = (name: string) => read(`elements/themes/${name}.css`);

/** Every public property, with its default. */
const defaults = new Map(
  [
    ...read('elements/theme/tokens.css').matchAll(
      /var\(\s*(--tiding-[\w-]+),\s*((?:[^()]|\((?:[^()]|\([^()]*\))*\))*?)\s*\);/g,
    ),
  ].map(([, name, value]) => [name!, valuesOf(value!)]),
);
/** Pairs of a text and its surface below the limit. */
const lowIn = (theme: Theme, scheme: keyof Values, limit: number) =>
  contrasts((name) => (theme.get(name) ?? defaults.get(name))![scheme]).filter(
    ({ ratio }) => ratio < limit,
  );

it('every property has an effect', () => {
  const sources = readdirSync(join(root, 'elements'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(css|tsx?)$/.test(path) && !/^dist|\.test\./.test(path))
    .map((path) => read(`elements/${path}`))
    .join('\n');
  // In style sheets, and as `color('text')` in scripts. Scripts count the colours of series.
  const unused = [...sources.matchAll(/^\s*--_([\w-]+): *var\(/gm)]
    .map(([, name]) => name!)
    .filter((name) => !new RegExp(`var\\(\\s*--_${name}\\b(?!-)|'(--_)?${name}'`).test(sources));
  expect(unused.filter((name) => !/^chart-\d$/.test(name))).toEqual([]);
});

describe('the theme', () => {
  it('list names every theme, also in the documentation', () => {
    const files = readdirSync(join(root, 'elements/themes')).map((name) => name.slice(0, -4));
    expect([...themeNames].sort()).toEqual(files.sort());
    const rows = read('docs/embed/theming.md').matchAll(/^\| `([\w-]+)` \|/gm);
    expect([...rows].map(([, name]) => name)).toEqual(themeNames);
  });

  it.each(themeNames)('%s sets properties that exist, each once', (name) => {
    expect(defaults.size).toBeGreaterThan(120);
    const css = sourceOf(name);
    const theme = readTheme(css);
    expect([...theme.keys()].filter((each) => !defaults.has(each))).toEqual([]);
    expect(css.match(/--tiding-[\w-]+:/g)).toHaveLength(theme.size);
    expect(
      [...theme].filter(([each, { light, dark }]) => {
        const known = defaults.get(each)!;
        return light === known.light && dark === known.dark;
      }),
    ).toEqual([]);
  });

  it.each(themeNames)('%s is the same after the editor has read and written it', (name) => {
    const theme = readTheme(sourceOf(name));
    expect(readTheme(writeTheme(theme))).toEqual(theme);
  });

  it.each(
    themeNames.flatMap((name) => [
      [name, 'light'],
      [name, 'dark'],
    ]),
  )('%s has readable texts in %s colours', (name, scheme) => {
    const limit = name === 'high-contrast' ? 7 : MIN_CONTRAST;
    expect(lowIn(readTheme(sourceOf(name)), scheme as keyof Values, limit)).toEqual([]);
  });
});

describe('contrast', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    // The example of WCAG's own documents: just enough, and just too little.
    ['#767676', '#ffffff', 4.54],
    ['#777777', '#ffffff', 4.48],
  ])('of %s and %s is %d', (one, other, ratio) => {
    expect(contrast(one, other)).toBeCloseTo(ratio, 2);
    expect(contrast(other, one)).toBeCloseTo(ratio, 2);
  });

  it('that is too low is found', () => {
    const theme = new Map([['--tiding-text-link', { light: '#9ab8bd', dark: '#68d0df' }]]);
    expect(
      lowIn(theme, 'light', MIN_CONTRAST)
        .map(({ surface }) => surface)
        .sort(),
    ).toEqual(['--tiding-canvas', '--tiding-surface', '--tiding-surface-sunken']);
    expect(lowIn(theme, 'dark', MIN_CONTRAST)).toEqual([]);
  });

  it('is computed for colours that elements have', () => {
    expect(contrasts((name) => defaults.get(name)!.light).length).toBeGreaterThan(50);
  });
});

it('the package publishes the themes', () => {
  const { exports, files, sideEffects } = JSON.parse(read('elements/package.json')) as {
    exports: Record<string, string>;
    files: string[];
    sideEffects: string[];
  };
  expect(exports['./themes/*.css']).toBe('./themes/*.css');
  expect(files).toContain('themes');
  expect(sideEffects).toContain('./themes/*.css');
  expect(existsSync(join(root, 'elements/themes/warm.css'))).toBe(true);
});
