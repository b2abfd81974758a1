/**
 * The API reference (`npm run docs`) is generated offline, for every entry, and not at all if a
 * link is broken. It takes almost a minute, so only `npm run test:long -- reference` generates it.
 */
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { publicEntries } from './support/public-api.ts';
import { root } from './support/sources.ts';
import { temporaryFolder } from './support/until-end.ts';

interface Settings {
  readonly entryPoints: readonly string[];
}

const settings = JSON.parse(await readFile(join(root, 'typedoc.json'), 'utf8')) as Settings;

async function folder(): Promise<string> {
  const path = temporaryFolder();
  return path;
}

function typedoc(...args: string[]): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [join(root, 'node_modules/typedoc/bin/typedoc'), ...args],
      { cwd: root },
    );
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk));
    child.stderr.on('data', (chunk: Buffer) => (said += chunk));
    child.once('close', (code) => resolve({ code, said }));
  });
}

it('has every entry that exports something', () => {
  const described = publicEntries().filter(({ name }) => name !== '@tiding/elements/define');
  expect([...settings.entryPoints].sort()).toEqual(described.map(({ source }) => source).sort());
});

describe.runIf(process.env['API_REFERENCE'])('the API reference', () => {
  it('is generated without a warning, with a self-contained page for each entry', async () => {
    const out = await folder();
    const { code, said } = await typedoc('--out', out);
    expect({
      code,
      warnings: said.split('\n').filter((line) => /warning|error/i.test(line)),
    }).toEqual({ code: 0, warnings: [] });
    for (const { name } of publicEntries().filter(
      (entry) => entry.name !== '@tiding/elements/define',
    )) {
      const page = await readFile(
        join(out, 'modules', `${name.replaceAll(/[@/]/g, '_')}.html`),
        'utf8',
      );
      expect(page).toContain(`<h1>Module ${name}`);
      expect(
        [...page.matchAll(/<(?:script|link|img)\b[^>]*\b(?:src|href)="(https?:[^"]+)"/g)].map(
          ([, address]) => address,
        ),
      ).toEqual([]);
    }
    const client = await readFile(join(out, 'interfaces/_tiding_client.Client.html'), 'utf8');
    expect(client).toContain('Opens a note on a channel of its own');
    expect(await readFile(join(out, 'interfaces/_tiding_client.Note.html'), 'utf8')).not.toContain(
      'id="constructor"',
    );
  }, 600_000);

  it('is not generated if a link is broken or a type is not exported', async () => {
    const out = await folder();
    await writeFile(
      join(out, 'x.ts'),
      '/** Sees {@link Nobody}. */\nexport function make(): Hidden | undefined { return ' +
        'undefined; }\ninterface Hidden { a: string }\n',
    );
    await writeFile(join(out, 'package.json'), '{ "name": "x", "version": "1.0.0" }');
    await writeFile(
      join(out, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.base.json'),
        compilerOptions: { types: [] },
        include: ['x.ts'],
      }),
    );
    await writeFile(
      join(out, 'typedoc.json'),
      JSON.stringify({
        extends: [join(root, 'typedoc.json')],
        tsconfig: 'tsconfig.json',
        entryPoints: ['x.ts'],
        out: 'docs',
        readme: 'none',
        intentionallyNotExported: [],
      }),
    );
    const { code, said } = await typedoc('--options', join(out, 'typedoc.json'));
    expect(code).not.toBe(0);
    expect(said).toMatch(/Failed to resolve link to "Nobody"/);
    expect(said).toMatch(/Hidden, defined in .*, is referenced by make but not included/);
  });
});
