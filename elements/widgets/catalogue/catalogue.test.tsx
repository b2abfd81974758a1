import dataSource from '../../../test/fixtures/widgets/data-source.json';
import dataSourceFull from '../../../test/fixtures/widgets/data-source-full.json';
import repository from '../../../test/fixtures/widgets/repository.json';
import repositoryFull from '../../../test/fixtures/widgets/repository-full.json';
import schema from '../../../test/fixtures/widgets/schema.json';
import schemaFull from '../../../test/fixtures/widgets/schema-full.json';
import sink from '../../../test/fixtures/widgets/sink.json';
import stream from '../../../test/fixtures/widgets/stream.json';
import table from '../../../test/fixtures/widgets/table.json';
import tableFull from '../../../test/fixtures/widgets/table-full.json';
import tableVirtual from '../../../test/fixtures/widgets/table-virtual.json';
import { check, same } from '../../result/test-support.tsx';
import { checkAppearance, type MountedWidget, mountWidget } from '../test-kit.tsx';

/** Cells of a widget's tables, row by row. */
const rows = ({ root }: MountedWidget, label: string): string[][] =>
  [...root.querySelectorAll<HTMLElement>(`[aria-label="${label}"] tbody tr`)].map((row) =>
    [...row.querySelectorAll<HTMLElement>('td')].map((cell) => cell.innerText.trim()),
  );
const facts = ({ root }: MountedWidget): Record<string, string> =>
  Object.fromEntries(
    [...root.querySelectorAll<HTMLElement>('.facts dt')]
      .filter((name) => !ofLineage(name))
      .map((name) => [
        name.innerText.trim(),
        (name.nextElementSibling as HTMLElement).innerText.trim(),
      ]),
  );
const headings = ({ root }: MountedWidget): string[] =>
  [...root.querySelectorAll<HTMLElement>('h3')].map((heading) =>
    heading.innerText.replace(/\s+/g, ' '),
  );
/** Whether an element is below the lineage heading. */
const ofLineage = (element: HTMLElement): boolean =>
  element
    .closest('.widget-part')
    ?.querySelector(':scope > h3')
    ?.textContent?.startsWith('Lineage') ?? false;
const badges = ({ root }: MountedWidget): string[] =>
  [...root.querySelectorAll<HTMLElement>('.badge')]
    .filter((badge) => !ofLineage(badge))
    .map((badge) => badge.innerText);
/** The objects announced by each link. */
function links({ chosen, root }: MountedWidget): unknown[] {
  const before = chosen.length;
  for (const link of root.querySelectorAll<HTMLElement>('.link')) link.click();
  return chosen.slice(before);
}
const every = {
  table,
  'table-full': tableFull,
  'table-virtual': tableVirtual,
  stream,
  sink,
  schema,
  'schema-full': schemaFull,
  repository,
  'repository-full': repositoryFull,
  'data-source': dataSource,
  'data-source-full': dataSourceFull,
};

