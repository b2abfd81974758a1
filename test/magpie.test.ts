/**
 * `%magpie` over the network: statements of signed-in users, permissions, downloads of exports, and
 * user accounts.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, createClient, outputText, type RunResult } from '@tiding/client';
import { describe, expect, it } from 'vitest';
import { AccessTokenStore } from '../server/auth/tokens.ts';
import { Users } from '../server/auth/users.ts';
import { bodyOf, PASSWORD, twoPeople } from './support/people.ts';
import { type Login, login, onlyFor } from './support/raw.ts';
import { root } from './support/sources.ts';
import { untilEnd } from './support/until-end.ts';

const people = untilEnd(await twoPeople());
const { url, data, admin, bob, call } = people;
const connect = async (name: string): Promise<Client> => {
  const { token } = await new AccessTokenStore(data).create(name);
  return untilEnd(createClient({ server: url, auth: { token: token! } }));
};
let count = 0;
async function run(
  client: Client,
  by: Login,
  text: string,
): Promise<{ result: RunResult; noteId: string }> {
  const noteId = await bodyOf<string>(
    call(by, 'POST', '/notebook', {
      name: `magpie ${(count += 1)}`,
      paragraphs: [{ text: `%magpie\n${text}` }],
    }),
  );
  const note = await client.open(noteId);
  return { result: await note.paragraphs[0]!.run(), noteId };
}
const shown = (result: RunResult): string =>
  result.outputs.map((output) => outputText(output)).join('\n');

describe('%magpie', () => {
  it('enforces permissions, and picks up changes by an administrator', async () => {
    const [ofAdmin, ofBob] = [await connect('admin'), await connect('bob')];
    expect(
      (
        await run(
          ofAdmin,
          admin,
          'create schema {"name": "core"}; create table core.t from sql (select 42 as answer)',
        )
      ).result.status,
    ).toBe('FINISHED');
    const refused = (await run(ofBob, bob, 'select answer from core.t')).result;
    expect([refused.status, shown(refused)]).toEqual([
      'ERROR',
      'MetadataError at line 1, column 20: There is no table core.t, or you may not use it.',
    ]);
    await run(
      ofAdmin,
      admin,
      'create role {"name": "analyst"}; ' +
        'grant read on table core.t to role analyst; grant role analyst to user bob',
    );
    const allowed = (await run(ofBob, bob, 'select answer from core.t')).result;
    expect([allowed.status, shown(allowed).trim()]).toEqual(['FINISHED', 'answer\n42']);
    expect(await readFile(join(data, 'magpie', 'catalogue.json'), 'utf8')).toContain('"analyst"');
  });

  it('runs the documented example, and keeps server files private', async () => {
    const [, example = ''] =
      /```magpie\n([\s\S]*?)```/.exec(
        await readFile(join(root, 'docs/command-language/overview.md'), 'utf8'),
      ) ?? [];
    await mkdir(join(data, 'files/shared'), { recursive: true });
    await writeFile(
      join(data, 'files/shared/airports.csv'),
      'iata,state\nSEA,WA\nPDX,OR\nBOS,MA\n',
    );
    const { result } = await run(
      await connect('admin'),
      admin,
      'drop schema if exists core cascade; drop project if exists flights cascade; ' +
        `grant read on data source files to organization local;\n${example}`,
    );
    expect([result.status, shown(result)]).toEqual([
      'FINISHED',
      expect.stringContaining('"widget":"exported-result"'),
    ]);
    for (const widget of ['data-set-profile', 'relationships', 'job-run'])
      expect(shown(result)).toContain(`"widget":"${widget}"`);
    const reads = () =>
      connect('bob')
        .then((client) =>
          run(
            client,
            bob,
            'create temp table mine from file "airports.csv" {"header": true} in data ' +
              'source files; select iata from mine',
          ),
        )
        .then((made) => made.result);
    expect((await reads()).status).toBe('FINISHED');
    await run(
      await connect('admin'),
      admin,
      'revoke read on data source files from organization local; ' +
        'revoke write on data source files from organization local',
    );
    expect(shown(await reads())).toContain(
      'There is no data source files in repository main, or you may not use it.',
    );
  });

  it('exports a result that users who may read the note can download by its id', async () => {
    const { result, noteId } = await run(
      await connect('admin'),
      admin,
      'select 1 as a, \'x\' as b;\nexport result {"format": "DelimitedText"}',
    );
    const [, resultId = ''] = /"resultId":"([0-9a-f]{24})"/.exec(shown(result)) ?? [];
    const answer = await call(admin, 'GET', `/magpie/result/${resultId}`);
    expect([
      answer.status,
      answer.text,
      answer.headers['content-type'],
      answer.headers['content-disposition'],
    ]).toEqual([
      200,
      'a,b\n1,x\n',
      'text/csv; charset=utf-8',
      expect.stringMatching(/^attachment; filename="magpie_export_\d{8}_\d{6}\.csv"$/),
    ]);
    const head = await call(admin, 'HEAD', `/magpie/result/${resultId}`);
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, '8', '']);
    await call(admin, 'PUT', `/notebook/${noteId}/permissions`, onlyFor('admin'));
    expect((await call(bob, 'GET', `/magpie/result/${resultId}`)).status).toBe(403);
    await call(admin, 'PUT', `/notebook/${noteId}/permissions`, {
      ...onlyFor('admin'),
      readers: ['admin', 'bob'],
    });
    expect((await call(bob, 'GET', `/magpie/result/${resultId}`)).text).toBe('a,b\n1,x\n');
    expect((await call(admin, 'GET', '/magpie/result/000000000000000000000000')).status).toBe(404);
  });

  it('exports Parquet, and the client names the file', async () => {
    const client = await connect('admin');
    const { result } = await run(client, admin, 'export sql (select 1 as a) {"format": "Parquet"}');
    const [, resultId = ''] = /"resultId":"([0-9a-f]{24})"/.exec(shown(result)) ?? [];
    const answer = await call(admin, 'GET', `/magpie/result/${resultId}`);
    expect([answer.status, answer.text.slice(0, 4), answer.headers['content-type']]).toEqual([
      200,
      'PAR1',
      'application/vnd.apache.parquet',
    ]);
    const { name } = await client.results.get(resultId);
    expect(name).toMatch(/^magpie_export.*\.parquet$/);
  });

  it('keeps what a note uses when the cluster restarts', async () => {
    const client = await connect('admin');
    const noteId = await bodyOf<string>(
      call(admin, 'POST', '/notebook', {
        name: 'restart',
        paragraphs: [
          'create project {"name": "trains"}; use project trains; create job {"name": "daily"}',
          'restart cluster local',
          'alter job daily add schedule {"name": "nightly", "expression": "0 0 5 * * ?"}; ' +
            'disable schedule nightly of daily',
        ].map((text) => ({ text: `%magpie\n${text}` })),
      }),
    );
    const note = await client.open(noteId);
    for (const paragraph of note.paragraphs) {
      const result = await paragraph.run();
      expect([result.status, shown(result)]).toEqual(['FINISHED', expect.any(String)]);
    }
  });

  it('creates, disables and drops user accounts', async () => {
    const client = await connect('admin');
    await run(client, admin, 'create user {"userName": "carol@example.org", "firstName": "Carol"}');
    const users = new Users(data);
    await users.set('carol@example.org', { password: PASSWORD });
    const carol = await login(url, 'carol@example.org', PASSWORD);
    expect((await call(carol, 'GET', '/notebook')).status).toBe(200);
    expect((await run(client, admin, 'disable user carol@example.org')).result.status).toBe(
      'FINISHED',
    );
    expect((await call(carol, 'GET', '/notebook')).status).not.toBe(200);
    await expect(login(url, 'carol@example.org', PASSWORD)).rejects.toThrow();
    await run(
      client,
      admin,
      'enable user carol@example.org; grant accesstoken on organization local to user ' +
        'carol@example.org',
    );
    await login(url, 'carol@example.org', PASSWORD);
    await users.refresh();
    expect(users.get('carol@example.org')?.roles).toEqual(['magpie.AccessToken']);
    await run(client, admin, 'drop user carol@example.org');
    await users.refresh();
    expect(users.get('carol@example.org')).toBeUndefined();
  });
});
