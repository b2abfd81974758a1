/** `tiding types`: programs that use a wrong form or column of a note do not compile. */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@tiding/client';
import { memoryServer } from '@tiding/client/testing';
import { expect, it } from 'vitest';
import { AccessTokenStore } from '../server/auth/tokens.ts';
import { type DescribedNote, describeNote, noteTypesModule } from '../server/cli/note-types.ts';
import { runCommand } from './support/command-line.ts';
import { startEmpty } from './support/raw.ts';
import { root } from './support/sources.ts';
import { temporaryFolder, untilEnd } from './support/until-end.ts';

const embedded = untilEnd(await startEmpty({}));
const folder = temporaryFolder();
const token = (await new AccessTokenStore(embedded.data).create('admin', { expiresInDays: 1 }))
  .token!;
const client = untilEnd(createClient({ server: embedded.server.url, auth: { token } }));
const env = { TIDING_SERVER: embedded.server.url, TIDING_TOKEN: token };

async function noteWith(name: string, text: string): Promise<string> {
  const id = await client.notes.create({ path: name });
  const note = await client.open(id);
  await note.insert({ text });
  await note.run();
  note.close();
  return id;
}

/** What the compiler prints about a program that uses the written types. */
async function compile(program: string): Promise<string> {
  await writeFile(join(folder, 'program.ts'), program);
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: {
        lib: ['ES2023', 'DOM', 'DOM.Iterable'],
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
        paths: { '@tiding/client': [join(root, 'client/index.ts')] },
      },
      files: [join(folder, 'program.ts'), join(folder, 'types.ts')],
    }),
  );
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
  try {
    return execFileSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

const program = `
import { createClient } from '@tiding/client';

const client = createClient({ server: 'http://127.0.0.1:8080' });
const result = await client.run('types/Sales', { region: 'EU', year: '2024' });
for (const { amount, city } of await result.rows())
  console.log((amount ?? 0) * 2, city?.toUpperCase());
// @ts-expect-error Not one of the options.
await client.run('types/Sales', { region: 'Mars' });
// @ts-expect-error There is no such form.
await client.run('types/Sales', { regoin: 'EU' });
// Other notes are not checked.
await client.run('types/Other', { anything: 1 });
`;

it('types form values and rows, and a renamed column no longer compiles', async () => {
  const text = (city: string) =>
    `%sql\nselect 'Oslo' as ${city}, 2.5::double as amount ` +
    "where '${region=EU,EU|US}' <> '${year=2024}'";
  const id = await noteWith('types/Sales', text('city'));
  const file = join(folder, 'types.ts');
  const first = await runCommand(['types', 'types/Sales', '-o', file], { env });
  expect(first).toMatchObject({ code: 0, out: '' });
  expect(await readFile(file, 'utf8')).toContain('"region": "EU" | "US";');
  expect(await compile(program)).toBe('');
  const note = await client.open(id);
  note.paragraphs.at(-1)!.edit(text('town'));
  await note.run();
  note.close();
  await runCommand(['types', 'types/Sales', '-o', file], { env });
  expect(await compile(program)).toContain("Property 'city' does not exist");
});

it('20 notes are written into one module that compiles', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `many/Note "${index}"`);
  const memory = memoryServer({
    notes: names.map((path, index) => ({
      id: `note${index}`,
      path,
      paragraphs: [`%sql\n${index} \${f ${index}=x}`],
    })),
    interpreters: {
      sql: (script, out) => out.table([`a ${parseInt(script, 10)}`, 'b'], [[1, 'x']]),
    },
  });
  const { server, transport, fetch } = memory;
  const scripts = createClient({ server, transport, fetch });
  const described: DescribedNote[] = [];
  for (const [index] of names.entries()) {
    const note = await scripts.open(`note${index}`);
    await note.run();
    described.push(await describeNote(note));
    note.close();
  }
  scripts.close();
  memory.close();
  await writeFile(join(folder, 'types.ts'), noteTypesModule(described));
  const lines = names.flatMap((name, index) => [
    `for (const row of await (await client.run(${JSON.stringify(name)}, ` +
      `{ 'f ${index}': 'y' })).rows())`,
    `  row['a ${index}'] satisfies number | null;`,
  ]);
  const head =
    "import { createClient } from '@tiding/client';\n" +
    "const client = createClient({ server: 'http://x' });";
  expect(await compile([head, ...lines].join('\n'))).toBe('');
});

it('is JSON on request, and a note without a table has no row', async () => {
  await noteWith('types/Text', '%md\n# Only text');
  const { code, out } = await runCommand(['types', 'types/Text', '--json'], { env });
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual([{ path: 'types/Text', params: {} }]);
});
