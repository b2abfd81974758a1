/**
 * Eight users type in one line at the same time, over slow connections that break or go silent,
 * while pages reload and the server restarts. At the end all pages, the server and a new page have
 * one text, with every character exactly once, and nobody was asked to resolve a conflict. `SEED=…`
 * chooses the first seed, `SEEDS=20` repeats the test with the next ones. `npm run test:long --
 * convergence` makes six times as many edits, at the speed of people who type, with three seeds.
 */
import { rm } from 'node:fs/promises';
import { type Client, createClient } from '@tiding/client';
import { afterEach, describe, expect, it } from 'vitest';
import { ADMIN_PASSWORD, startEmbedded } from './support/embedded.ts';
import { seedOfRun } from './support/seed.ts';
import { World } from './support/writers.ts';

const first = seedOfRun(20261123);
const SEEDS = Array.from({ length: Number(process.env['SEEDS'] ?? 1) }, (_, n) => first + n);
const OPERATIONS = Number(process.env['OPERATIONS'] ?? 300);
/** Maximum delay of a frame in each direction, in ms. */
const LATENCY_MS = 150;
const SAME = '\u4e00';
/** Pause after each action, in ms, so that edits are spread over many patches. */
const STEP_MS = Number(process.env['STEP_MS'] ?? 10);

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

describe.each(SEEDS)('users who type in one line (seed %i)', (seed) => {
  it.each([
    ['2 of them', 2, false],
    ['8 of them', 8, false],
    ['8 of them, who type the same letter', 8, true],
  ])(
    'converge if there are %s',
    {
      timeout: 60_000 + OPERATIONS * (STEP_MS + 100),
      retry: 0,
    },
    async (_name, writers, isSame) => {
      let embedded = await startEmbedded();
      const { data } = embedded;
      const { url } = embedded.server;
      const clients: Client[] = [];
      ends.push(
        () => rm(data, { recursive: true, force: true }),
        () => embedded.server.close(),
        () => clients.forEach((client) => client.close()),
      );
      const connect = async (options: object = {}) => {
        const client = createClient({ server: url, autosave: 300, backoff: () => 20, ...options });
        clients.push(client);
        await client.session.login('admin', ADMIN_PASSWORD);
        return client;
      };
      const client = await connect();
      const noteId = await client.notes.create({ path: 'one line' });
      const setUp = await client.open(noteId);
      setUp.paragraphs[0]!.edit('%md\nline');
      await setUp.paragraphs[0]!.commit();
      setUp.close();
      const world = new World({
        seed,
        writers,
        noteId,
        oneLine: true,
        ...(isSame ? { letter: () => SAME } : {}),
        only: ['type', 'commit', 'cut', 'reload'],
        latency: LATENCY_MS,
        connect: ({ transport, journal }) => connect({ transport: transport(), journal }),
      });
      await world.start();
      let conflicts = 0;
      for (const { client: each } of world.writers) each.on('conflict', () => (conflicts += 1));
      for (let n = 0; n < OPERATIONS; n += 1) {
        world.step();
        await new Promise((resolve) => setTimeout(resolve, STEP_MS));
        if (n === Math.floor(OPERATIONS / 2)) {
          await embedded.server.close();
          embedded = await startEmbedded({ data, port: Number(new URL(url).port) });
        }
      }
      await world.settle();
      const texts = () => world.writers.map(({ note }) => note.paragraphs[0]!.state.server.text);
      await expect.poll(() => new Set(texts()).size).toBe(1);
      const [text = ''] = texts();
      const reload = await (await connect()).open(noteId);
      console.log(
        `seed ${seed}, ${writers} writers: ${world.typedLetters} characters`,
        world.counts,
      );
      const typed = [...text].filter((letter) => letter > '\u4dff');
      const lost = [...world.typed].filter((letter) => !typed.includes(letter));
      if (lost[0]) console.log(world.story(lost[0]).join('\n'));
      expect({
        lost: lost.length,
        count: typed.length,
        conflicts,
        reload: reload.paragraphs[0]!.text === text,
        drafts: world.writers.filter(({ note }) => note.paragraphs[0]!.state.draft !== undefined)
          .length,
      }).toEqual({ lost: 0, count: world.typedLetters, conflicts: 0, reload: true, drafts: 0 });
    },
  );
});
