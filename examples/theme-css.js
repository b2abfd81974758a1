/**
 * Reads and writes themes: a theme is a map from the name of a custom property to its values in
 * light and in dark colours.
 */

/** Ready themes, served beside `tiding.js` and published as `@tiding/elements/themes/NAME.css`. */
export const themeNames = ['neutral', 'high-contrast', 'warm', 'cool', 'compact'];

/** Lowest contrast of text that WCAG 2.2 accepts on level AA. */
export const MIN_CONTRAST = 4.5;

/** Splits `light-dark(a, b)`; any other value is the same in both. */
export function valuesOf(text) {
  const [, light, dark] = /^light-dark\((#\w+), (#\w+)\)$/.exec(text) ?? [];
  return light === undefined ? { light: text, dark: text } : { light, dark };
}

/** Reads the custom properties of a theme's style sheet. */
export function readTheme(css) {
  const declarations = css.matchAll(/(--tiding-[\w-]+):\s*([^;]+);/g);
  return new Map(
    [...declarations].map(([, name, value]) => [name, valuesOf(value.replace(/\s+/g, ' '))]),
  );
}

/** Writes a theme as a style sheet. */
export function writeTheme(theme) {
  const lines = [...theme].map(
    ([name, { light, dark }]) =>
      `  ${name}: ${light === dark ? light : `light-dark(${light}, ${dark})`};\n`,
  );
  return `:root {\n${lines.join('')}}\n`;
}

const surfaces = (text, ...names) => names.map((name) => [text, name]);
const states = ['success', 'info', 'neutral', 'warning', 'danger'];
const code = [
  'text',
  'comment',
  'keyword',
  'string',
  'number',
  'function',
  'type',
  'operator',
  'magic',
];

/** Colours of texts with the surfaces on which elements write them. */
export const textPairs = [
  ...surfaces(
    'text',
    'canvas',
    'surface',
    'surface-sunken',
    'surface-raised',
    'surface-hover',
    'surface-active',
    'surface-selected',
  ),
  ...surfaces('text-secondary', 'canvas', 'surface', 'surface-sunken', 'surface-hover'),
  ...surfaces('text-tertiary', 'canvas', 'surface', 'surface-sunken'),
  ...surfaces('text-link', 'canvas', 'surface', 'surface-sunken'),
  ...surfaces('text-inverse', 'surface-inverse'),
  ...surfaces('text-on-accent', 'accent', 'accent-hover'),
  ...surfaces('text-on-accent-soft', 'accent-soft'),
  ...surfaces('text-on-danger', 'danger-fill'),
  ...states.flatMap((state) => surfaces(`${state}-text`, `${state}-soft`, 'surface')),
  ...code.flatMap((part) => surfaces(`code-${part}`, 'surface-sunken', 'code-line-active')),
  ...surfaces('code-gutter', 'surface-sunken'),
  ...surfaces('chart-label', 'surface'),
].map(([text, surface]) => ({ text: `--tiding-${text}`, surface: `--tiding-${surface}` }));

function luminance(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours such as `#00829e`, from 1 to 21, as WCAG 2.2 defines it. */
export function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/**
 * The contrast of every text with each of its surfaces, the lowest first.
 *
 * @param colourOf returns the colour of a property
 */
export function contrasts(colourOf) {
  return textPairs
    .map((pair) => ({ ...pair, ratio: contrast(colourOf(pair.text), colourOf(pair.surface)) }))
    .sort((a, b) => a.ratio - b.ratio);
}
