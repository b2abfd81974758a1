/** Sample packages for tests and pictures, written to the data folder of a server. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const view = (
  name: string,
  version: string,
  description: string,
  license?: string,
  more: object = {},
) => ({
  type: 'VISUALIZATION',
  name,
  artifact: `${name}@${version}`,
  description,
  ...(license ? { license } : {}),
  ...more,
});

const samples = [
  view('hexbin-map', '1.2.0', 'Draws point <b>density</b> on a map.', 'MIT', {
    published: '2026-09-01T10:00:00Z',
    icon: '<i class="fa fa-map"></i>',
    config: {
      size: { type: 'number', description: 'Cell size in pixels', defaultValue: 12 },
      colours: {
        type: 'json',
        description: 'Colours from low to high',
        defaultValue: ['#eee', '#06c'],
      },
      title: { type: 'string', description: 'Title', defaultValue: 'Map' },
    },
  }),
  view('hexbin-map', '1.1.0', 'Draws point density on a map.', 'MIT', {
    published: '2026-03-01T10:00:00Z',
  }),
  view('hexbin-map', '1.0.0', 'Draws point density on a map.', 'MIT', {
    published: '2026-01-01T10:00:00Z',
  }),
  view('sunburst', '0.9.4', 'Nested rings from two to five keys.', 'Apache-2.0', {
    published: '2026-08-01T10:00:00Z',
  }),
  view('treemap', '2.1.0', 'Areas within areas.', 'MIT', { published: '2026-07-01T10:00:00Z' }),
  view(
    'horizon-chart',
    '2.0.1',
    'Folds tall series into bands; good for many stations. <script>hit()</script>',
    'BSD-3-Clause',
    {
      published: '2026-06-01T10:00:00Z',
      config: { bands: { type: 'number', description: 'Bands', defaultValue: 4 } },
    },
  ),
  view('calendar-heat-map', '', 'One cell per day.', undefined, {
    artifact: './calendar-heat-map',
    published: '2026-05-01T10:00:00Z',
  }),
  {
    type: 'SPELL',
    name: 'echo',
    artifact: 'echo@1.0.0',
    description: 'Says it again.',
    license: 'MIT',
    spell: { magic: '%echo', usage: '%echo <text>' },
  },
  {
    type: 'SPELL',
    name: 'flowchart',
    artifact: 'flowchart@0.2.0',
    description: 'Boxes and arrows from a few lines.',
    spell: { magic: '%flowchart', usage: '%flowchart a=>operation: A' },
  },
  {
    type: 'INTERPRETER',
    name: 'markdown',
    artifact: 'zeppelin-markdown@0.8.2',
    groupId: 'org.apache.zeppelin',
    artifactId: 'zeppelin-markdown',
    description: 'Markdown support',
    license: 'Apache-2.0',
  },
];

/** Writes the samples below `data`, each with a script that registers the package. */
export async function writePackages(data: string): Promise<void> {
  const folder = join(data, 'helium');
  await mkdir(folder, { recursive: true });
  for (const [n, sample] of samples.entries()) {
    const file = join(folder, `${n}-${sample.name}`);
    await writeFile(`${file}.json`, JSON.stringify(sample));
    await writeFile(
      `${file}.js`,
      `heliumBundles.push({ id: ${JSON.stringify(sample.name)}, ` +
        `name: ${JSON.stringify(sample.name)}, icon: '', ` +
        `type: ${JSON.stringify(sample.type)}, class: class {} });\n`,
    );
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Regular expressions for all texts of the packages, longest first. */
export const packageWords: readonly string[] = [
  ...new Set(
    samples.flatMap((sample) => {
      const { name, artifact, description, license, config, spell } = sample as Record<
        string,
        unknown
      > & {
        config?: Record<string, { type: string; description: string; defaultValue: unknown }>;
        spell?: Record<string, string>;
      };
      const fields = Object.entries(config ?? {}).flatMap(([key, field]) => [
        key,
        field.type,
        field.description,
        typeof field.defaultValue === 'string'
          ? field.defaultValue
          : JSON.stringify(field.defaultValue),
      ]);
      const said = String(description)
        .replace(/<script>.*?<\/script>/g, '')
        .split(/<[^>]*>/);
      return [name, artifact, license, ...said, ...fields, ...Object.values(spell ?? {})]
        .filter((word): word is string => typeof word === 'string' && word.trim() !== '')
        .map((word) => escaped(word.trim()));
    }),
  ),
].sort((a, b) => b.length - a.length);
