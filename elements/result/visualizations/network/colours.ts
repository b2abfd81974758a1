import type { NetworkGraph } from 'tiding/model';

/** Upstream's colour of a node without one of its own: here the colour of the text, which shows on every ground. */
const unset = '#000000';

/** Colours of the theme, resolved for a canvas. */
export interface Colours {
  readonly surface: string;
  readonly text: string;
  readonly secondary: string;
  readonly line: string;
  readonly outline: string;
  readonly accent: string;
  readonly focus: string;
  readonly font: string;
  /** Label of a node → its colour. */
  readonly labels: ReadonlyMap<string, string>;
}

/** The colour a network gives to a label; undefined where it gives none that can be drawn, or the default. */
export function ownColour(
  labels: NetworkGraph['labels'],
  label: string | undefined,
): string | undefined {
  const colour =
    label !== undefined && labels && Object.hasOwn(labels, label)
      ? labels[label]!.trim()
      : undefined;
  // A name of the page's own colours would be another thing on a canvas.
  if (
    colour === undefined ||
    /^(?:#0{3,4}|#0{6}(?:ff)?|black|currentcolor)$/i.test(colour) ||
    !CSS.supports('color', colour) ||
    /var\(|url\(/i.test(colour)
  )
    return undefined;
  return colour === unset ? undefined : colour;
}

/** Resolves the theme at an element; `paper` takes the light side of it. */
export function coloursOf(
  element: Element,
  labels: NetworkGraph['labels'],
  paper: boolean,
): Colours {
  const probe = element.ownerDocument.createElement('span');
  probe.style.display = 'none';
  if (paper) probe.style.colorScheme = 'light';
  element.append(probe);
  const style = getComputedStyle(probe);
  const colour = (value: string): string => {
    probe.style.color = value;
    return style.color;
  };
  const token = (name: string): string => colour(`var(--_${name})`);
  const colours: Colours = {
    surface: token('surface'),
    text: token('text'),
    secondary: token('text-secondary'),
    line: token('border-control'),
    outline: token('border-control'),
    accent: token('accent'),
    focus: token('focus'),
    font: style.fontFamily,
    labels: new Map(
      Object.keys(labels ?? {}).flatMap((label) => {
        const own = ownColour(labels, label);
        if (own === undefined) return [];
        // The data's own colours stay, where the theme's are forced.
        probe.style.setProperty('forced-color-adjust', 'none');
        return [[label, colour(own)] as const];
      }),
    ),
  };
  probe.remove();
  return colours;
}
