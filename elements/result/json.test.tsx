import type { Output } from '@tiding/client';
import fc from 'fast-check';
import { strictPage } from '../ui/testing/test-setup.ts';
import { findJsonError, looksLikeJson } from './displays/json/json-error.ts';
import { collapseRow, expandRow, initialJsonRows } from './displays/json/json-rows.ts';
import { type JsonValue, jsonChildren, jsonPath, jsonRoot } from './displays/json/json-source.ts';
import { resultSheets } from './index.ts';
import { Result } from './test-outputs.tsx';
import { check, type Mounted, mount, press, same, waitUntil } from './test-support.tsx';

const whole = (text: string): Output => ({ type: 'TEXT', chunks: [text], count: 1 });
const people =
  '{"team": "Tiding", "members": [{"name": "Ann", "id": 12345678901234567890}, {"name": ' +
  '"Ben \\u00e9"}], "ok": true, "none": null, "odd key": [], "team": 2}\n';

describe('a JSON document', () => {
  strictPage();
  let shown: Mounted;
  const view = (output: Output, status = 'FINISHED', bare = false) => (
    <Result outputs={[output]} status={status} config={{}} title="Answer" bare={bare} />
  );
  const lines = (): string[] => shown.all('[role=treeitem]').map(({ textContent }) => textContent!);
  const tree = (): HTMLElement => shown.find('[role=tree]');
  const current = (): string =>
    shown.find(`[id="${tree().getAttribute('aria-activedescendant')}"]`).textContent!;
  const radio = (name: string): HTMLElement =>
    shown.all('[role=radio]').find(({ textContent }) => textContent === name)!;
  const unfoldTree = async (text: string): Promise<void> => {
    shown = mount(view(whole(text)), resultSheets);
    (await waitUntil(() => radio('Tree'), 'switch')).click();
    await waitUntil(() => tree(), 'tree');
  };

  it('is shown as text, and as a tree on demand', async () => {
    await unfoldTree(people);
    same(lines(), [
      '{',
      'team: "Tiding"',
      'members: [ 2 entries ]',
      'ok: true',
      'none: null',
      'odd key: []',
      'team: 2',
    ]);
    shown.all('[role=treeitem]')[2]!.click();
    await waitUntil(() => lines().length === 9, 'unfolded');
    same(lines().slice(2, 5), ['members: [', '0: { 2 fields }', '1: { 1 field }']);
    same(shown.find('.json-path').textContent, '$.members');
    radio('Text').click();
    await waitUntil(() => shown.find('.text-lines').textContent === people, 'text again');
  });

  it('is navigated with tree keys, and copies values as they were written [D63 D76]', async () => {
    await unfoldTree(people);
    tree().focus();
    for (const key of [
      'ArrowDown',
      'ArrowDown',
      'ArrowRight',
      'ArrowRight',
      'ArrowRight',
      'ArrowDown',
      'ArrowDown',
    ]) {
      press(tree(), key);
      await new Promise(requestAnimationFrame);
    }
    await waitUntil(() => current() === 'id: 12345678901234567890', 'the number');
    const item = shown.find(`[id="${tree().getAttribute('aria-activedescendant')}"]`);
    same(
      ['level', 'posinset', 'setsize'].map((name) => item.getAttribute(`aria-${name}`)),
      ['4', '2', '2'],
    );
    same(shown.find('.json-path').textContent, '$.members[0].id');
    press(tree(), 'ArrowLeft');
    await waitUntil(() => current() === '0: {', 'the parent');
    press(tree(), 'ArrowLeft');
    await waitUntil(() => current() === '0: { 2 fields }', 'folded');
    const copy = shown.all('.json-bar button');
    copy[1]!.click();
    await waitUntil(
      () => copy[1]!.textContent === 'Copied!' || copy[1]!.textContent === 'Not supported browser',
      'told',
    );
    if (copy[1]!.textContent === 'Copied!')
      same(await navigator.clipboard.readText(), '{"name": "Ann", "id": 12345678901234567890}');
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
    try {
      const label = copy[0]!.textContent;
      copy[0]!.click();
      await waitUntil(() => copy[0]!.textContent === 'Not supported browser', 'no clipboard');
      await waitUntil(() => copy[0]!.textContent === label, 'reset');
    } finally {
      Reflect.deleteProperty(navigator, 'clipboard');
    }
    press(tree(), 'End');
    await waitUntil(() => current() === 'team: 2', 'the end');
    press(tree(), 'Home');
    await waitUntil(() => current() === '{', 'the beginning');
  });

  it('of ten megabytes renders only the visible rows', async () => {
    const entry = `{"id": 1, "text": "${'x'.repeat(480)}"}`;
    await unfoldTree(`[${Array.from({ length: 20_000 }, () => entry).join(',\n')}]`);
    check(lines().length < 50, `${lines().length} lines`);
    press(tree(), 'End');
    await waitUntil(
      () => current() === '19999: { 2 fields }' && tree().scrollTop > 400_000,
      'the last',
    );
    press(tree(), 'ArrowRight');
    press(tree(), 'End');
    await waitUntil(
      () =>
        lines().some((line) => line.startsWith('text: "xxx') && line.endsWith('more characters')),
      'cut',
    );
  });

  it('is not detected while running, in reports, and in other text', async () => {
    const none = async (output: Output, status?: string, bare?: boolean): Promise<void> => {
      shown = mount(view(output, status, bare), resultSheets);
      await waitUntil(() => shown.find('.text-lines').textContent !== '', 'text');
      same(shown.all('[role=radio]').length, 0, output.chunks[0]);
      shown.remove();
    };
    await none(whole('{"a": 1}'), 'RUNNING');
    await none(whole('{"a": 1}'), 'FINISHED', true);
    for (const text of [
      "{'a': 1}",
      '{"a": 1} {"b": 2}',
      '12',
      '"text"',
      '[1, 2, 3',
      '[INFO] begun [done]',
    ])
      await none(whole(text));
    shown = mount(view(whole(`[${'1,'.repeat(40_000)}1 2]`)), resultSheets);
    (await waitUntil(() => radio('Tree'), 'a long text may be folded')).click();
    await waitUntil(
      () =>
        shown
          .find('.result-notice')
          .textContent!.startsWith('This text is not valid JSON: line 1, column 80,004:'),
      'fault',
    );
  });
});

