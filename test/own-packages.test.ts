/** The packages that a server offers, installed into empty folders with an empty home. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { list } from 'tar';
import { expect, it } from 'vitest';
import { startEmbedded } from './support/embedded.ts';
import { temporaryFolder, untilEnd } from './support/until-end.ts';

const run = promisify(execFile);

const work = temporaryFolder();
const { server } = untilEnd(await startEmbedded());

const fetched = (file: string) => fetch(`${server.url}/packages/${file}`);
const integrityOf = (data: Buffer) =>
  `sha512-${createHash('sha512').update(data).digest('base64')}`;

it('create-tiding runs offline, and its project takes packages from the server', async () => {
  const home = await mkdtemp(join(work, 'home-'));
  // No registry can be reached.
  const env = { PATH: process.env['PATH'], HOME: home, npm_config_registry: 'http://127.0.0.1:9' };
  const address = `${server.url}/packages/create-tiding.tgz`;
  await run(
    'npm',
    ['exec', '--yes', '--package', address, '--', 'create-tiding', 'my-app', '-t', 'report'],
    { cwd: home, env },
  );
  const manifest = JSON.parse(await readFile(join(home, 'my-app/package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  expect(manifest.dependencies['@tiding/client']).toMatch(
    new RegExp(`^${server.url}/packages/tiding-client-\\d+\\.\\d+\\.\\d+\\.tgz$`),
  );
  expect(await readFile(join(home, 'my-app/.env'), 'utf8')).toContain(server.url);
}, 60_000);

it('archives name the address they were asked for at, and have the same files', async () => {
  const { port } = new URL(server.url);
  const contents = await Promise.all(
    [`localhost:${port}`, 'localhost:81', '127.0.0.1:82'].map(async (host) => {
      const asked = get(`${server.url}/packages/create-tiding.tgz`, { headers: { Host: host } });
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      const bytes = await buffer(answer);
      expect(answer.headers['etag']).toBe(`"${integrityOf(bytes)}"`);
      expect(answer.headers['content-length']).toBe(String(bytes.length));
      const file = join(work, `${host.replace(/\W/g, '-')}.tgz`);
      await writeFile(file, bytes);
      const read: Promise<[string, string]>[] = [];
      await list({
        file,
        strict: true,
        onReadEntry: (entry) =>
          void read.push(entry.concat().then((data) => [entry.path, data.toString()])),
      });
      const files: Record<string, string> = Object.fromEntries(await Promise.all(read));
      const { 'package/package.json': manifest = '', ...rest } = files;
      expect((JSON.parse(manifest) as { packages: string }).packages).toBe(
        `http://${host}/packages`,
      );
      return rest;
    }),
  );
  expect(Object.keys(contents[0]!)).toContain('package/main.mjs');
  expect(contents[1]).toEqual(contents[0]);
  expect(contents[2]).toEqual(contents[0]);
});

it('the wheel is complete and has the hashes that it names', async () => {
  const page = await (await fetched('')).text();
  const [, name = ''] = /href="([^"]+\.whl)"/.exec(page) ?? [];
  const data = Buffer.from(await (await fetched(name)).arrayBuffer());
  expect(page).toContain(integrityOf(data));
  const file = join(work, name);
  await writeFile(file, data);
  const check = `
import base64, hashlib, sys, zipfile
from importlib.metadata import distribution
sys.path.insert(0, ${JSON.stringify(file)})
found = distribution('tiding-client')
archive = zipfile.ZipFile(${JSON.stringify(file)})
assert archive.testzip() is None
for each in found.files:
    if each.hash:
        digest = hashlib.sha256(archive.read(str(each))).digest()
        assert base64.urlsafe_b64encode(digest).rstrip(b'=').decode() == each.hash.value, each
print(found.version, *found.requires, *[str(each) for each in found.files])
`;
  const { stdout } = await run('python3', ['-c', check]);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+ httpx.*tiding_client\/__init__\.py/);
});

it.each([
  'tiding-client-0.0.1.tgz',
  'constructor.tgz',
  '..%2fpackage.json',
  'tiding_client-0.0.1-py3-none-any.whl',
])('there is no package %s, and the answer names the version of the server', async (file) => {
  const answer = await fetched(file);
  expect(answer.status).toBe(404);
  expect(await answer.text()).toMatch(/those of version \d+\.\d+\.\d+/);
});
