/**
 * Python charts in a browser. They need libraries in the environment of %python
 * (`TIDING_PYTHON_ENV`); a test whose library is missing is skipped with a message.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Note } from '@tiding/client';
import { describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { ADMIN_PASSWORD, adminClient, startEmbedded } from '../support/embedded.ts';
import { openPage, showNote, signIn } from '../support/page.ts';
import { untilEnd } from '../support/until-end.ts';

const environment = process.env['TIDING_PYTHON_ENV'];
const programme = environment && join(environment, 'bin', 'python');
/** Output of a line of Python, or `undefined` if it fails. */
const python = (line: string): string | undefined => {
  try {
    return programme
      ? execFileSync(programme, ['-c', line], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        }).trim()
      : undefined;
  } catch {
    return undefined;
  }
};

/** Hosts that a folium page requests, as configured with `--frame-source`. */
const mapHosts = [
  'https://cdn.jsdelivr.net',
  'https://code.jquery.com',
  'https://cdnjs.cloudflare.com',
  'https://netdna.bootstrapcdn.com',
  'https://tile.openstreetmap.org',
];

const embedded = untilEnd(
  await startEmbedded({
    shell: true,
    frameSources: ['https://cdn.plot.ly', ...mapHosts],
  }),
);
const client = untilEnd(await adminClient(embedded.server.url));
const browser = untilEnd(await launchChromium());
const watched = await openPage(browser);
const { page } = watched;
await signIn(page, embedded.server.url, 'admin', ADMIN_PASSWORD);

async function open(path: string, texts: readonly string[]): Promise<Note> {
  const note = await client.open(await client.notes.create({ path }));
  note.paragraphs[0]!.edit(texts[0]!);
  for (const text of texts.slice(1)) await note.insert({ text });
  for (const paragraph of note.paragraphs) await paragraph.run({ timeout: 300_000 });
  await showNote(page, embedded.server.url, note.id, texts.length);
  return note;
}
const frame = (at: number) => page.locator('article').nth(at).locator('iframe').contentFrame();

describe.each([
  [
    'plotly',
    'plotly',
    "import plotly.graph_objects as go\ngo.Figure(go.Bar(x=['a', 'b'], y=[1, 3]))",
    'svg.main-svg .bars .point',
  ],
  [
    'bokeh',
    'bokeh',
    [
      'from bokeh.io import output_notebook, show',
      'from bokeh.plotting import figure',
      'output_notebook()',
      'p = figure(width=300, height=200)',
      'p.line([1, 2, 3], [3, 1, 2])',
      'show(p)',
    ].join('\n'),
    'canvas',
  ],
  [
    'altair',
    'altair, vl_convert',
    'import altair as alt, pandas as pd\n' +
      "alt.Chart(pd.DataFrame({'a': ['x', 'y'], 'b': [1, 2]})).mark_bar().encode(x='a', y='b')",
    '.marks',
  ],
] as const)('a %s chart', (library, modules, code, drawn) => {
  it('is drawn without network access', async () => {
    if (python(`import ${modules}`) === undefined)
      return console.log(`skipped: no ${modules} in TIDING_PYTHON_ENV`);
    await open(`Charts/${library}`, [`%python\n${code}`]);
    await frame(0).locator(drawn).first().waitFor();
    await expect
      .poll(async () => (await page.locator('iframe').first().boundingBox())!.height)
      .toBeGreaterThan(150);
  }, 400_000);
});

