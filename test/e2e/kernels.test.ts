/** A Jupyter kernel of the machine on the page, and a magic that has no interpreter. */

import { join } from 'node:path';
import { type Note, outputText } from '@tiding/client';
import { widgetViewInHtml } from '@tiding/client/model';
import { beforeAll, describe, expect, it } from 'vitest';
import { untilEnd } from '../support/until-end.ts';
import { inFront, noteOf, startWalk, type Walk } from '../support/walk.ts';
import { installWords } from '../support/words-kernel.ts';

const plotly = {
  'application/vnd.plotly.v1+json': {
    data: [{ type: 'bar', x: ['a', 'b'], y: [1, 3] }],
    layout: { height: 250, title: { text: 'Plotly' } },
  },
};
const vega = {
  'application/vnd.vegalite.v6+json': {
    data: {
      values: [
        { kind: 'a', days: 1 },
        { kind: 'b', days: 3 },
      ],
    },
    mark: 'bar',
    width: 300,
    encoding: { x: { field: 'kind' }, y: { field: 'days', type: 'quantitative' } },
  },
};

/** Code that opens models as ipywidgets does. */
const widgetModel = (id: string, name: string, state: object, module = 'controls') =>
  `widget ${id} ${JSON.stringify({
    _model_name: `${name}Model`,
    _model_module: `@jupyter-widgets/${module}`,
    _model_module_version: '2.0.0',
    _view_name: `${name}View`,
    _view_module: `@jupyter-widgets/${module}`,
    _view_module_version: '2.0.0',
    ...state,
  })}`;
const widgetCode = [
  '%words',
  widgetModel('layout', 'Layout', {}, 'base'),
  widgetModel('slider', 'IntSlider', {
    layout: 'IPY_MODEL_layout',
    description: 'Count',
    value: 3,
    max: 10,
  }),
  widgetModel('out', 'Output', { outputs: [], msg_id: '' }, 'output'),
  widgetModel('map', 'Map', {}, 'maps'),
  widgetModel('box', 'VBox', {
    layout: 'IPY_MODEL_layout',
    children: ['IPY_MODEL_slider', 'IPY_MODEL_out', 'IPY_MODEL_map'],
  }),
  'view box',
].join('\n');

