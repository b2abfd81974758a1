/**
 * Every operation and every call, tried through the client's public interface on one server, and what came of it: works,
 * not in this generation, or falls short. A try counts only if what it is about really went over the wire.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createClient,
  isTidingError,
  webSocketTransport,
  type Client,
  type ClientOptions,
  type Transport,
} from 'tiding/client';
import { endpoints, sentOperations } from 'tiding/protocol';
import { INDEX_MS } from '../support/zeppelin.ts';
import { calls } from './probes/calls.ts';
import { unique, type Lab, type Probe } from './probes/lab.ts';
import { operations } from './probes/operations.ts';
import type { Target } from './suite.ts';

const results: Record<string, Record<string, string>> = {};
/** What one try of an operation may take, ms. */
const TRY_MS = 40_000;
const LONG: Readonly<Record<string, number>> = { searchNotes: INDEX_MS + 10_000 };

/** What the client leaves to none but ours, and does otherwise. */
const otherwise: Readonly<Record<string, string>> = {
  RESTORE_ALL: 'not sent: note by note, since folders would take the place of those that are there',
};

/** Registers the probes of one server, and prints their table at the end. */
export function coverage(
  name: string,
  start: () => Promise<[Target, () => Promise<void>]>,
  kind: { ours: boolean; accounts: boolean },
): void {
  describe(`coverage: ${name}`, () => {
    let lab: Lab;
    let stop: () => Promise<void>;
    const sent = new Set<string>();
    const clients: Client[] = [];
    const notes: string[] = [];
    const column: Record<string, string> = (results[name] = {});

    const tapped: Transport = (url, events, options) => {
      const connection = webSocketTransport(url, events, options);
      return {
        ...connection,
        send(text) {
          sent.add((JSON.parse(text) as { op: string }).op);
          connection.send(text);
        },
      };
    };
    const tappedFetch: typeof fetch = (input, init) => {
      const request = new Request(input, init);
      const path = new URL(request.url).pathname.replace(/^\/api/, '');
      for (const [each, { method, path: pattern }] of Object.entries(endpoints)) {
        if (
          method === request.method &&
          new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path)
        )
          sent.add(each);
      }
      return fetch(request);
    };
    const fresh = (options: Partial<ClientOptions> = {}) => {
      const client = createClient({
        server: lab.target.url,
        autosave: 0,
        transport: tapped,
        fetch: tappedFetch,
        ...options,
      });
      clients.push(client);
      return client;
    };

    beforeAll(async () => {
      const [target, end] = await start();
      stop = end;
      lab = {
        target,
        ...kind,
        fresh,
        client: undefined as unknown as Client,
        async newNote(path = unique('note')) {
          const id = await lab.client.notes.create({ path });
          notes.push(id);
          return id;
        },
        async open(text) {
          const note = await lab.client.open(await lab.newNote());
          if (text !== undefined) {
            note.paragraphs[0]!.edit(text);
            await note.commit();
          }
          return note;
        },
      };
      lab.client = fresh();
      await target.signIn(lab.client);
      const warm = await lab.open();
      warm.paragraphs[0]!.edit('%sh\necho warm');
      // The first run of a process that is being started gets lost now and then.
      await warm.paragraphs[0]!.run({ timeout: 60_000 }).then(
        () => {},
        async () => {
          await warm.paragraphs[0]!.cancel({ timeout: 20_000 }).catch(() => {});
          await warm.paragraphs[0]!.run({ timeout: 60_000 });
        },
      );
      warm.close();
    }, 300_000);
    afterAll(async () => {
      for (const each of clients) each.close();
      await stop();
      report();
    }, 60_000);

    const once = (probe: Probe, limit = TRY_MS) =>
      new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('it did not end')), limit);
        probe(lab)
          .then(() => resolve(), reject)
          .finally(() => clearTimeout(timer));
      });
    /** A real Zeppelin now and then leaves runs waiting for ever, until their interpreter is started again. */
    const patiently = (what: string, probe: Probe) =>
      once(probe, LONG[what]).catch(async (error: unknown) => {
        if (kind.ours || !/did not end|PENDING/.test(String(error))) throw error;
        const shell = (await lab.client.interpreters.list()).find(
          (setting) => setting.name === 'sh',
        );
        if (!shell) throw error;
        console.log(
          `${name}: runs were left waiting (${String(error).slice(0, 80)}); the interpreter is started again`,
        );
        await lab.client.interpreters.restart(shell.id);
        await once(probe, LONG[what]);
      });

    const judge = async (what: string, probe: Probe) => {
      sent.clear();
      try {
        await patiently(what, probe);
        column[what] = sent.has(what)
          ? 'works'
          : ((kind.ours ? undefined : otherwise[what]) ?? 'falls short: it was not sent');
      } catch (error) {
        column[what] =
          isTidingError(error, 'unsupported') && error.operation !== undefined && !sent.has(what)
            ? 'not in this generation'
            : `falls short: ${String(error).slice(0, 200)}`;
      }
      expect(column[what]).not.toMatch(/^falls short/);
    };
    for (const [what, probe] of Object.entries({ ...operations, ...calls }))
      it(what, { timeout: 3 * (LONG[what] ?? TRY_MS) }, () => judge(what, probe));
  });
}

/** The table of all servers that were tried in this file, on the terminal and as a file. */
function report(): void {
  const columns = Object.keys(results);
  const rows = [...Object.keys(sentOperations), ...Object.keys(endpoints)].map((what) => [
    what,
    ...columns.map((column) => results[column]![what] ?? 'not tried'),
  ]);
  const text = [
    `| operation or call | ${columns.join(' | ')} |`,
    `|---|${columns.map(() => '---|').join('')}`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
  const folder = join(import.meta.dirname, '../../dist/test-results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `coverage-${columns.length}-${columns[0]!.replace(/\W+/g, '-')}.md`),
    `${text}\n`,
  );
  console.log(text);
}
