import plain from '../../../test/fixtures/widgets/data-set-profile.json';
import full from '../../../test/fixtures/widgets/data-set-profile-full.json';
import { check, same, type, waitUntil } from '../../result/test-support.tsx';
import { accessible, type MountedWidget, mountWidget } from '../test-kit.tsx';

const names = ({ root }: MountedWidget) =>
  [...root.querySelectorAll('td.name')].map(({ textContent }) => textContent);
const field = ({ root }: MountedWidget, label: string) =>
  root.querySelector<HTMLInputElement>(`[aria-label="${label}"]`)!;
/** Clicks a button and waits for the render. */
const press = async ({ root }: MountedWidget, label: string): Promise<void> => {
  [...root.querySelectorAll<HTMLElement>('button')]
    .find((each) => each.getAttribute('aria-label') === label || each.textContent === label)!
    .click();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
};
const titles = ({ root }: MountedWidget) =>
  [...root.querySelectorAll('.profile-detail h4, .profile-detail figcaption b')].map(
    ({ textContent }) => textContent,
  );
const wide = (count: number) => ({
  tableName: 'core.wide',
  rowCount: 9,
  fieldProfiles: Array.from({ length: count }, (_, at) => ({
    fieldIndex: at,
    fieldName: `field_${at}`,
    inferredProfileType: 'Text',
    nullCount: 0,
    distinctValueCount: at,
  })),
});

