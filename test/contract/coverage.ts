/**
 * Tries every operation and call through the client's public interface on one server, and records
 * the result: works, not in this generation, or falls short. A try counts only if its messages were
 * really sent.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Client,
  type ClientOptions,
  createClient,
  isTidingError,
  type Transport,
  webSocketTransport,
} from '@tiding/client';
import { endpoints, sentOperations } from '@tiding/client/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INDEX_MS } from '../support/zeppelin.ts';
import { probes } from './probes/index.ts';
import { type Lab, type Probe, unique } from './probes/lab.ts';
import type { Target } from './suite.ts';

const results: Record<string, Record<string, string>> = {};
/** Time limit for one try, in ms. */
const TRY_MS = 40_000;
const LONG: Readonly<Record<string, number>> = { searchNotes: INDEX_MS + 10_000 };

/** Operations that the client sends only to Tiding, with what it does elsewhere. */
const otherwise: Readonly<Record<string, string>> = {
  RESTORE_ALL:
    'not sent: notes are restored one by one, because folders would replace existing ones',
};

/** Registers the probes of one server, and prints their table at the end. */
export function coverage(
  name: string,
  start: () => Promise<[Target, () => Promise<void>]>,
  kind: { isTiding: boolean; accounts: boolean },
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
      // The first run of a starting process occasionally gets lost.
      await warm.paragraphs[0]!.run({ timeout: 60_000 }).then(
        () => {},
        async () => {
          await warm.paragraphs[0]!.cancel({ timeout: 20_000 }).catch(() => {});
          await warm.paragraphs[0]!.run({ timeout: 60_000 });
        },
      );
      warm.close();
    });
    afterAll(async () => {
      for (const each of clients) each.close();
      await stop();
      report();
    });

    const once = (probe: Probe, limit = TRY_MS) =>
      new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('it did not end')), limit);
        probe(lab)
          .then(() => resolve(), reject)
          .finally(() => clearTimeout(timer));
      });
    /**
     * A real Zeppelin occasionally leaves runs pending forever, until their interpreter is
     * restarted.
     */
    const patiently = (what: string, probe: Probe) =>
      once(probe, LONG[what]).catch(async (error: unknown) => {
        if (kind.isTiding || !/did not end|PENDING/.test(String(error))) throw error;
        const shell = (await lab.client.interpreters.list()).find(
          (setting) => setting.name === 'sh',
        );
        if (!shell) throw error;
        console.log(
          `${name}: runs were left pending (${String(error).slice(0, 80)}); ` +
            'the interpreter is restarted',
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
          : ((kind.isTiding ? undefined : otherwise[what]) ?? 'falls short: not sent');
      } catch (error) {
        column[what] =
          isTidingError(error, 'unsupported') && error.operation !== undefined && !sent.has(what)
            ? 'not in this generation'
            : `falls short: ${String(error).slice(0, 200)}`;
      }
      expect(column[what]).not.toMatch(/^falls short/);
    };
    for (const [what, probe] of Object.entries(probes))
      it(what, { timeout: 3 * (LONG[what] ?? TRY_MS) }, () => judge(what, probe));
  });
}

/** Prints the table of all servers tried in this file, and writes it to a file. */
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