describe('JSON source reader', () => {
  it('contains the same values as the parser', () => {
    const rebuilt = (text: string, value: JsonValue): unknown => {
      if (value.kind === 'array')
        return jsonChildren(text, value).map((each) => rebuilt(text, each));
      if (value.kind === 'object')
        return Object.fromEntries(
          jsonChildren(text, value).map((each) => [each.key, rebuilt(text, each)]),
        );
      return JSON.parse(text.slice(value.start, value.end));
    };
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 2, '\t\r\n'), (json, space) => {
        const text = ` ${JSON.stringify(JSON.parse(json), null, space as number)}\n`;
        same(findJsonError(text), undefined);
        const root = jsonRoot(text);
        same(root.end, text.length - 1);
        same(rebuilt(text, root), JSON.parse(text));
      }),
    );
  });

  it('locates the error where text was removed or inserted', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', '}', ',', '"', '1', '\\'),
        (json, place, put) => {
          const at = place % json.length;
          const text = json.slice(0, at) + put + json.slice(at + (put === '' ? 1 : 0));
          let valid = true;
          try {
            JSON.parse(text);
          } catch {
            valid = false;
          }
          const fault = findJsonError(text);
          same(fault === undefined, valid, text);
          // The text before the error is the valid beginning of a document.
          if (fault) check(fault.column - 1 <= text.length, text);
        },
      ),
    );
  });

  it('expands and collapses', () => {
    const text = '{"a": {"b": [1, 2]}, "c": 3}';
    let state = expandRow(text, expandRow(text, initialJsonRows(text), 1), 2);
    same(
      state.rows.map(({ value, level }) => [value.key, level]),
      [
        [null, 1],
        ['a', 2],
        ['b', 3],
        [0, 4],
        [1, 4],
        ['c', 2],
      ],
    );
    state = collapseRow(state, 1);
    same([state.rows.length, state.open.size], [3, 1]);
    same(jsonPath(['a', 0, 'b c', '$x']), '$.a[0]["b c"].$x');
    same([looksLikeJson('[1, 2'), looksLikeJson('{}'), looksLikeJson('7')], [false, true, false]);
  });
});
