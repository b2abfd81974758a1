/**
 * Reduces style sheets to what a snapshot uses. The sheets of an element have 100 kB, and each
 * snapshot contains its own.
 */

/** A rule: its selectors or condition, and what is between its braces. */
interface Block {
  readonly head: string;
  readonly body: string;
}

function blocksOf(css: string): Block[] {
  const blocks: Block[] = [];
  let from = 0;
  let start = 0;
  let depth = 0;
  for (let at = 0; at < css.length; at += 1) {
    if (css[at] === '{') {
      if (depth === 0) start = at;
      depth += 1;
    } else if (css[at] === '}') {
      depth -= 1;
      if (depth === 0) {
        blocks.push({ head: css.slice(from, start).trim(), body: css.slice(start + 1, at) });
        from = at + 1;
      }
    }
  }
  return blocks;
}

/** Splits at commas outside of parentheses. */
const listOf = (selectors: string): string[] =>
  selectors.split(/,(?![^(]*(?:\([^()]*\)[^()]*)*\))/).map((one) => one.trim());

/** Arguments of pseudo-classes, innermost first: they may name classes that are not used. */
const ARGUMENTS = /:(?:not|is|where|has)\((?:[^()]|\([^()]*\))*\)/g;

function isUsed(selector: string, classes: ReadonlySet<string>): boolean {
  const plain = selector.replace(ARGUMENTS, '');
  return [...plain.matchAll(/\.([\w-]+)/g)].every(([, name]) => classes.has(name!));
}

function usedRules(css: string, classes: ReadonlySet<string>): Block[] {
  return blocksOf(css).flatMap(({ head, body }): Block[] => {
    if (/^@(?:media|container|supports)/.test(head)) {
      const inner = textOf(usedRules(body, classes));
      return inner === '' ? [] : [{ head, body: inner }];
    }
    if (head.startsWith('@')) return [];
    const selectors = listOf(head).filter((each) => isUsed(each, classes));
    return selectors.length === 0 ? [] : [{ head: selectors.join(), body }];
  });
}

const textOf = (blocks: readonly Block[]): string =>
  blocks.map(({ head, body }) => `${head}{${body.trim()}}`).join('\n');

const DECLARATION = /(--_[\w-]+)\s*:\s*((?:[^;{}])+);?/g;

/** Leaves out the custom properties that nothing refers to. */
function withoutUnusedProperties(css: string, markup: string): string {
  const values = new Map<string, string>();
  const others = css.replace(DECLARATION, (_, name: string, value: string) => {
    values.set(name, `${values.get(name) ?? ''} ${value}`);
    return '';
  });
  const used = new Set<string>();
  const visit = (text: string): void => {
    for (const [, name] of text.matchAll(/var\(\s*(--_[\w-]+)/g)) {
      if (used.has(name!)) continue;
      used.add(name!);
      visit(values.get(name!) ?? '');
    }
  };
  visit(others);
  visit(markup);
  return css.replace(DECLARATION, (all, name: string) => (used.has(name) ? all : ''));
}

/** Returns the classes that occur in markup. */
export const classesIn = (markup: string): Set<string> =>
  new Set([...markup.matchAll(/ class="([^"]*)"/g)].flatMap(([, names]) => names!.split(' ')));

/** Returns the rules of style sheets that apply to markup. */
export function usedCss(sheets: readonly string[], markup: string): string {
  const css = sheets.join('\n').replace(/\/\*[\s\S]*?\*\//g, '');
  const rules = usedRules(css, classesIn(markup));
  return withoutUnusedProperties(textOf(rules), markup)
    .replace(/\s*\n\s*/g, '\n')
    .replace(/[^{}]+\{\s*\}\n?/g, '')
    .trim();
}
