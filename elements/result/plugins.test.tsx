import { type Output, outputText } from '@tiding/client';
import { Sparkles } from 'lucide-react';
import { elementClass, elements, registerDisplay, registerVisualization } from '../index.ts';
import { pageServer } from '../note/test-server.ts';
import { errors } from '../ui/testing/test-setup.ts';
import type { DisplayProps, Selection } from './contract.ts';
import { output, showResult, tableOf } from './test-outputs.tsx';
import { check, type Mounted, same, waitUntil } from './test-support.tsx';
import type { VisualizationProps } from './visualizations/contract.ts';

for (const spec of elements)
  if (!customElements.get(spec.tag)) customElements.define(spec.tag, elementClass(spec));

describe('registered displays', () => {
  let shown: Mounted;
  const undo: (() => void)[] = [];
  const show = (outputs: readonly Output[]): void =>
    void (shown = showResult(outputs, { title: 't' }));
  const add = (types: string[], mark: string): void =>
    void undo.push(
      registerDisplay({
        types,
        View: ({ output: given }: DisplayProps) => (
          <p className="own">
            {mark}: {outputText(given)}
          </p>
        ),
      }),
    );
  afterEach(() => {
    undo.splice(0).forEach((each) => each());
  });

  it('take precedence over built-in ones at once, until they are removed', async () => {
    show([output('IMG', 'no picture'), output('TEXT', 'words')]);
    await waitUntil(() => shown.root.textContent!.includes('words'), 'built in');
    add(['IMG'], 'mine');
    await waitUntil(
      () => shown.root.querySelector('.own')?.textContent === 'mine: no picture',
      'the custom display',
    );
    add(['IMG'], 'newer');
    await waitUntil(
      () => shown.root.querySelector('.own')?.textContent === 'newer: no picture',
      'the newer one',
    );
    undo.splice(0).forEach((each) => each());
    await waitUntil(() => !shown.root.querySelector('.own'), 'built in again');
  });

  it('show unknown types, by type name or by the magic at the start of a text', async () => {
    add(['GEO'], 'map');
    show([
      output('GEO', '1 2'),
      output('%geo', '3 4'),
      output('TEXT', '%geo 5 6\n7 8'),
      output('TEXT', '%other 9'),
      output('OTHER', 'x'),
    ]);
    await waitUntil(() => shown.all('.own').length === 3, 'three of its type');
    same(
      shown.all('.own').map(({ textContent }) => textContent),
      ['map: 1 2', 'map: 3 4', 'map: 5 6\n7 8'],
    );
    check(
      shown.root.textContent!.includes('%other 9'),
      'a text with another name is not shown as text',
    );
    check(
      shown.root.textContent!.includes('No view for output of type OTHER.'),
      'no message for an unknown type',
    );
  });
});

describe('registered views', () => {
  it('are offered by tables that are already shown', async () => {
    const shown = showResult([tableOf('a\tb\n1\t2\n')], { graph: { mode: 'table' }, title: 't' });
    await waitUntil(() => shown.root.querySelector('.view-segments'), 'switch');
    registerVisualization({
      id: 'sum',
      label: 'Sum',
      icon: Sparkles,
      option: 'none',
      accepts: () => true,
      load: () =>
        Promise.resolve({
          default: ({ table }: VisualizationProps) => (
            <p className="sum">
              {table.rows.flat().reduce((sum: number, cell) => sum + Number(cell), 0)}
            </p>
          ),
        }),
    });
    (
      await waitUntil(() => shown.root.querySelector<HTMLElement>('[aria-label="Sum"]'), 'button')
    ).click();
    await waitUntil(() => shown.root.querySelector('.sum')?.textContent === '3', 'its picture');
  });

  it('are offered even if their icon fails', async () => {
    const Broken = (): never => {
      throw new Error('no icon');
    };
    registerVisualization({
      id: 'plain',
      label: 'Plain',
      icon: Broken,
      option: 'none',
      accepts: () => true,
      load: () => Promise.resolve({ default: () => <p className="plain" /> }),
    });
    const shown = showResult([tableOf('a\tb\n1\t2\n')], { graph: { mode: 'table' }, title: 't' });
    const button = await waitUntil(
      () => shown.root.querySelector<HTMLElement>('[aria-label="Plain"]'),
      'button',
    );
    check(button.querySelector('svg'), 'no placeholder icon');
    button.click();
    await waitUntil(() => shown.root.querySelector('.plain'), 'its picture');
    check(
      errors.splice(0).every((error) => /no icon/.test(error)),
      'another error',
    );
  });
});

describe('a selection in one paragraph', () => {
  it('runs another paragraph with the selected values', async () => {
    const undo = registerDisplay({
      types: ['CHOICE'],
      View: ({ onSelect }: DisplayProps) => (
        <button
          type="button"
          className="choose"
          onClick={() => onSelect({ values: { region: 'EU' }, label: 'Europe' })}
        >
          EU
        </button>
      ),
    });
    const paragraph = (id: string) => ({
      id,
      text: `%sql ${id} \${region=all}`,
      status: 'FINISHED' as const,
      config: {},
      settings: { params: {}, forms: {} },
    });
    const server = pageServer([
      { ...paragraph('a'), results: { code: 'SUCCESS', msg: [{ type: 'CHOICE', data: 'x' }] } },
      paragraph('b'),
    ]);
    const make = (id: string) =>
      Object.assign(document.createElement('tiding-paragraph'), {
        client: server.client,
        note: 'note',
        paragraph: id,
      }) as unknown as HTMLElement & {
        run(params?: Readonly<Record<string, unknown>>): Promise<unknown>;
      };
    const [chart, other] = [make('a'), make('b')] as const;
    chart.addEventListener(
      'tiding-select',
      (event) => void other.run((event as CustomEvent<Selection>).detail.values).catch(() => {}),
    );
    document.body.append(chart, other);
    const button = await waitUntil(
      () => chart.shadowRoot?.querySelector<HTMLElement>('.choose'),
      'chart',
    );
    button.click();
    const run = await waitUntil(
      () => server.received.find(({ op }) => op === 'RUN_PARAGRAPH'),
      'run',
    );
    same(
      [(run.data as { id: string }).id, (run.data as { params: object }).params],
      ['b', { region: 'EU' }],
    );
    chart.remove();
    other.remove();
    undo();
  });
});
