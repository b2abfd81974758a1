import type { NetworkGraph } from '@tiding/client/model';
import { styleInside } from '../../parts/style-inside.ts';

/** Theme colours, resolved for a canvas. */
export interface NetworkColours {
  readonly surface: string;
  readonly text: string;
  readonly secondary: string;
  readonly line: string;
  readonly outline: string;
  readonly accent: string;
  readonly focus: string;
  readonly font: string;
  /** Colour of each node label. */
  readonly labels: ReadonlyMap<string, string>;
}

/**
 * Returns the colour the data assigns to a node label; undefined if there is none, it is invalid,
 * or it is the default.
 */
export function explicitColour(
  labels: NetworkGraph['labels'],
  label: string | undefined,
): string | undefined {
  const colour =
    label !== undefined && labels && Object.hasOwn(labels, label)
      ? labels[label]!.trim()
      : undefined;
  // Zeppelin's colour for nodes without their own is black. The text colour is used instead,
  // because it is visible on every background. Values that depend on the page, such as custom
  // properties, don't work on a canvas.
  return colour === undefined ||
    /^(?:#0{3,4}|#0{6}(?:ff)?|black|currentcolor)$/i.test(colour) ||
    !CSS.supports('color', colour) ||
    /var\(|url\(/i.test(colour)
    ? undefined
    : colour;
}

/** Resolves the theme's colours at an element; `paper` uses the light theme. */
export function networkColours(
  element: Element,
  labels: NetworkGraph['labels'],
  paper: boolean,
): NetworkColours {
  const scheme = paper ? { colorScheme: 'light' } : {};
  const token = (name: string): string =>
    styleInside(element, { ...scheme, color: `var(--_${name})` }).color;
  return {
    surface: token('surface'),
    text: token('text'),
    secondary: token('text-secondary'),
    line: token('border-control'),
    outline: token('border-control'),
    accent: token('accent'),
    focus: token('focus'),
    font: styleInside(element, {}).fontFamily,
    labels: new Map(
      Object.keys(labels ?? {}).flatMap((label) => {
        const own = explicitColour(labels, label);
        if (own === undefined) return [];
        // Keep the data's colours even if the theme's are forced.
        const style = { ...scheme, color: own, forcedColorAdjust: 'none' };
        return [[label, styleInside(element, style).color] as const];
      }),
    ),
  };
}