it('lets a frame load a library only from a listed host', async () => {
  const path = python(
    'import plotly, os\n' +
      "print(os.path.join(os.path.dirname(plotly.__file__), 'package_data', 'plotly.min.js'))",
  );
  if (!path) return console.log('skipped: no plotly in TIDING_PYTHON_ENV');
  const asked: string[] = [];
  await page.context().route(/^https:\/\/(cdn\.plot\.ly|evil\.example)\//, (route) => {
    asked.push(new URL(route.request().url()).host);
    return route.fulfill({
      contentType: 'text/javascript',
      headers: { 'Access-Control-Allow-Origin': '*' },
      body: readFileSync(path),
    });
  });
  await open('Charts/cdn', [
    [
      '%python',
      'import plotly.graph_objects as go',
      "figure = go.Figure(go.Bar(x=['a'], y=[1]))",
      "page = figure.to_html(include_plotlyjs='cdn', full_html=False).replace('\\n', ' ')",
      'script = \'<script src="https://evil.example/x.js"></script>\'',
      'image = \'<img src="https://evil.example/x.png">\'',
      "print('%html ' + page + script + image)",
    ].join('\n'),
  ]);
  await frame(0).locator('svg.main-svg .bars .point').first().waitFor();
  expect(asked).toEqual(['cdn.plot.ly']);
});

it('draws a folium map with its library, images and tiles from listed hosts', async () => {
  if (python('import folium') === undefined)
    return console.log('skipped: no folium in TIDING_PYTHON_ENV');
  const asked = new Set<string>();
  const leaflet = join(import.meta.dirname, '../../node_modules/leaflet/dist');
  const served: Record<string, [string, string]> = {
    'leaflet.js': ['leaflet.js', 'text/javascript'],
    'leaflet.css': ['leaflet.css', 'text/css'],
    'marker-icon.png': ['images/marker-icon.png', 'image/png'],
    'marker-icon-2x.png': ['images/marker-icon-2x.png', 'image/png'],
    'marker-shadow.png': ['images/marker-shadow.png', 'image/png'],
  };
  // This test has no network: it serves the real Leaflet and a picture for each tile. The map does
  // not use the page's other libraries.
  await page.context().route(
    (url) => mapHosts.includes(url.origin) || url.host === 'evil.example',
    (route) => {
      const url = new URL(route.request().url());
      asked.add(url.host);
      const headers = { 'Access-Control-Allow-Origin': '*' };
      if (url.host === 'tile.openstreetmap.org')
        return route.fulfill({
          headers,
          contentType: 'image/svg+xml',
          body:
            '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256">' +
            '<rect width="256" height="256" fill="#cfe3d4" stroke="#7a9"/>' +
            `<text x="20" y="130">${url.pathname}</text></svg>`,
        });
      const file = served[url.pathname.split('/').at(-1)!];
      return file
        ? route.fulfill({
            headers,
            contentType: file[1],
            body: readFileSync(join(leaflet, file[0])),
          })
        : route.fulfill({ status: 404, headers });
    },
  );
  await open('Charts/folium', [
    [
      '%python',
      'import folium',
      'map = folium.Map([52.5, 13.4], zoom_start=11)',
      'folium.Marker([52.5, 13.4]).add_to(map)',
      "folium.Circle([52.45, 13.3], radius=3000, color='crimson').add_to(map)",
      'script = \'fetch("https://evil.example/x").catch(() => 0)\'',
      'map.get_root().script.add_child(folium.Element(script))',
      'map',
    ].join('\n'),
  ]);
  const map = frame(0).frameLocator('iframe');
  await map.locator('.leaflet-tile-loaded').first().waitFor();
  await map.locator('.leaflet-marker-icon').waitFor();
  expect(
    await map
      .locator('.leaflet-marker-icon')
      .evaluate((icon) => (icon as HTMLImageElement).naturalWidth),
  ).toBeGreaterThan(0);
  expect(
    await map
      .locator('.leaflet-tile-loaded')
      .evaluateAll((tiles) =>
        tiles.every((tile) => (tile as HTMLImageElement).naturalWidth === 256),
      ),
  ).toBe(true);
  await map.locator('path.leaflet-interactive').waitFor();
  await map.getByRole('button', { name: 'Zoom in' }).click();
  await expect
    .poll(() =>
      map
        .locator('.leaflet-tile')
        .evaluateAll((tiles) =>
          tiles.some((tile) => (tile as HTMLImageElement).src.includes('/12/')),
        ),
    )
    .toBe(true);
  expect([...asked].filter((host) => !mapHosts.includes(`https://${host}`))).toEqual([]);
}, 400_000);
