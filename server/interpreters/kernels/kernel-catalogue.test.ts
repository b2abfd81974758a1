import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, createClient, isHttpError } from '@tiding/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adminClient, startEmbedded } from '../../../test/support/embedded.ts';
import { PASSWORD } from '../../../test/support/people.ts';
import { serve } from '../../../test/support/serve.ts';
import { temporaryFolder, untilEnd } from '../../../test/support/until-end.ts';
import { Users } from '../../auth/users.ts';

const TOKEN = 'a-token-for-tests';
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

/** A Jupyter server that lists its kernels, for those who have its token. */
const jupyterServer = () =>
  serve((request, response) => {
    const isAllowed = request.headers.authorization === `token ${TOKEN}`;
    response.writeHead(isAllowed ? 200 : 403, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify(
        isAllowed
          ? {
              default: 'python3',
              kernelspecs: {
                python3: {
                  name: 'python3',
                  spec: { argv: ['python'], display_name: 'Python 3', language: 'python' },
                  resources: {},
                },
              },
            }
          : { message: 'Forbidden' },
      ),
    );
  });

describe('the list of kernels', () => {
  let folder: string;
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  let client: Client;
  const install = async (name: string, spec: object): Promise<string> => {
    const place = join(folder, 'kernels', name);
    await mkdir(place, { recursive: true });
    await writeFile(
      join(place, 'kernel.json'),
      JSON.stringify({ argv: ['run', '{connection_file}'], ...spec }),
    );
    return place;
  };
  /** The kernels of the test, without those of this machine. */
  const list = async (from = client) => {
    const { kernels, problems, folders } = await from.interpreters.kernels();
    const isOfTest = ({ place }: { place: string }) =>
      place.startsWith(folder) || place.startsWith('http');
    return { kernels: kernels.filter(isOfTest), problems: problems.filter(isOfTest), folders };
  };
  const start = async (kernels: false | string[]): Promise<void> => {
    embedded = await startEmbedded({ kernels });
    client = await adminClient(embedded.server.url);
  };

  beforeEach(async () => {
    folder = temporaryFolder();
  });
  afterEach(async () => {
    client?.close();
    await embedded?.stop();
  });

  it('has names, languages, magics, places and logos, and what is broken', async () => {
    const place = await install('words-1.0', { display_name: 'Words 1.0', language: 'words' });
    await writeFile(join(place, 'logo-64x64.png'), PNG);
    // Too large.
    await writeFile(join(place, 'logo-svg.svg'), 'x'.repeat(70_000));
    await install('torn', { argv: [] });
    await start([folder]);
    const { kernels, problems, folders } = await list();
    expect(kernels).toEqual([
      {
        name: 'words-1.0',
        displayName: 'Words 1.0',
        language: 'words',
        magics: ['%words-1.0', '%words'],
        place,
        logo: `data:image/png;base64,${PNG.toString('base64')}`,
      },
    ]);
    expect(problems).toEqual([
      {
        place: join(folder, 'kernels/torn'),
        reason: 'argv must be a list of texts that starts with a program.',
      },
    ]);
    expect(folders[0]).toBe(folder);
  });

  it('finds a kernel that was installed since the start, and makes it an interpreter', async () => {
    await start([folder]);
    expect((await list()).kernels).toEqual([]);
    await install('words', { display_name: 'Words', language: 'words' });
    await Promise.all([list(), list()]);
    expect((await list()).kernels.map(({ magics }) => magics)).toEqual([['%words']]);
    const { paragraphs, id } = await client
      .call('createNote', {
        body: { name: 'kernels/new', paragraphs: [{ title: '', text: '%words\nsay hello' }] },
      })
      .then(async (made) => {
        const note = await client.open(made as string);
        await note.ready;
        return { paragraphs: note.paragraphs, id: note.id };
      });
    expect(id).toBeTruthy();
    const end = await paragraphs[0]!.run();
    // The program of the kernel does not exist, which only its own interpreter knows.
    expect(JSON.stringify(end)).toContain('the program run was not found');
    expect((await client.interpreters.list()).map(({ name }) => name)).toContain('words');
  });

  it('leaves out magics of removed settings, and kernels whose folder is gone', async () => {
    const place = await install('words', { display_name: 'Words', language: 'words' });
    await start([folder]);
    await client.interpreters.remove('words');
    expect((await list()).kernels.map(({ magics }) => magics)).toEqual([[]]);
    await rm(place, { recursive: true });
    expect((await list()).kernels).toEqual([]);
  });

  it("lists the kernels of settings' Jupyter servers, and says which don't answer", async () => {
    const url = await jupyterServer();
    await start(false);
    const create = (name: string, token: string) =>
      client.interpreters.create({
        name,
        group: 'jupyter',
        properties: {
          'jupyter.url': { name: 'jupyter.url', value: url, type: 'url' },
          'jupyter.token': { name: 'jupyter.token', value: token, type: 'password' },
        },
      });
    await create('remote', TOKEN);
    await create('refused', 'other');
    const { kernels, problems, folders } = await list();
    expect(folders).toEqual([]);
    expect(kernels).toEqual([
      {
        name: 'python3',
        displayName: 'Python 3',
        language: 'python',
        magics: ['%remote(kernel=python3)'],
        place: url,
        remote: true,
      },
    ]);
    expect(problems).toEqual([
      { place: url, reason: expect.stringContaining('rejects the token (403)') },
    ]);
  });

  it('is for those who may change interpreters', async () => {
    await start([folder]);
    await new Users(embedded.data).set('ann', { password: PASSWORD, roles: ['magpie.Analyst'] });
    const ann = untilEnd(createClient({ server: embedded.server.url }));
    await ann.session.login('ann', PASSWORD);
    const refused = await ann.interpreters.kernels().catch((error: unknown) => error);
    expect(isHttpError(refused) && [401, 403].includes(refused.status)).toBe(true);
  });
});
