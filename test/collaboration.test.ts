/**
 * Eight users edit one note while connections break and pages reload. In the end all pages show the
 * same, and every letter is in the note, a draft, a visible conflict, or the undo stack of the user
 * who removed it. `SEED=…` chooses a seed, `OPERATIONS=10000` is the long run, `LATENCY=100` delays
 * each frame by up to 100 ms, and `TRACE=1` prints the trace of a lost letter.
 */

import { type Client, createClient, type Journal, type Transport } from '@tiding/client';
import { memoryServer } from '@tiding/client/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { ADMIN_PASSWORD, startEmbedded } from './support/embedded.ts';
import { seedOfRun } from './support/seed.ts';
import { World } from './support/writers.ts';

const seed = seedOfRun(20261122);
const operations = Number(process.env['OPERATIONS'] ?? 400);
const latency = Number(process.env['LATENCY'] ?? 0);
/** Actions between two turns of the event loop: users are not in step with the server. */
const AT_ONCE = Number(process.env['AT_ONCE'] ?? 8);

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Differences between two pages: index and both paragraphs. */
const differences = (page: readonly [string, string][], other: readonly [string, string][]) =>
  Array.from(
    { length: Math.max(page.length, other.length) },
    (_, at) => [at, page[at], other[at]] as const,
  ).filter(([, a, b]) => JSON.stringify(a) !== JSON.stringify(b));

async function work(world: World, count = operations): Promise<void> {
  console.log(`seed of the writers: ${seed}, ${count} operations`);
  await world.start();
  for (let n = 0; n < count; n += 1) {
    world.step();
    if (n % AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve, 12));
  }
  await world.settle();
  const [one, ...others] = world.writers;
  await expect
    .poll(
      () =>
        others.flatMap((writer, n) =>
          differences(World.pageOf(one!), World.pageOf(writer)).map((each) => [n + 1, ...each]),
        ),
      { message: `seed ${seed}` },
    )
    .toEqual([]);
  console.log(
    JSON.stringify({
      ...world.counts,
      letters: world.typed.size,
      conflicts: world.writers
        .flatMap(({ note }) => note.paragraphs)
        .filter(({ state }) => state.conflict).length,
      orphans: world.writers
        .flatMap(({ note }) => note.paragraphs)
        .filter(({ state }) => state.removed).length,
    }),
    world.failures,
  );
  const lost = await world.lost();
  const story = lost[0] === undefined ? '' : world.story(lost[0]).join('\n');
  expect(lost, `seed ${seed}\n${story}`).toEqual([]);
}

/** Starts an embedded server. Returns a function that makes clients for it. */
async function embedded(): Promise<(options?: object) => Promise<Client>> {
  const { server, stop } = await startEmbedded();
  ends.push(stop);
  const clients: Client[] = [];
  ends.push(() => clients.forEach((client) => client.close()));
  return async (options = {}) => {
    const client = createClient({
      server: server.url,
      autosave: 300,
      backoff: () => 20,
      ...options,
    });
    clients.push(client);
    await client.session.login('admin', ADMIN_PASSWORD);
    return client;
  };
}

describe('users who edit together', () => {
  it('lose nothing on the embedded server, and see the same', {
    timeout: 60_000 + operations * 60,
    retry: 0,
  }, async () => {
    const connect = await embedded();
    const first = await connect();
    const noteId = await first.notes.create({ path: 'together' });
    const note = await first.open(noteId);
    for (const text of ['%md\none', '%md\ntwo', '%md\nthree', '%md\nfour', '%md\nfive'])
      await note.insert({ text });
    const world = new World({
      seed,
      writers: 8,
      noteId,
      latency,
      connect: ({ transport, journal }) => connect({ transport: transport(), journal }),
    });
    await work(world);
    // The note as a new client and the disk have it.
    const seen = await (await connect()).open(noteId);
    expect(World.pageOf({ note: seen })).toEqual(World.pageOf(world.writers[0]!));
  });

  it('find nothing twice that they typed once, however long frames are delayed', {
    timeout: 60_000 + operations * 60,
    retry: 0,
  }, async () => {
    const connect = await embedded();
    const noteId = await (await connect()).notes.create({ path: 'once' });
    // In one paragraph that is never moved: a duplicate letter was inserted twice.
    const world = new World({
      seed,
      writers: 5,
      noteId,
      only: ['type', 'commit', 'delete text', 'cut', 'reload'],
      choose: true,
      latency: 120,
      connect: ({ transport, journal }) => connect({ transport: transport(), journal }),
    });
    await world.start();
    for (let n = 0; n < operations / 3; n += 1) {
      world.step();
      if (n % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 12));
      const twice = world.twice();
      if (twice[0] !== undefined)
        console.log(
          world
            .story(
              [...twice[0]].find(
                (letter, at, all) => letter > '\u4dff' && all.indexOf(letter) !== at,
              ) ?? '',
            )
            .join('\n'),
        );
      expect(twice, `seed ${seed}, after ${n} operations`).toEqual([]);
    }
    await world.settle();
    expect(world.twice()).toEqual([]);
    expect(await world.lost()).toEqual([]);
  });

  it('lose nothing on the memory server either', {
    timeout: 60_000 + operations * 60,
    retry: 0,
  }, async () => {
    const memory = memoryServer({
      notes: [
        {
          id: 'together',
          path: 'together',
          paragraphs: ['%md\none', '%md\ntwo', '%md\nthree', '%md\nfour', '%md\nfive'],
        },
      ],
      interpreters: { md: (script, out) => out.text(script) },
    });
    ends.push(() => memory.close());
    const connect = ({
      transport,
      journal,
    }: {
      transport: (inner?: Transport) => Transport;
      journal: Journal;
    }): Promise<Client> => {
      const client = createClient({
        server: memory.server,
        fetch: memory.fetch,
        transport: transport(memory.transport),
        journal,
        autosave: 300,
        backoff: () => 20,
      });
      ends.push(() => client.close());
      return Promise.resolve(client);
    };
    const world = new World({ seed, writers: 4, noteId: 'together', connect });
    await work(world, Math.min(operations, 1_000));
    expect(memory.notes[0]!.paragraphs!.map(({ id, text }) => [id, text])).toEqual(
      World.pageOf(world.writers[0]!),
    );
  });
});
