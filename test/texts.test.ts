/** The table of texts can be replaced; invalid replacements are reported. */
import { join } from 'node:path';
import ts from 'typescript';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { onTexts, withTexts } from '../elements/text/areas.ts';
import { fill } from '../elements/text/fill.ts';
import { loadTexts, type SomeTexts, setTexts, texts } from '../elements/wording/set-texts.ts';
import {
  filesOf,
  isTest,
  placeOf,
  root,
  type Source,
  sourceOf,
  textFiles,
} from './support/sources.ts';

/** Places that read a text when their module is loaded: `setTexts` would not change it. */
function readTooEarly(source: Source): string[] {
  const tables = new Set<string>();
  const found: string[] = [];
  const rootOf = (node: ts.Node): string | undefined =>
    ts.isPropertyAccessExpression(node)
      ? rootOf(node.expression)
      : ts.isIdentifier(node)
        ? node.text
        : undefined;
  const isText = (node: ts.Node | undefined) => node && tables.has(rootOf(node) ?? '');
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return;
    if (ts.isImportDeclaration(node) && /texts\.ts|text\//.test(node.moduleSpecifier.getText())) {
      const names = node.importClause?.namedBindings;
      if (names && ts.isNamedImports(names))
        for (const { name, propertyName } of names.elements)
          if (/Texts?$/.test((propertyName ?? name).text)) tables.add(name.text);
    } else if (ts.isVariableDeclaration(node) && isText(node.initializer))
      tables.add(node.name.getText());
    else if (ts.isPropertyAccessExpression(node) && isText(node)) found.push(placeOf(source, node));
    else ts.forEachChild(node, visit);
  };
  visit(source.tree);
  return found;
}

const text = await loadTexts();
const before = structuredClone({
  cancel: text.cancel,
  points: text.login.points,
  shown: text.list.shown,
  run: text.note.run,
  status: { ...text.status },
});
afterEach(() =>
  setTexts({
    cancel: before.cancel,
    login: { points: before.points },
    list: { shown: before.shown },
    note: { run: before.run },
    status: before.status,
  }),
);

describe('setTexts', () => {
  it('replaces some texts in place and notifies listeners', () => {
    const held = text.note;
    let notified = 0;
    const stop = onTexts(() => (notified += 1));
    setTexts({
      cancel: 'Abbrechen',
      note: { run: 'Alle ausführen' },
      login: { points: ['eins'] },
      status: { FINISHED: 'Fertig', OWN: 'Eigen' },
    });
    stop();
    expect([
      text.cancel,
      held.run,
      held.stop,
      texts.login?.points,
      text.status['FINISHED'],
      text.status['OWN'],
      notified,
    ]).toEqual(['Abbrechen', 'Alle ausführen', 'Stop all', ['eins'], 'Fertig', 'Eigen', 1]);
  });

  it('updates tables made of texts', () => {
    const rows = withTexts(() => [{ label: text.note.run }]);
    setTexts({ note: { run: 'Alle' } });
    expect(rows).toEqual([{ label: 'Alle' }]);
  });

  it("keeps a template's placeholders in any order, and rejects missing ones", () => {
    setTexts({ list: { shown: 'von {all} Notizen {shown}' } });
    expect(fill(text.list.shown, { all: 3, shown: 2 })).toBe('von 3 Notizen 2');
    expect(() => setTexts({ cancel: 'Weg', list: { shown: 'alle' } })).toThrow(
      "'list.shown' must have the placeholders {all}, {shown}, not (none)",
    );
    expect(text.cancel).toBe(before.cancel);
  });

  it.each<[unknown, string]>([
    [{ nothing: 'x' }, "unknown text 'nothing'"],
    [{ note: 'x' }, "'note' must be an object of texts"],
    [{ cancel: { a: 'x' } }, "'cancel' must be a string"],
    [{ cancel: 3 }, "'cancel' must be a string"],
    [{ login: { points: 'x' } }, "'login.points' must be a list of strings"],
    [{ result: { fullTrace: 'x' } }, "'result.fullTrace' must be a function"],
    [JSON.parse('{"__proto__":{"cancel":"x"}}'), "unknown text '__proto__'"],
  ])('refuses %j', (some, message) => {
    expect(() => setTexts(some as SomeTexts)).toThrow(message);
  });

  it('keeps texts of code that is loaded later, and reports wrong ones then', async () => {
    vi.resetModules();
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    const fresh = await import('../elements/wording/set-texts.ts');
    fresh.setTexts({ drag: { role: 'beweglich' }, find: { nothing: 'x' } as never });
    fresh.setTexts({ drag: { left: '{name} blieb.' } });
    expect(fresh.texts.drag).toBeUndefined();
    const { dragTexts } = await import('../elements/ui/drag/drag-texts.ts');
    await import('../elements/note/find/texts.ts');
    vi.unstubAllGlobals();
    expect([dragTexts.role, dragTexts.left, fresh.texts.drag?.dropped]).toEqual([
      'beweglich',
      '{name} blieb.',
      '{name} dropped at {other}.',
    ]);
    expect(reported.mock.calls.map(([error]) => (error as Error).message)).toEqual([
      "setTexts: unknown text 'find.nothing'",
    ]);
  });

  it('changes all texts, because none is read when its module is loaded', () => {
    const early = "import { aTexts as t } from './a/texts.ts';\nconst b = t.b;\n";
    expect(readTooEarly(sourceOf('x.ts', `${early}const list = [b.c];`))).toHaveLength(1);
    expect(readTooEarly(sourceOf('x.ts', `${early}const list = () => [b.c, t.d];`))).toEqual([]);
    const sources = filesOf('elements', /\.tsx?$/).filter((path) => !isTest(path));
    expect(sources.flatMap((path) => readTooEarly(sourceOf(path)))).toEqual([]);
  });

  it('has no area that replaces texts of another one', async () => {
    const places = new Map<string, unknown>();
    const areas = new Set<string>();
    const found: string[] = [];
    vi.resetModules();
    vi.doMock('../elements/text/areas.ts', () => ({
      textArea(path: string, area: object) {
        areas.add(path);
        for (const [key, value] of Object.entries(area)) {
          const place = path === '' ? key : `${path}.${key}`;
          if (places.has(place) && places.get(place) !== value) found.push(place);
          places.set(place, value);
        }
        return area;
      },
    }));
    try {
      for (const file of textFiles()) await import(join(root, file));
    } finally {
      vi.doUnmock('../elements/text/areas.ts');
    }
    expect(places.size).toBeGreaterThan(500);
    expect([...found, ...[...places.keys()].filter((place) => areas.has(place))]).toEqual([]);
  });
});
