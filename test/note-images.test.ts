/** Images of notes: who may read them, which files are images, and what copies and exports have. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, createClient, type NoteFormat } from '@tiding/client';
import { renderPage } from '@tiding/elements/snapshot';
import { expect, it } from 'vitest';
import { AccessTokenStore } from '../server/auth/tokens.ts';
import { Users } from '../server/auth/users.ts';
import { failure } from './support/failure.ts';
import { onlyFor, startEmpty } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6' +
    'kgAAAABJRU5ErkJggg==',
  'base64',
);
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9"/></svg>');
const address = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`;
const open = (token: string): Client =>
  untilEnd(createClient({ server: embedded.server.url, auth: { token } }));

const embedded = untilEnd(await startEmpty({ logLevel: 'silent' }));
await new Users(embedded.data).set('bob', { password: 'bobs-password', roles: [] });
const clientOf = async (user: string) =>
  open((await new AccessTokenStore(embedded.data).create(user, { expiresInDays: 1 })).token!);
const client = await clientOf('admin');
const bob = await clientOf('bob');

/** Creates a note that shows images; returns its id and the id of its paragraph. */
async function noteWith(path: string, text: string): Promise<{ id: string; paragraph: string }> {
  const id = await client.notes.create({ path });
  await client.files.upload('map.png', PNG, { noteId: id });
  await client.files.upload('plan.svg', SVG, { noteId: id });
  const note = await client.open(id);
  const paragraph = await note.insert({ text });
  await paragraph.run();
  note.close();
  return { id, paragraph: paragraph.id };
}

it('users who may read the note get its images', async () => {
  const { id } = await noteWith('images/private', '%md\n![map](map.png)');
  expect(await client.files.image(id, 'map.png')).toBe(address('image/png', PNG));
  expect(await client.files.image(id, 'plan.svg')).toBe(address('image/svg+xml', SVG));
  expect(await bob.files.image(id, 'map.png')).toBe(address('image/png', PNG));
  await client.call('setPermissions', {
    params: { noteId: id },
    body: onlyFor('admin'),
  });
  expect(await failure(bob.files.image(id, 'map.png'))).toMatchObject({ status: 403 });
  expect(await failure(client.files.image(id, '../map.png'))).toMatchObject({ status: 403 });
  for (const name of ['none.png', 'data.csv'])
    expect(await failure(client.files.image(id, name)), name).toMatchObject({ status: 404 });
});

it('other content and large images are refused, and nothing is stored', async () => {
  const noteId = await client.notes.create({ path: 'images/refused' });
  const upload = (name: string, bytes: Uint8Array) =>
    failure(client.files.upload(name, bytes, { noteId }));
  expect(await upload('map.png', SVG)).toMatchObject({
    status: 400,
    message: 'map.png is not an image of the type in its name. Use PNG, JPEG, GIF, WebP or SVG.',
  });
  const large = new Uint8Array(10 * 2 ** 20 + 1);
  large.set(PNG);
  expect(await upload('large.png', large)).toMatchObject({
    status: 413,
    message: 'large.png is too large: an image may have at most 10 MB.',
  });
  // In pieces, which are checked together.
  expect(await upload('pieces.jpg', large.subarray(0, 2 ** 20 + 1))).toMatchObject({ status: 400 });
  expect(await client.files.list({ noteId })).toEqual([]);
});

it('a file with scripts that code has written is not served', async () => {
  const { id } = await noteWith('images/written', '%md\n![x](x.svg)');
  const folder = join(embedded.data, 'files/notes', id);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'x.svg'), '<svg><script>alert(1)</script></svg>');
  expect(await failure(client.files.image(id, 'x.svg'))).toMatchObject({ status: 400 });
});

it('pages with an embed token get the images that the results they see contain', async () => {
  const { id, paragraph } = await noteWith('images/embedded', '%md\n![map](map.png)');
  const other = await noteWith('images/other', '%md\n![map](map.png)');
  const { token } = await client.call('createEmbedToken', {
    body: { noteId: id, paragraphId: paragraph, scope: 'results' },
  });
  const page = open(token);
  expect(await page.files.image(id, 'map.png')).toBe(address('image/png', PNG));
  expect(await failure(page.files.image(id, 'plan.svg'))).toMatchObject({ status: 403 });
  expect(await failure(page.files.image(other.id, 'map.png'))).toMatchObject({ status: 403 });
  const note = await client.open(id);
  const first = note.paragraphs.find((each) => each.id !== paragraph)!;
  note.close();
  const elsewhere = await client.call('createEmbedToken', {
    body: { noteId: id, paragraphId: first.id, scope: 'view' },
  });
  expect(await failure(open(elsewhere.token).files.image(id, 'map.png'))).toMatchObject({
    status: 403,
  });
});

it.each(['zpln', 'ipynb'] as const)('an import of %s has the images again', async (format) => {
  const { id } = await noteWith(`images/${format}`, '%md\n![map](map.png) ![p](plan.svg)');
  const file = await client.notes.export(id, { format });
  const again = await client.notes.importNote(file, `images/${format} again`);
  expect(await client.files.image(again, 'map.png')).toBe(address('image/png', PNG));
  expect(await client.files.image(again, 'plan.svg')).toBe(address('image/svg+xml', SVG));
  const { paragraphs } = await client.notes.get(again);
  expect(paragraphs!.map(({ text }) => text)).toContain('%md\n![map](map.png) ![p](plan.svg)');
  expect(JSON.stringify(await client.notes.get(again))).not.toContain(PNG.toString('base64'));
});

it('an imported note keeps valid images only', async () => {
  const note = {
    name: 'images/foreign',
    paragraphs: [{ text: '%md\n![a](a.png)' }],
    images: {
      'a.png': PNG.toString('base64'),
      'b.png': SVG.toString('base64'),
      'c.csv': 'YQ==',
      '../d.png': PNG.toString('base64'),
      'e.png': 5,
    },
  };
  const noteId = await client.notes.importNote(note);
  const files = await client.files.list({ noteId });
  expect(files.map(({ path }) => path)).toEqual([`notes/${noteId}/a.png`]);
});

it('a refused import leaves no files', async () => {
  const note = {
    name: 'images/twice',
    paragraphs: [{ text: '%md\nx' }],
    images: { 'a.png': PNG.toString('base64') },
  };
  await client.notes.importNote(note, 'images/twice');
  const before = await readdir(join(embedded.data, 'files/notes'));
  expect(await failure(client.notes.importNote(note, 'images/twice'))).toBeDefined();
  expect(await readdir(join(embedded.data, 'files/notes'))).toEqual(before);
});

it('HTML has the images, other files have their names, and a copy has its own', async () => {
  const { id } = await noteWith('images/page', '%md\n![map](map.png)');
  const exported = (format: NoteFormat) => client.notes.export(id, { format });
  expect(await renderPage(await exported('zpln'))).toContain(address('image/png', PNG));
  for (const format of ['md', 'py'] as const)
    expect(await exported(format)).toContain('![map](map.png)');
  const copy = await client.notes.clone(id, 'images/copy');
  await client.notes.remove(id);
  expect(await client.files.image(copy, 'map.png')).toBe(address('image/png', PNG));
});
