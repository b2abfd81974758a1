import file from '../../../test/fixtures/widgets/exported-file.json';
import result from '../../../test/fixtures/widgets/exported-result.json';
import comparison from '../../../test/fixtures/widgets/profile-comparison.json';
import relationships from '../../../test/fixtures/widgets/relationships-full.json';
import schema from '../../../test/fixtures/widgets/schema-profile.json';
import manyTables from '../../../test/fixtures/widgets/schema-profile-full.json';
import { elementClass } from '../../element-class.ts';
import { check, same, waitUntil } from '../../result/test-support.tsx';
import { refusal, restClient, type StubAnswer } from '../../ui/testing/test-rest.ts';
import { accessible, type MountedWidget, mountWidget } from '../test-kit.tsx';
import { mapLink } from './exports.tsx';
import { profilesElements } from './index.ts';

const cells = ({ root }: MountedWidget) =>
  [...root.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map((cell) =>
      (cell as HTMLElement).innerText.replace(/\s+/g, ' ').trim(),
    ),
  );
const button = ({ root }: MountedWidget, label: string) =>
  [...root.querySelectorAll<HTMLElement>('button, a')].find((each) => each.textContent === label)!;
/** Returns name and text of the file saved while `act` runs. */
async function saved(act: () => void): Promise<[string, string]> {
  const { click } = HTMLAnchorElement.prototype;
  try {
    return await new Promise((done) => {
      HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
        if (this.download === '') return click.call(this);
        void fetch(this.href).then(async (response) =>
          done([this.download, await response.text()]),
        );
      };
      act();
    });
  } finally {
    HTMLAnchorElement.prototype.click = click;
  }
}

