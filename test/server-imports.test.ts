/** Importing an entry of the elements on a server, where there is no DOM, has no side effect. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { root } from './support/sources.ts';

const { exports } = JSON.parse(readFileSync(join(root, 'elements/package.json'), 'utf8')) as {
  exports: Record<string, string | { source?: string; default?: string }>;
};
const tags = join(root, 'elements/dist/tags');
/** Entries that are code, and the entry of each tag instead of `./*`. */
const entries = [
  ...Object.entries(exports).flatMap(([name, target]) =>
    typeof target === 'object' && target.source ? [name.replace('.', '@tiding/elements')] : [],
  ),
  ...(existsSync(tags) ? readdirSync(tags) : [])
    .filter((file) => file.endsWith('.js'))
    .map((file) => `@tiding/elements/${file.replace('.js', '')}`),
];

/** Imports entries, and prints what they have added to the process. */
const program = (names: readonly string[]) => `
  const state = () => [
    ...Reflect.ownKeys(globalThis).map(String),
    ...Reflect.ownKeys(Object.prototype).map(String),
    ...Reflect.ownKeys(Array.prototype).map(String),
    ...process.eventNames().map((name) => 'event ' + String(name)),
  ];
  const before = new Set(state());
  for (const name of ${JSON.stringify(names)}) await import(name);
  const added = state().filter((each) => !before.has(each));
  process.stdout.write(JSON.stringify({ added, window: typeof window }));
`;

describe.skipIf(!existsSync(join(root, 'dist/.stamp')))('on a server', () => {
  it('has an entry for every export', () => {
    expect(entries).toEqual(
      expect.arrayContaining([
        '@tiding/elements',
        '@tiding/elements/define',
        '@tiding/elements/react',
        '@tiding/elements/snapshot',
        '@tiding/elements/paragraph',
      ]),
    );
    expect(entries.length).toBeGreaterThan(50);
  });

  it.each([
    ...entries.slice(0, 4).map((name) => [name, [name]] as const),
    ['all tags', entries.slice(4)] as const,
  ])('importing %s adds nothing, prints nothing, and lets the process end', async (_, names) => {
    // The process would not end while a timer, a worker or a socket is open.
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program(names)],
      { cwd: root, timeout: 100_000 },
    );
    expect({ ...(JSON.parse(stdout) as object), stderr }).toEqual({
      added: [],
      window: 'undefined',
      stderr: '',
    });
  });

  it('renders a paragraph where React is the one of server components', async () => {
    const code = `
      const { renderParagraph } = await import('@tiding/elements/snapshot');
      const msg = [{ type: 'TABLE', data: 'a\\tb\\n1\\t2\\n' }];
      const results = { code: 'SUCCESS', msg };
      const config = { results: { 0: { graph: { mode: 'multiBarChart' } } } };
      for (const look of ['default', 'report']) {
        const paragraphs = [{ id: 'p', text: '%sql', status: 'FINISHED', results, config }];
        const html = await renderParagraph({ id: 'n', name: 'x', paragraphs }, 'p', { look });
        if (!/<svg[^]*<td>2</.test(html)) throw new Error(html);
      }`;
    await promisify(execFile)(
      process.execPath,
      ['--conditions=react-server', '--input-type=module', '--eval', code],
      { cwd: root, timeout: 100_000 },
    );
  });
});
