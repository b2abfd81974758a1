/** The note in the pictures: winter delays at airports, from the server's sample data. */
const column = (name, index, aggr = 'sum') => ({ name, index, aggr });
const chart = (keys, groups, values, more = {}) => ({
  results: {
    0: {
      graph: {
        mode: 'multiBarChart',
        height: 260,
        optionOpen: false,
        keys,
        groups,
        values,
        ...more,
      },
    },
  },
});

/** Title, text and config of each paragraph. */
export const paragraphs = [
  [
    '',
    [
      '%md',
      '# Winter delays at hub airports',
      '',
      'Arrival delays in January and February, three million flights. ' +
        'A flight is **on time** when it arrives within',
      '15 minutes of schedule. Source: [flights](https://example.org/flights), refreshed nightly.',
    ].join('\n'),
    { editorHide: true },
  ],
  [
    'Worst airports',
    `%sql
select f.origin, a.name, count(*) as flights,
       round(100 * avg((f.delay <= 15)::int), 1) as on_time_pct,
       round(avg(f.delay), 1) as avg_delay_min, max(f.delay) as worst
from 'flights-3m.parquet' f join 'airports.csv' a on a.iata = f.origin
where a.state <> '\${state=HI,HI|AK|PR}' and f.distance > \${miles=200}
group by all having count(*) > 60000 order by on_time_pct limit 10`,
    { title: true, lineNumbers: true },
  ],
  [
    'Average delay by hour',
    '%sql\nselect hour(date) as hour, round(avg(delay), 2) as avg_delay_min ' +
      "from 'flights-3m.parquet' group by all order by hour",
    {
      title: true,
      colWidth: 6,
      editorHide: true,
      ...chart([column('hour', 0)], [], [column('avg_delay_min', 1)]),
    },
  ],
  [
    'Flights by weekday',
    '%sql\nselect dayname(date) as weekday, origin, count(*) as flights ' +
      "from 'flights-3m.parquet' where origin in ('ATL', 'ORD', 'DFW') " +
      'group by weekday, origin, isodow(date) order by isodow(date)',
    {
      title: true,
      colWidth: 6,
      editorHide: true,
      ...chart([column('weekday', 0)], [column('origin', 1)], [column('flights', 2)]),
    },
  ],
  [
    'Fetch the reports',
    '%sh\nfor station in KORD KDEN KEWR; do echo "fetching $station …"; done\n' +
      'printf "\\033[32mdone\\033[0m, 3 stations\\n"',
    { title: true },
  ],
  [
    'Join weather',
    '%sql\nselect f.origin, w.wind\n' +
      "from 'flights-3m.parquet' f\njoin metar w on w.station = f.origin",
    { title: true, lineNumbers: true },
  ],
  ['Once a month', '%sh\necho archived', { title: true, enabled: false }],
  ['Changed since', '%sh\necho 12 rows', { title: true, outdated: true }],
  ['Stopped', '%sh\necho "begun"; sleep 600', { title: true, stop: true }],
  [
    'Fit delay model',
    '%sh\nfor n in 1 2 3; do echo "epoch $n, loss 0.$((90 - n * 7))"; done; sleep 600',
    { title: true, running: true },
  ],
  ['Export', '', { title: true }],
];
/** Paths of the other notes. */
export const others = [
  'Airport operations/Gate turnaround',
  'Airport operations/Runway usage',
  'Airport operations/Weather joins',
  'Revenue/Fares',
  'Shared datasets/Airports reference',
  'Shared datasets/METAR ingest',
  'Scratch',
  'Untitled Note 3',
];

const until = async (what, is) => {
  for (let tries = 0; tries < 300; tries++) {
    if (is()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`timed out waiting for ${what}`);
};

/** Creates the notes, runs their paragraphs and returns the open note. */
export async function makeNotes(client) {
  for (const path of others) await client.notes.create({ path });
  const note = await client.open(
    await client.notes.create({ path: 'Airport operations/Winter delays' }),
  );
  for (const [
    index,
    [title, text, { outdated, stop, running, ...config }],
  ] of paragraphs.entries()) {
    const paragraph = index === 0 ? note.paragraphs[0] : await note.insert({ text, title, index });
    if (index === 0) paragraph.edit(text);
    await paragraph.commit();
    await paragraph.configure(config);
    if (text === '' || config.enabled === false) continue;
    const run = Promise.resolve(paragraph.run()).catch(() => {});
    if (stop || running)
      await until(
        'a run',
        () => paragraph.status === 'RUNNING' && paragraph.state.outputs.length > 0,
      );
    else await run;
    if (stop) {
      await paragraph.cancel();
      await until('the stop', () => paragraph.status === 'ABORT');
    }
    if (outdated) {
      // Times have a resolution of one second.
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      paragraph.edit('%sh\necho 14 rows');
      await paragraph.commit();
    }
  }
  return note;
}