describe('catalogue widgets', () => {
  it('a table in files shows its fields with types, its file, and the mapping', async () => {
    const placed = await mountWidget('table', table);
    same(rows(placed, 'Fields'), [
      ['origin', 'string', '3'],
      ['tags', 'array<string>', ''],
    ]);
    same(facts(placed), {
      Schema: 'core',
      Mapping: 'Files',
      'Data source': 'lake',
      Writable: 'No',
      Path: '/in',
      'File name': 'trips*.csv',
      Format: 'DelimitedText',
      Compression: 'gzip',
      Delimiter: ',',
      'Header line': 'Yes',
    });
    same(rows(placed, 'Field mapping'), [['orig', 'origin']]);
    same(headings(placed), ['Fields 2', 'Persistence mapping']);
    same(links(placed), [
      { widget: 'schema', name: 'core' },
      { widget: 'data-source', name: 'lake' },
    ]);
    same(
      await placed.element.describe(),
      'Table core.trips with 2 fields. One row per trip Its rows come from files of lake.',
    );
  });

  it('a table of a database shows its query, nested types, and fields by index', async () => {
    const placed = await mountWidget('table', tableFull);
    same(rows(placed, 'Fields').length, 25);
    same(rows(placed, 'Fields').slice(0, 4), [
      ['booking_id', 'string', '12', 'Given by the carrier'],
      ['price', 'decimal(10, 2)', '', ''],
      ['extras', 'map<string, array<double>>', '', 'By name'],
      [
        'passengers',
        'array<struct<\n  name: string,\n  born: date,\n  address: struct<\n' +
          '    street: string,\n    city: string,\n' +
          '    position: struct<latitude: double, longitude: double>\n  >\n>>',
        '',
        'Who flies',
      ],
    ]);
    same(facts(placed), {
      Schema: 'core',
      Mapping: 'Database',
      'Data source': 'warehouse',
      Writable: 'Yes',
    });
    same(badges(placed), ['Temporary', 'Cached']);
    check(
      placed.root
        .querySelector('.widget-code')!
        .textContent!.includes('join raw.prices p on p.booking_id = b.booking_id\n'),
      'the query',
    );
    check(
      placed.words().includes('<b>passengers</b>') && placed.root.querySelector('b') === null,
      'markup',
    );
    const named = await mountWidget('table', {
      table: {
        name: 'x',
        persistenceMapping: {
          mappingType: 'jdbc',
          expression: { schemaName: 'dbo', tableName: 'trips' },
        },
      },
    });
    same(facts(named), { Mapping: 'Database', 'Table in the database': 'dbo.trips' });
    same(await named.element.describe(), 'Table x with 0 fields. Its rows come from a database.');
  });

  it('a virtual table shows its query; an unknown mapping shows its fields', async () => {
    const placed = await mountWidget('table', tableVirtual);
    same(facts(placed), { Schema: 'core', Mapping: 'Query' });
    check(
      placed.root
        .querySelector('.widget-code')!
        .textContent!.startsWith('select flight_date, count(*)'),
      'the query',
    );
    same(
      await placed.element.describe(),
      'Table core.trips_by_day with 2 fields. Its rows come from a query.',
    );
    const odd = await mountWidget('table', {
      table: {
        fields: [{ name: 'a', fieldType: { dataType: 'map' } }, null, { fieldType: 7 }],
        persistenceMapping: {
          mappingType: 'constructor',
          expression: 'select 1',
          file: { delimiter: '\t', quoteCharacter: '"', header: false },
        },
      },
    });
    same(
      [facts(odd), rows(odd, 'Fields')],
      [
        { Mapping: 'constructor', Delimiter: 'Tab', 'Header line': 'No', 'Quote character': '"' },
        [
          ['a', 'map'],
          ['', ''],
        ],
      ],
    );
    same(odd.root.querySelector('.widget-code')!.textContent, 'select 1');
    const bare = await mountWidget('table', {});
    same(
      [bare.words(), await bare.element.describe()],
      ['Table with 0 fields. Table Fields 0 No fields.', 'Table with 0 fields.'],
    );
  });

  it('a stream and a sink show their state, source and target', async () => {
    const one = await mountWidget('stream', stream);
    same(
      [facts(one), rows(one, 'Fields'), badges(one)],
      [
        { Schema: 'raw', 'Data source': 'events', Topic: 'trips' },
        [['trip_id', 'long']],
        ['Started'],
      ],
    );
    same(
      await one.element.describe(),
      'Stream raw.live_trips with one field. State: Started. From events.trips.',
    );
    const other = await mountWidget('sink', sink);
    same(
      [facts(other), badges(other)],
      [
        { Schema: 'raw', Source: 'live_trips', 'Data source': 'lake', Path: '/stream/trips' },
        ['Stopped'],
      ],
    );
    same(links(other), [
      { widget: 'schema', name: 'raw' },
      { widget: 'stream', name: 'raw.live_trips' },
      { widget: 'data-source', name: 'lake' },
    ]);
    same(
      await other.element.describe(),
      'Sink raw.trips_out. State: Stopped. From live_trips. To lake /stream/trips.',
    );
  });

  it('a schema lists its tables by name, paginated', async () => {
    const one = await mountWidget('schema', schema);
    same(
      [facts(one), rows(one, 'Tables'), headings(one)],
      [{ Repository: 'main' }, [['airports'], ['trips']], ['Tables 2']],
    );
    same(links(one), [
      { widget: 'repository', name: 'main' },
      { widget: 'table', name: 'core.airports' },
      { widget: 'table', name: 'core.trips' },
    ]);
    same(await one.element.describe(), 'Schema core with 2 tables. Cleaned');
    const live = await mountWidget('schema', {
      schema: { ...schema.schema, streams: [{ name: 'b' }, { name: 'a' }], sinks: [{ name: 'c' }] },
    });
    same(headings(live), ['Tables 2', 'Streams 2', 'Sinks 1']);
    same(links(live).slice(3), [
      { widget: 'stream', name: 'core.a' },
      { widget: 'stream', name: 'core.b' },
      { widget: 'sink', name: 'core.c' },
    ]);
    const full = await mountWidget('schema', schemaFull);
    same(
      rows(full, 'Tables')
        .map(([name]) => name)
        .slice(0, 3),
      ['table_001', 'table_002', 'table_003'],
    );
    same(
      [rows(full, 'Tables').length, full.root.querySelectorAll('i:not(.switch i)').length],
      [25, 0],
    );
  });

  it('a repository shows its three defaults by name, or by id if unlisted', async () => {
    const one = await mountWidget('repository', repository);
    same(facts(one), {
      'Default data source': 'lake',
      'Default project': 'flights',
      'Default schema': 'core',
    });
    same(
      await one.element.describe(),
      'Repository main: data sources 1, projects 1, schemas 1. Defaults: Default data source ' +
        'lake, Default project flights, Default schema core.',
    );
    const full = await mountWidget('repository', repositoryFull);
    same(facts(full), {
      'Default data source': 'lake',
      'Default project': '99',
      'Default schema': 'raw',
    });
    same(
      [rows(full, 'Data sources'), rows(full, 'Projects'), rows(full, 'Schemas')],
      [
        [
          ['lake Default', ''],
          ['warehouse', 'Reporting'],
        ],
        [['flights']],
        [['core'], ['raw Default']],
      ],
    );
    same(links(full).slice(0, 2), [
      { widget: 'data-source', name: 'lake' },
      { widget: 'schema', name: 'raw' },
    ]);
  });

  it('a data source never shows its credentials, wherever they are', async () => {
    const placed = await mountWidget('data-source', dataSourceFull);
    same(facts(placed), {
      Type: 'jdbc',
      Database: 'postgresql',
      Host: 'db.example.org',
      Port: '5432',
      'Database name': 'reports',
      Address: 'jdbc:postgresql://reader:…@db.example.org:5432/reports?ssl=true&password=…',
      'User name': 'reader',
      'Secret of the password': 'warehouse_password',
      Credentials: 'AwsAccessKey (not shown)',
    });
    check(
      !/hunter2/i.test(placed.root.innerHTML) && !/hunter2/i.test(await placed.element.describe()),
      'a secret',
    );
    const store = await mountWidget('data-source', dataSource);
    same(facts(store), {
      Type: 'hdfs',
      Store: 'S3a',
      Host: 'demo-bucket',
      'Path prefix': '/data',
      'Default path': '/default',
      Credentials: 'AwsAssumedRole (not shown)',
    });
    same(await store.element.describe(), 'Data source lake of type S3a.');
  });

  it('lineage is shown if it may be read, and nothing otherwise', async () => {
    for (const [id, full, without] of [
      ['table', tableFull, table],
      ['schema', schemaFull, schema],
      ['data-source', dataSourceFull, dataSource],
    ] as const) {
      const [one, other] = [await mountWidget(id, full), await mountWidget(id, without)];
      check(one.words().includes('Lineage') && !other.words().includes('Lineage'), id);
    }
  });

  for (const [name, data] of Object.entries(every)) {
    it(`${name} is accessible in light, dark and on a phone`, () =>
      checkAppearance(name.replace(/-(full|virtual)$/, '') as 'table', data));
  }
});