describe.skipIf(inFront)('an installed Jupyter kernel', () => {
  let walk: Walk;
  let note: Note;
  let folder: string;

  const half = { 'text/latex': '$\\frac{1}{2}$', 'text/plain': 'half' };
  beforeAll(async () => {
    folder = await installWords('words-1.0', 'Words 1.0');
    walk = untilEnd(await startWalk({ kernels: [folder] }));
    note = untilEnd(
      await noteOf(walk.client, 'kernels/Words', [
        '%words-1.0\nsay hello',
        '%words\nruns',
        '%wrods\nsay hello',
        '%kotlin\nval hidden = 1',
        '%words\nask Name:',
        `%words\nbundle ${JSON.stringify(half)}`,
        `%words\nbundle ${JSON.stringify(plotly)}\nbundle ${JSON.stringify(vega)}`,
        widgetCode,
      ]),
    );
    await walk.page.goto(`${walk.embedded.server.url}/#/notebook/${note.id}`);
  }, 600_000);

  const article = (index: number) => walk.page.locator('article').nth(index);
  const run = async (index: number): Promise<void> => {
    await article(index).getByRole('button', { name: /^Run/ }).first().click();
  };

  it('runs paragraphs by its name and by the name of its language, in one process', async () => {
    await run(0);
    await article(0).getByText('hello', { exact: true }).waitFor();
    await run(1);
    await article(1).getByText('2', { exact: true }).waitFor();
  });

  it('is suggested for a similar magic', async () => {
    await run(2);
    await article(2).getByText('Did you mean %words').waitFor();
    await article(2).getByText('Interpreter wrods not found.').first().waitFor();
  });

  it('is named in the advice for an absent interpreter; its code is highlighted', async () => {
    await run(3);
    await article(3).getByText('To run Kotlin, install its Jupyter kernel').waitFor();
    await expect.poll(() => article(3).locator('span', { hasText: /^val$/ }).count()).toBe(1);
  });

  it('asks for input in the paragraph', async () => {
    await article(4).scrollIntoViewIfNeeded();
    await run(4);
    const field = article(4).getByLabel('Name:');
    await field.fill('Ada');
    await field.press('Enter');
    await article(4).getByText('Name:Ada').waitFor();
    await expect.poll(() => field.count()).toBe(0);
  });

  it('shows formulas', async () => {
    await article(5).scrollIntoViewIfNeeded();
    await run(5);
    await article(5).locator('math mfrac').waitFor();
  });

  it('draws charts of Plotly and Vega-Lite in a frame with their library', async () => {
    await article(6).scrollIntoViewIfNeeded();
    await run(6);
    const frames = article(6).locator('iframe');
    await frames.nth(0).contentFrame().locator('.js-plotly-plot .bars .point').nth(1).waitFor();
    const marks = frames.nth(1).contentFrame().locator('.mark-rect path');
    await expect.poll(() => marks.count()).toBe(2);
  });

  it('has widgets in the output, whose changes reach it, and which it changes', async () => {
    await article(7).scrollIntoViewIfNeeded();
    await run(7);
    const frame = article(7).frameLocator('iframe');
    const handle = frame.getByRole('slider').first();
    await handle.press('ArrowRight');
    await article(7).getByText('value is 4').waitFor();
    await frame.getByText('MapView needs the JavaScript package @jupyter-widgets/maps').waitFor();
    const paragraph = note.paragraphs[7]!;
    const { kernel } = widgetViewInHtml(outputText(paragraph.outputs[0]!))!;
    const comms = await paragraph.comms(kernel);
    const set = (comm: string, state: object) =>
      comms.send({
        message: crypto.randomUUID(),
        type: 'comm_msg',
        comm,
        data: { method: 'update', state, buffer_paths: [] },
      });
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJR' +
      'U5ErkJggg==';
    await set('out', {
      outputs: [
        { output_type: 'stream', name: 'stdout', text: 'old\rnew \u001b[31mred' },
        { output_type: 'display_data', data: { 'image/png': png }, metadata: {} },
        {
          output_type: 'display_data',
          data: { 'application/vnd.tiding.table': 'a\tb\n1\t2' },
          metadata: {},
        },
        { output_type: 'error', ename: 'ValueError', evalue: 'no', traceback: [] },
      ],
    });
    await frame.getByText('new red', { exact: true }).waitFor();
    await frame.getByText('ValueError: no').waitFor();
    await frame.getByRole('cell', { name: '2' }).waitFor();
    expect(await frame.locator('img').count()).toBe(1);
    await set('slider', { value: 9 });
    await expect.poll(() => handle.getAttribute('aria-valuenow')).toBe('9.0');
    await walk.page.reload();
    await article(7).scrollIntoViewIfNeeded();
    await expect.poll(() => handle.getAttribute('aria-valuenow')).toBe('9.0');
    await walk.client.interpreters.restart('words-1.0', note.id);
    await article(7).getByText('The kernel that this widget belongs to has ended.').waitFor();
    expect(await frame.locator('body').getAttribute('inert')).toBe('');
  });

  it('is listed among the interpreter settings', async () => {
    await walk.page.goto(`${walk.embedded.server.url}/#/interpreter`);
    await walk.page.getByTitle('Show the setting words-1.0').click();
    await walk.page
      .getByText(`Jupyter kernel Words 1.0 in ${join(folder, 'kernels/words-1.0')}`)
      .waitFor();
    const kernel = walk.page.locator('[data-kernel="words-1.0"]');
    await kernel.getByText('Words 1.0', { exact: true }).waitFor();
    expect(await kernel.innerText()).toContain(join(folder, 'kernels/words-1.0'));
    expect(walk.watched.complaints).toEqual([]);
  });
});