describe('schema profiles, comparisons, relationships and exports', () => {
  it('a schema lists its tables; above 50 it is ready 100 ms later [O33 O34]', async () => {
    const placed = await mountWidget('schema-profile', schema);
    same(
      cells(placed).map((row) => row.slice(0, 3)),
      [
        ['airports', '10', '7'],
        ['trips', '500', '8'],
      ],
    );
    check(
      (await placed.element.describe()).endsWith('The largest table is trips with 500 rows.'),
      await placed.element.describe(),
    );
    placed.root.querySelector<HTMLElement>('td .link')!.click();
    same(placed.chosen, [{ widget: 'data-set-profile', name: 'core.airports' }]);
    const many = await mountWidget('schema-profile', manyTables);
    check(
      many.root.querySelector('[aria-busy]') ?? many.root.querySelector('td'),
      'neither waiting nor ready',
    );
    await waitUntil(() => many.root.querySelector('td'), 'the tables');
    same(many.root.querySelectorAll('tbody tr').length, 25);
  });

  it('a table that could not be read shows its error in place of its counts', async () => {
    const placed = await mountWidget('schema-profile', {
      schemaName: 'core',
      tableSummaries: [
        {
          tableName: 'gone',
          error: 'Table gone does not exist.',
          createdAt: '2024-05-02T10:00:00Z',
        },
        { tableName: 'trips', rowCount: 500, fieldCount: 8, createdAt: '2024-05-02T10:00:00Z' },
      ],
    });
    same(
      cells(placed).map((row) => row.slice(0, -1)),
      [
        ['gone', 'Not readable: Table gone does not exist.'],
        ['trips', '500', '8'],
      ],
    );
    same(placed.root.querySelector<HTMLTableCellElement>('tbody td:nth-child(2)')!.colSpan, 2);
    await accessible(placed);
  });

  it('a comparison lists the largest changes first [O45]', async () => {
    const placed = await mountWidget('profile-comparison', comparison);
    same(
      cells(placed).map(([name, change]) => `${name} ${change}`),
      [
        'cancellation reason Removed',
        'tail_number Added',
        'flight_number Type changed',
        'carrier Changed',
        'arr_delay Changed',
        'origin Changed',
      ],
    );
    same(cells(placed)[3], ['carrier', 'Changed', 'Text', '0', '14 → 18 +28.6 %']);
    same(cells(placed)[4]![3], '105,071 → 402,333 1.8 % → 6.7 %, +4.9 points');
    check(placed.words().includes('5,819,079 → 6,001,200 (+182,121)'), placed.words());
    same(
      await placed.element.describe(),
      'core.flights has changed: 1 fields added, 1 removed, 1 with a new type, 3 with new ' +
        'counts, 5 unchanged. Rows: 5,819,079 before, 6,001,200 after. Largest change: ' +
        'cancellation reason.',
    );
    placed.root.querySelector<HTMLElement>('[role=switch]')!.click();
    await waitUntil(() => cells(placed).length === 11, 'the others');
  });

  it('the comparison element takes two properties, also envelopes', async () => {
    const spec = profilesElements.find(({ tag }) => tag === 'tiding-profile-comparison')!;
    if (!customElements.get(spec.tag)) customElements.define(spec.tag, elementClass(spec));
    const element = Object.assign(document.createElement(spec.tag), {
      older: { widget: 'data-set-profile', version: 1, data: comparison.before },
      newer: comparison.after,
    });
    document.body.append(element);
    await waitUntil(
      () => element.shadowRoot!.querySelectorAll('tbody tr').length === 6,
      'the comparison',
    );
    Object.assign(element, { newer: comparison.before });
    await waitUntil(
      () => element.shadowRoot!.textContent!.includes('Nothing has changed.'),
      'the other comparison',
    );
    element.remove();
  });

  it('relationships are sorted by score, with badge and fields [O32 O47 O48 O49]', async () => {
    const placed = await mountWidget('relationships', relationships);
    same(cells(placed), [
      ['core.trips', 'core.carriers', 'carrier = code', 'Many to One', '0.9'],
      ['core.trips', 'core.airports', 'origin = iata', 'Many to One', '0.898'],
      [
        'core.fares',
        'core.routes',
        'origin = origin destination = destination',
        'Many to ZeroOrOne',
        '0.7',
      ],
      ['core.staff', 'core.staff', '<b>id</b> = manager', 'One to Many', '0.61'],
    ]);
    same(
      [...placed.root.querySelectorAll('.badge')].map(({ className }) => className),
      ['badge success', 'badge success', 'badge warning', 'badge danger'],
    );
    same(
      await placed.element.describe(),
      '4 relationships. The strongest: core.trips to core.carriers, Many to One, score 0.9.',
    );
  });

  it('a result is checked and saved, named by its time and type [O51 O52]', async () => {
    const { client, calls } = restClient(({ path }) =>
      path === '/magpie/result/8f2c'
        ? new Response('a,b', { headers: { 'Content-Type': 'text/csv; charset=utf-8' } })
        : undefined,
    );
    const placed = await mountWidget('exported-result', result, { client });
    await waitUntil(
      () => !(button(placed, 'Download') as HTMLButtonElement).disabled,
      'the client',
    );
    same(await saved(() => button(placed, 'Download').click()), [
      'magpie_export_20240502_102030.csv',
      'a,b',
    ]);
    same(
      calls.map(({ method }) => method),
      ['HEAD', 'GET'],
    );
    await waitUntil(
      () => placed.words().includes('Saved as magpie_export_20240502_102030.csv.'),
      'the text',
    );
    same(await placed.element.describe(), 'Exported result 8f2c, CSV, 500 rows.');
    client.close();
  });

  it("a missing result shows the server's message or a default [O51]", async () => {
    let answer: StubAnswer = ({ method }) =>
      method === 'HEAD'
        ? new Response(null, { status: 410 })
        : refusal(410, 'This result has expired.');
    let release = (): void => {};
    const held = new Promise<void>((done) => (release = done));
    const { client } = restClient(async (call) =>
      call.path.startsWith('/magpie/result') ? (await held, answer(call)) : undefined,
    );
    const placed = await mountWidget('exported-result', result, { client });
    await waitUntil(
      () => !(button(placed, 'Download') as HTMLButtonElement).disabled,
      'the client',
    );
    button(placed, 'Download').click();
    await waitUntil(
      () => button(placed, 'Downloading…')?.getAttribute('aria-busy') === 'true',
      'the flag',
    );
    release();
    await waitUntil(
      () => placed.root.querySelector('[role=alert]')?.textContent === 'This result has expired.',
      "the server's message",
    );
    check(!(button(placed, 'Download') as HTMLButtonElement).disabled, 'the flag is still on');
    answer = () => new Response(null, { status: 500 });
    button(placed, 'Download').click();
    await waitUntil(
      () =>
        placed.root.querySelector('[role=alert]')?.textContent ===
        'Error downloading exported result.',
      'the default message',
    );
    client.close();
  });

  it('a CSV result links to the map page; others explain why not [O53]', async () => {
    const { client } = restClient(() => undefined);
    const csv = await mountWidget('exported-result', result, {
      client,
      mapUrl: 'https://maps.example.org/show#old',
    });
    await waitUntil(
      () =>
        button(csv, 'Send to Map')?.getAttribute('href') ===
        'https://maps.example.org/show#' +
          `${encodeURIComponent(`${client.server}/api/magpie/result/8f2c`)}`,
      'the link',
    );
    const json = await mountWidget(
      'exported-result',
      { ...result, format: 'JSON' },
      { client, mapUrl: 'https://maps.example.org/' },
    );
    same(button(json, 'Send to Map').getAttribute('aria-disabled'), 'true');
    same(
      button(json, 'Send to Map').parentElement!.title,
      'Send to Map is only supported for CSV Files',
    );
    const none = await mountWidget('exported-result', result, { client });
    same(button(none, 'Send to Map').getAttribute('aria-disabled'), 'true');
    client.close();
    // Without an address of its own, it uses the server's.
    const { client: mapped } = restClient(({ path }) =>
      path === '/magpie/config' ? { mapUrl: 'https://maps.acme.org/show' } : undefined,
    );
    const served = await mountWidget('exported-result', result, { client: mapped });
    await waitUntil(
      () =>
        button(served, 'Send to Map')
          .getAttribute('href')
          ?.startsWith('https://maps.acme.org/show#http'),
      "the server's map page",
    );
    mapped.close();
    same(mapLink('javascript:alert(1)', 'https://a/', document.baseURI), undefined);
    same(
      mapLink('/map', 'https://a/b?c#d', 'https://host.example/x/'),
      'https://host.example/map#https%3A%2F%2Fa%2Fb%3Fc%23d',
    );
  });

  it('a file is requested with its object, saved under its last path segment [O54]', async () => {
    let refused = false;
    const { client, calls } = restClient(({ path }) =>
      path !== '/magpie/file'
        ? undefined
        : refused
          ? refusal(404, 'There is no such file.')
          : new Response('x,y', { headers: { 'Content-Type': 'text/csv' } }),
    );
    const payload = { ...file, type: 'ExportedDataSourceFile', more: { of: 'it' } };
    const placed = await mountWidget('exported-file', payload, { client });
    await waitUntil(
      () => !(button(placed, 'Download') as HTMLButtonElement).disabled,
      'the client',
    );
    same(await saved(() => button(placed, 'Download').click()), ['trips.csv', 'x,y']);
    const sent = calls[0]!.body as Record<string, unknown>;
    same(
      [calls[0]!.method, sent['type'], sent['more'], sent['file'], sent['dataSourceName']],
      ['POST', 'ExportedDataSourceFile', { of: 'it' }, file.file, 'lake'],
    );
    refused = true;
    button(placed, 'Download').click();
    await waitUntil(
      () => placed.root.querySelector('[role=alert]')?.textContent === 'There is no such file.',
      "the server's message",
    );
    same(await placed.element.describe(), 'Exported file /exports/trips.csv, CSV, lake.');
    client.close();
  });

  it('are accessible in light and dark, and fit into 390 px [O5]', async () => {
    for (const [id, data] of [
      ['schema-profile', manyTables],
      ['profile-comparison', comparison],
      ['relationships', relationships],
      ['exported-result', result],
      ['exported-file', file],
    ] as const) {
      for (const [theme, width] of [
        ['light', 390],
        ['dark', 1000],
      ] as const) {
        const placed = await mountWidget(id, data, { theme, width });
        document.body.style.background = theme === 'dark' ? '#13181b' : '';
        await waitUntil(
          () => !placed.root.querySelector('.widget .element-loading'),
          'it to be ready',
        );
        await accessible(placed);
        check(placed.element.scrollWidth <= width, `${id} is wider than ${width}`);
        placed.remove();
      }
    }
    document.body.style.background = '';
  });
});