describe('<tiding-data-set-profile>', () => {
  it('has a row for each field, in order', async () => {
    const placed = await mountWidget('data-set-profile', plain);
    same(names(placed), ['origin', 'distance_mi', 'flight_date', 'departed_at']);
    check(
      placed.root
        .querySelector('.widget-about')!
        .textContent!.startsWith('500 rows, 4 fields, profiled May 02 2024, '),
      placed.words(),
    );
    same(
      await placed.element.describe(),
      `Profile of core.trips: ${placed.root.querySelector('.widget-about')!.textContent}. ` +
        'Most null values are in distance_mi: 14, 2.8 %.',
    );
  });

  it('can be searched, filtered by column and percent, and cleared [O35 O36 O37]', async () => {
    const placed = await mountWidget('data-set-profile', plain);
    const leaves = async (...left: string[]) =>
      waitUntil(() => names(placed).join() === left.join(), `${left.join()} to be left`);
    for (const displayed of ['473', '2.8 %', '2.8%']) {
      type(field(placed, 'Search fields'), displayed);
      await leaves('distance_mi');
    }
    await press(placed, 'Clear filters');
    await leaves('origin', 'distance_mi', 'flight_date', 'departed_at');
    same(field(placed, 'Search fields').value, '');
    type(field(placed, 'Name contains'), 'T_');
    await leaves('flight_date');
    check(placed.words().includes('1 of 4 fields'), placed.words());
    await press(placed, 'Clear filters');
    const kinds = placed.root.querySelector<HTMLSelectElement>(
      'select[aria-label="Filter by profile type"]',
    )!;
    same(
      [...kinds.options].map(({ label }) => label),
      ['All types', 'Date', 'Numerical', 'Text', 'Timestamp'],
    );
    type(field(placed, 'Filter by profile type'), 'Timestamp');
    await leaves('departed_at');
    await press(placed, 'Clear filters');
    same(kinds.value, '');
    type(field(placed, 'Null values: comparison'), '=');
    type(field(placed, 'Null values: number'), '14');
    await leaves('distance_mi');
    await press(placed, 'Clear filters');
    type(field(placed, 'Distinct values: number'), '90');
    await press(placed, 'Distinct values: percent of the rows');
    await leaves('distance_mi', 'departed_at');
    type(field(placed, 'Distinct values: number'), 'many');
    await leaves('origin', 'distance_mi', 'flight_date', 'departed_at');
    same(field(placed, 'Distinct values: number').getAttribute('aria-invalid'), 'true');
    type(field(placed, 'Name contains'), 'nothing has this');
    await waitUntil(() => placed.words().includes('No fields match the filters.'), 'the text');
  });

  it('sorts by a column: ascending, then descending, and by another [O38]', async () => {
    const placed = await mountWidget('data-set-profile', plain);
    await press(placed, 'Distinct values');
    same(names(placed), ['origin', 'flight_date', 'distance_mi', 'departed_at']);
    await press(placed, 'Distinct values');
    same(names(placed), ['departed_at', 'distance_mi', 'flight_date', 'origin']);
    await press(placed, 'Field');
    same(names(placed), ['departed_at', 'distance_mi', 'flight_date', 'origin']);
    same(placed.root.querySelector('th[aria-sort]')!.textContent, 'Field');
    same(placed.root.querySelector('th[aria-sort]')!.getAttribute('aria-sort'), 'ascending');
  });

  it('copies SQL for the visible fields in the displayed order [O39]', async () => {
    const placed = await mountWidget('data-set-profile', plain);
    const copied: string[] = [];
    const { clipboard } = navigator;
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void copied.push(text) },
    });
    try {
      type(field(placed, 'Name contains'), 'd');
      await waitUntil(() => names(placed).length === 3, 'the filter');
      await press(placed, 'Field');
      await press(placed, 'Generate SQL');
      await waitUntil(
        () =>
          placed.root.querySelector('.toast')?.textContent?.includes('Copied query to clipboard.'),
        'the toast',
      );
      same(copied, ['SELECT departed_at, distance_mi, flight_date FROM core.trips']);
      Object.defineProperty(navigator, 'clipboard', {
        configurable: true,
        value: { writeText: async () => Promise.reject(new Error('no')) },
      });
      await press(placed, 'Generate SQL');
      await waitUntil(
        () => placed.root.querySelector<HTMLTextAreaElement>('textarea')?.value === copied[0],
        'the text itself',
      );
    } finally {
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
    }
  });

  it('generates SQL from a query, and none without table and query [O39]', async () => {
    const query = await mountWidget('data-set-profile', {
      ...plain,
      tableName: null,
      query: 'select 1 as a',
    });
    check(
      query.root.querySelector('h2')!.textContent === 'Query' &&
        query.words().includes('select 1 as a') &&
        query.words().includes('Generate SQL'),
      query.words(),
    );
    const neither = await mountWidget('data-set-profile', { fieldProfiles: plain.fieldProfiles });
    check(!neither.words().includes('Generate SQL'), neither.words());
  });

  it('shows that only a sample of the rows was profiled', async () => {
    const about = async (rowCount: number, totalRowCount: number) => {
      const placed = await mountWidget('data-set-profile', {
        tableName: 'core.trips',
        rowCount,
        totalRowCount,
        fieldProfiles: [{ fieldName: 'origin' }],
      });
      const found = placed.root.querySelector('.widget-about')!.textContent;
      const described = await placed.element.describe();
      check(described.includes(`core.trips: ${found}.`), described);
      return found;
    };
    same(await about(100, 5_000), 'Sample of 100 of 5,000 rows, 1 field');
    // A sample as large as the table is the table.
    same(await about(100, 100), '100 rows, 1 field');
  });

  it('shows the number of non-finite values beside the other numbers', async () => {
    const placed = await mountWidget('data-set-profile', {
      rowCount: 5,
      fieldProfiles: [
        {
          fieldName: 'speed',
          inferredProfileType: 'Numerical',
          numericalProfile: { min: 1, max: 3, sum: 4, nonFiniteCount: 3 },
        },
      ],
    });
    await press(placed, 'Profile of speed');
    same(
      [...placed.root.querySelectorAll('.stats dl > div')].map((each) =>
        [...each.children].map(({ textContent }) => textContent),
      ),
      [
        ['Minimum', '1'],
        ['Maximum', '3'],
        ['Sum', '4'],
        ['Non-finite values', '3'],
      ],
    );
  });

  it('expands a field to its values, numbers and charts [O40 O41 O42 O43 O44]', async () => {
    const placed = await mountWidget('data-set-profile', plain);
    const chosen: unknown[] = [];
    placed.element.addEventListener('tiding-select', (event) =>
      chosen.push((event as CustomEvent).detail),
    );
    await press(placed, 'Profile of origin');
    same(
      [...placed.root.querySelectorAll('.top-values li')].map((each) =>
        (each as HTMLElement).innerText.replace(/\s+/g, ' ').trim(),
      ),
      ['DCA 69', 'ORD 60', 'IAD 58', 'Other 313'],
    );
    await press(placed, 'Profile of origin');
    same(chosen, [{ values: { fieldName: 'origin' }, label: 'origin' }, null]);
    await press(placed, 'Profile of distance_mi');
    same(titles(placed), ['Numerical profile', 'Distribution']);
    same(
      [...placed.root.querySelectorAll('.stats dt')].map(({ textContent }) => textContent),
      [
        'Minimum',
        '5 %',
        '25 %',
        'Median',
        '75 %',
        '95 %',
        'Maximum',
        'Mean',
        'Std. deviation',
        'Sum',
      ],
    );
    same(placed.root.querySelector('.stats dd')!.textContent, '−422.8');
    await press(placed, 'Profile of distance_mi');
    await press(placed, 'Profile of flight_date');
    same(titles(placed), [
      'Date profile',
      'Day of year',
      'Year',
      'Month',
      'Day of month',
      'Day of week',
    ]);
    same(
      [...placed.root.querySelectorAll('.profile-chart')].map(
        (chart) => chart.querySelectorAll('rect').length,
      ),
      [366, 2, 12, 31, 7],
    );
    same(
      [...placed.root.querySelectorAll('.stats dd')].map(({ textContent }) => textContent),
      ['January 02 2023', 'December 31 2024'],
    );
    check(
      placed.root.querySelectorAll('.profile-chart svg')[4]!.getAttribute('aria-label') ===
        'Day of week: 7 bars, highest at Thursday with 81, 500 in total.',
      placed.root.querySelectorAll('.profile-chart svg')[4]!.getAttribute('aria-label')!,
    );
    await press(placed, 'Profile of flight_date');
    await press(placed, 'Profile of departed_at');
    same(titles(placed), ['Timestamp profile', 'Hour of day', 'Minute of hour']);
    same(
      [...placed.root.querySelectorAll('.stats dd')].map(({ textContent }) => textContent),
      ['January 02 2023, 8:05:00 AM', 'December 31 2024, 8:45:00 AM'],
    );
  });

  it('adds null values and leaves out missing ones [O43]', async () => {
    const placed = await mountWidget('data-set-profile', {
      rowCount: 10,
      fieldProfiles: [
        { fieldName: 'a', nullCount: 4, topValues: { x: 4, y: 2 } },
        { fieldName: '<i>b</i>' },
      ],
    });
    await press(placed, 'Profile of a');
    same(
      [...placed.root.querySelectorAll('.top-values li')].map((each) =>
        (each as HTMLElement).innerText.replace(/\s+/g, ' ').trim(),
      ),
      ['x 4', 'y 2', 'Null 4'],
    );
    await press(placed, 'Profile of <i>b</i>');
    check(placed.words().includes('There are no further details for this field.'), placed.words());
    same(placed.root.querySelectorAll('i:not([style])').length, 0);
  });

  it('is ready at once with 50 fields, and after an extra 100 ms with 51 [O34]', async () => {
    const started = performance.now();
    const many = await mountWidget('data-set-profile', wide(51));
    const before = many.root.querySelector('tr.field-row') !== null;
    if (performance.now() - started < 100) same(before, false);
    await waitUntil(() => many.root.querySelector('tr.field-row'), 'the rows');
    check(performance.now() - started >= 100, 'it was ready too early');
    const few = await mountWidget('data-set-profile', wide(50));
    same(few.root.querySelectorAll('tr.field-row').length, 50);
  });

  it('renders rows near the window for 500 fields, but all for find and print [O46]', async () => {
    const placed = await mountWidget('data-set-profile', wide(500));
    await waitUntil(() => placed.root.querySelector('tr.field-row'), 'the rows');
    check(placed.root.querySelectorAll('tr.field-row').length < 500, 'all rows are rendered');
    check(placed.root.textContent!.includes('field_499'), 'the last row has no name');
    await waitUntil(() => {
      // Only components whose effects have run hear of it; these render before it returns.
      for (const name of ['afterprint', 'beforeprint']) window.dispatchEvent(new Event(name));
      return names(placed).length === 500;
    }, 'all rows');
  });

  it('is accessible, expanded and collapsed, in light and dark [O5]', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const placed = await mountWidget('data-set-profile', full, { theme });
      document.body.style.background = theme === 'dark' ? '#13181b' : '';
      for (const name of [
        'arr_delay',
        'scheduled_dep',
        'flight_date',
        'carrier',
        'cancellation reason',
      ])
        await press(placed, `Profile of ${name}`);
      await accessible(placed);
      placed.remove();
    }
    document.body.style.background = '';
  });

  it('fits into 390 px without scrolling the page sideways [O5]', async () => {
    const placed = await mountWidget('data-set-profile', full, { width: 390 });
    await press(placed, 'Profile of arr_delay');
    check(
      placed.element.scrollWidth <= 390 &&
        placed.root.querySelector<HTMLElement>('.profile-detail')!.offsetWidth <= 390,
      'it is wider',
    );
  });
});
