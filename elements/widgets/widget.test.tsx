import { envelopeHtml } from '@tiding/client/widgets';
import customer from '../../test/fixtures/widgets/customer.json';
import { check, same, waitUntil } from '../result/test-support.tsx';
import { accessible, mountWidget } from './test-kit.tsx';

describe('<tiding-widget>', () => {
  it('displays and describes the data of a named widget [O1]', async () => {
    const placed = await mountWidget('customer', customer);
    check(placed.words().includes('Skyline'), placed.words());
    same(await placed.element.describe(), 'Customer Skyline with 2 organizations.');
    same(placed.root.querySelector('section.widget')!.getAttribute('aria-label'), 'Customer');
    await accessible(placed);
  });

  it('accepts an envelope that names the widget, also from a script inside it [O1]', async () => {
    const one = await mountWidget(undefined, { widget: 'customer', version: 1, data: customer });
    check(one.words().includes('skyline_prod'), one.words());
    const holder = document.createElement('div');
    holder.innerHTML = envelopeHtml('customer', customer);
    document.body.append(holder);
    const inside = holder.firstElementChild!;
    await waitUntil(
      () => inside.shadowRoot?.querySelector('.widget')?.textContent?.includes('skyline_prod'),
      'the script',
    );
    holder.remove();
  });

  it('lists the problems of a payload and displays the rest [O2]', async () => {
    const placed = await mountWidget('customer', {
      customer: { name: 7 },
      organizations: [null, 'solo', { name: '<b>bold</b>' }],
    });
    check(
      placed.words().includes('solo') &&
        placed.words().includes('<b>bold</b>') &&
        placed.words().includes('7'),
      placed.words(),
    );
    check(placed.words().includes('This payload has 3 problems.'), placed.words());
    same(placed.root.querySelectorAll('b').length, 0);
  });

  it('reports missing data, a missing name and an unknown name [O2]', async () => {
    for (const [id, data, said] of [
      ['customer', undefined, 'nothing to show'],
      [undefined, {}, 'This element has no widget.'],
      [undefined, { widget: 'nest', data: {} }, 'This element has no widget.'],
    ] as const) {
      const placed = await mountWidget(id, data);
      check(placed.root.textContent!.includes(said), placed.root.textContent!);
    }
  });

  it('follows its data [O1]', async () => {
    const placed = await mountWidget('customer', customer);
    placed.element.data = { customer: { name: 'Other' } };
    await waitUntil(() => placed.words().includes('Other'), 'the other');
  });

  it('announces the selected object [O4]', async () => {
    const placed = await mountWidget('customer', customer);
    placed.root.querySelector<HTMLElement>('td .link')!.click();
    same(placed.chosen, [{ widget: 'organization', name: 'skyline_dev' }]);
  });
});

describe('a widget with new data', () => {
  it('keeps expanded rows open', async () => {
    const run = {
      jobRunId: 'r1',
      state: 'Running',
      startTime: '2024-05-02T09:00:00Z',
      taskRuns: [{ taskName: 'fetch', state: 'Running', logs: [] }],
    };
    const placed = await mountWidget('job-run', run);
    const details = () =>
      placed.root.querySelector<HTMLElement>('[aria-label="Details of fetch"]')!;
    await waitUntil(() => details(), 'the task');
    details().click();
    await waitUntil(() => details().getAttribute('aria-expanded') === 'true', 'opened');
    placed.element.data = {
      ...run,
      state: 'Succeeded',
      taskRuns: [
        {
          taskName: 'fetch',
          state: 'Succeeded',
          logs: [{ eventType: 'TaskFinish', message: 'all of it' }],
        },
      ],
    };
    await waitUntil(() => placed.words().includes('all of it'), 'the log of the open item');
    same(details().getAttribute('aria-expanded'), 'true');
  });
});
