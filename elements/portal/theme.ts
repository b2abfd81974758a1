/** The signal `theme` of a portal, applied to an element as a style sheet of its shadow root. */
import { constructedSheet } from '../runtime/sheets.ts';
import { portal } from './bus.ts';
import { LOOK_EVENT } from './look-event.ts';

/** The ready themes, by name, as text. Each is loaded when a portal first names it. */
const readyThemes: ReadonlyMap<string, () => Promise<{ readonly default: string }>> = new Map([
  ['compact', () => import('../themes/compact.css')],
  ['cool', () => import('../themes/cool.css')],
  ['high-contrast', () => import('../themes/high-contrast.css')],
  ['neutral', () => import('../themes/neutral.css')],
  ['warm', () => import('../themes/warm.css')],
]);

/** The element itself, unless the page has set its look. */
const HOST = ':host(:not([theme]))';

/** Returns the rules of a theme; nothing for a name that the code of the page understands. */
async function rulesOf(theme: string | undefined): Promise<string | undefined> {
  if (theme === 'light' || theme === 'dark') return `${HOST}{color-scheme:${theme}}`;
  const text = theme === undefined ? undefined : (await readyThemes.get(theme)?.())?.default;
  return text?.replace(/:root/g, HOST);
}

/**
 * Gives an element the look that a portal's signal `theme` names. The attribute `theme` takes
 * precedence. Returns a function that ends it.
 */
export function followTheme(host: HTMLElement, name: string): () => void {
  const bus = portal(name);
  const root = host.shadowRoot!;
  let adopted: CSSStyleSheet | undefined;
  let ended = false;
  const adopt = (rules: string | undefined): void => {
    const sheet = rules === undefined ? undefined : constructedSheet(rules, root);
    if (sheet === adopted) return;
    const others = root.adoptedStyleSheets.filter((each) => each !== adopted);
    root.adoptedStyleSheets = sheet ? [...others, sheet] : others;
    adopted = sheet;
    document.dispatchEvent(new Event(LOOK_EVENT));
  };
  const apply = async (): Promise<void> => {
    const theme = bus.get('theme');
    // If a theme can't be loaded, the element keeps its look.
    const rules = await rulesOf(theme).catch(() => undefined);
    if (!ended && theme === bus.get('theme')) adopt(rules);
  };
  const stop = bus.subscribe(({ signal }) => {
    if (signal === 'theme') void apply();
  });
  void apply();
  return () => {
    ended = true;
    stop();
    adopt(undefined);
  };
}
