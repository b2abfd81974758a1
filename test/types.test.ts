/**
 * The types as users of the package see them: what compiles, what does not, and that it matches the
 * behaviour at run time. Lines after `@ts-expect-error` must not compile; the first test compiles
 * this very file.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AnyReceivedEvent,
  type ArrowTable,
  type Client,
  type ClientEvent,
  createClient,
  defaultBackoff,
  type ErrorCode,
  type HttpError,
  isHttpError,
  isTidingError,
  type Journal,
  type JournalEntry,
  type LocalEvents,
  memoryJournal,
  type Note,
  type Rows,
  type Run,
  type RunEvent,
  type RunResult,
  type TidingError,
  type Transport,
} from '@tiding/client';
import type {
  NoteInfo,
  ParagraphStatus,
  ReceivedOp,
  Receives,
  Results,
  SearchResult,
  Sends,
  SentOp,
  Note as WireNote,
} from '@tiding/client/protocol';
import { type MemoryServer, memoryServer } from '@tiding/client/testing';
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import type { LiveHandler, LiveHandlers, RestHandlers } from '../server/areas/context.ts';
import { live, rest } from '../server/areas/index.ts';
import { root } from './support/sources.ts';
import { temporaryFolder } from './support/until-end.ts';

/** A memory server and a client for it. */
function opened(options: { transport?: Transport; journal?: Journal } = {}): {
  memory: MemoryServer;
  client: Client;
} {
  const memory = memoryServer({
    notes: [{ id: 'report', path: 'team/report', paragraphs: ['%sql\nselect ${year=1}'] }],
    interpreters: {
      sql: (_script, out) => {
        out.progress(50);
        out.table(['answer'], [[42]]);
      },
    },
  });
  const { server, transport, fetch } = memory;
  const client = createClient({ server, transport, fetch, ...options });
  onTestFinished(() => {
    client.close();
    memory.close();
  });
  return { memory, client };
}

it('this file compiles, except the lines that must not', async () => {
  const folder = temporaryFolder();
  const config = join(folder, 'tsconfig.json');
  await writeFile(
    config,
    JSON.stringify({
      extends: join(root, 'test/tsconfig.json'),
      compilerOptions: { typeRoots: [join(root, 'node_modules/@types')] },
      include: [],
      files: [
        import.meta.filename,
        ...[
          'elements/css',
          'server/raw',
          'server/interpreters/markdown-it',
          'server/interpreters/databases/postgresql/pg-client',
        ].map((file) => join(root, `${file}.d.ts`)),
      ],
    }),
  );
  const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
  // One checker takes half the processor time of four.
  expect(
    spawnSync(process.execPath, [tsc, '-p', config, '--checkers', '1'], { encoding: 'utf8' }),
  ).toMatchObject({ status: 0, stdout: '' });
  expect(
    readFileSync(import.meta.filename, 'utf8').match(/^ *\/\/ @ts-expect-error/gm)!.length,
  ).toBeGreaterThan(15);
});

describe('events', () => {
  it('narrow by their type, with the payload of the operation', async () => {
    const { client } = opened();
    const percents: number[] = [];
    client.on('event', (event) => {
      expectTypeOf(event).toEqualTypeOf<ClientEvent>();
      if (event.type === 'PROGRESS') percents.push(event.data.progress satisfies number);
      if (event.type === 'NOTE') event.data.note satisfies WireNote | undefined;
      if (event.type === 'connection')
        event.state satisfies 'idle' | 'connecting' | 'open' | 'waiting' | 'closed';
      // @ts-expect-error an unknown type
      if (event.type === 'PROGRES') return;
      // @ts-expect-error a field that only some events have
      void event.data;
      // @ts-expect-error a field of another payload
      if (event.type === 'PROGRESS') void event.data.note;
    });
    const note = await client.open('report');
    await note.run();
    expect(percents).toContain(50);
  });

  it('are passed to a listener of their name with their own payload', () => {
    const { client } = opened();
    client.on('PROGRESS', (event) => {
      expectTypeOf(event.type).toEqualTypeOf<'PROGRESS'>();
      expectTypeOf(event.data).toEqualTypeOf<Receives['PROGRESS']>();
      expectTypeOf(event.data.progress).toEqualTypeOf<number>();
      expectTypeOf(event.noteId).toEqualTypeOf<string | undefined>();
      // @ts-expect-error a payload has only its own fields
      void event.data.paragraph;
    });
    client.on('PARAGRAPH', ({ data }) =>
      expectTypeOf(data.paragraph.status).toEqualTypeOf<ParagraphStatus | undefined>(),
    );
    client.on('conflict', (event) =>
      expectTypeOf(event).toEqualTypeOf<{ type: 'conflict' } & LocalEvents['conflict']>(),
    );
    client.on('unknown-operation', ({ data }) => expectTypeOf(data).toBeUnknown());
    // @ts-expect-error an unknown event
    client.on('PARAGRAPHS', () => {});
    // @ts-expect-error sent operations are not received
    client.on('COMMIT_PARAGRAPH', () => {});
    // @ts-expect-error a listener of another payload
    client.on('PROGRESS', (event: { data: { progress: string } }) => event);
    expectTypeOf(client.on('event', () => {})).toEqualTypeOf<() => void>();
  });

  it('exist for each operation and each local event, none of them any', () => {
    expectTypeOf<AnyReceivedEvent['type']>().toEqualTypeOf<ReceivedOp>();
    expectTypeOf<ClientEvent['type']>().toEqualTypeOf<ReceivedOp | keyof LocalEvents>();
    expectTypeOf<
      { [Op in ReceivedOp]: 0 extends 1 & Receives[Op] ? Op : never }[ReceivedOp]
    >().toBeNever();
    expectTypeOf<{ [Op in SentOp]: 0 extends 1 & Sends[Op] ? Op : never }[SentOp]>().toBeNever();
  });
});

describe('calls', () => {
  it('take and return what the protocol defines for their name', async () => {
    const { client } = opened();
    const note = await client.call('getNote', { params: { noteId: 'report' } });
    expectTypeOf(note).toEqualTypeOf<WireNote>();
    expectTypeOf(await client.call('listNotes')).toEqualTypeOf<NoteInfo[]>();
    expect(note.id).toBe('report');

    const unsent = () =>
      [
        client.call('searchNotes', { query: { q: 'sales' } }),
        client.call('runParagraph', {
          params: { noteId: 'report', paragraphId: '1' },
          timeout: 1_000,
          signal: new AbortController().signal,
        }),
        client.call('createNote', { body: { name: 'a', paragraphs: [{ text: '%md' }] } }),
      ] as const;
    expectTypeOf<Awaited<ReturnType<typeof unsent>[0]>>().toEqualTypeOf<SearchResult[]>();
    expectTypeOf<Awaited<ReturnType<typeof unsent>[1]>>().toEqualTypeOf<Results>();
    expectTypeOf<Awaited<ReturnType<typeof unsent>[2]>>().toEqualTypeOf<string>();

    void (() => [
      // @ts-expect-error an unknown call
      client.call('getNotes'),
      // @ts-expect-error a wrong type for a query field
      client.call('searchNotes', { query: { q: 1 } }),
      // @ts-expect-error a query without a required field
      client.call('searchNotes', { query: {} }),
      // @ts-expect-error a wrong type for a body field
      client.call('insertParagraph', { params: { noteId: 'a' }, body: { title: 1 } }),
      // @ts-expect-error an unknown path parameter
      client.call('getNote', { params: { note: 'a' } }),
      // @ts-expect-error a missing path parameter
      client.call('getParagraph', { params: { noteId: 'a' } }),
      // @ts-expect-error a path parameter is a string or a number
      client.call('getNote', { params: { noteId: { id: 'a' } } }),
      // @ts-expect-error an unknown option
      client.call('listNotes', { retries: 3 }),
    ]);
  });

  it("return the platform's Response for a raw call", () => {
    type Answer = Awaited<ReturnType<typeof raw>>;
    const { client } = opened();
    const raw = () => client.call('getResult', { params: { resultId: 'a' } });
    expectTypeOf<Answer>().toEqualTypeOf<Response>();
    expectTypeOf<Answer['body']>().not.toBeAny();
  });
});

describe('runs', () => {
  it('of a paragraph are awaited for the result and iterated for the events', async () => {
    const { client } = opened();
    const note = await client.open('report');
    const run = note.paragraphs[0]!.run({ params: { year: 2026 }, timeout: 5_000 });
    expectTypeOf(run).toEqualTypeOf<Run<RunResult>>();
    const kinds: RunEvent['type'][] = [];
    for await (const event of run) {
      expectTypeOf(event).toEqualTypeOf<RunEvent>();
      kinds.push(event.type);
      switch (event.type) {
        case 'status':
          event.status satisfies ParagraphStatus;
          break;
        case 'progress':
          event.progress satisfies number;
          break;
        case 'output':
          event.outputType satisfies string;
          break;
        case 'append':
          event.data satisfies string;
          break;
        case 'notice':
          event.message satisfies string;
          break;
        case 'result':
          event.result satisfies RunResult;
          break;
        default:
          event satisfies never;
      }
      // @ts-expect-error only some events have data
      void event.data;
    }
    const result = await run;
    expectTypeOf(result).toEqualTypeOf<RunResult>();
    expectTypeOf(result.status).toEqualTypeOf<'FINISHED' | 'ERROR' | 'ABORT' | 'READY'>();
    expectTypeOf(result.table).returns.resolves.toEqualTypeOf<ArrowTable>();
    const table = await result.table();
    expectTypeOf(note.paragraphs[0]!.rows).returns.resolves.toEqualTypeOf<Rows>();
    expect(table.getChild('answer')?.get(0)).toBe(42);
    expect(kinds).toEqual(expect.arrayContaining(['status', 'result']));
    // @ts-expect-error form values are named
    void (() => note.paragraphs[0]!.run({ params: 1 }));
  });

  it('of a note return the result of each paragraph', async () => {
    const { client } = opened();
    const note: Note = await client.open('report');
    const run = note.run();
    expectTypeOf(run).toEqualTypeOf<Run<RunResult[]>>();
    expectTypeOf(run[Symbol.asyncIterator]()).toExtend<AsyncIterator<RunEvent>>();
    expectTypeOf(run.cancel).toEqualTypeOf<() => void>();
    const results = await run;
    expectTypeOf(results).toEqualTypeOf<RunResult[]>();
    expect(results.map(({ status }) => status)).toEqual(['FINISHED']);
  });
});

describe('errors', () => {
  /** A text for users; the compiler rejects missing codes. */
  const sentence = (code: ErrorCode): string => {
    switch (code) {
      case 'http':
      case 'server':
      case 'forbidden':
      case 'unsupported':
      case 'not-found':
        return 'refused';
      case 'network':
      case 'timeout':
      case 'unknown-outcome':
        return 'not reached';
      case 'aborted':
      case 'closed':
        return 'stopped';
      case 'signed-out':
        return 'sign in';
      case 'conflict':
      case 'too-large':
        return 'not saved';
      case 'too-many-connections':
      case 'busy':
      case 'limit':
        return 'try later';
      case 'protocol':
        return 'not understood';
      default:
        return code satisfies never;
    }
  };

  it('have a closed set of codes, for an exhaustive switch', () => {
    const partial = (code: ErrorCode): string => {
      switch (code) {
        case 'http':
          return 'refused';
        default:
          // @ts-expect-error the other codes are missing
          return code satisfies never;
      }
    };
    expect([sentence('timeout'), partial('http')]).toEqual(['not reached', 'refused']);
    // @ts-expect-error an unknown code
    expect(sentence('gone')).toBe('gone');
  });

  it('are narrowed by their guards', async () => {
    const { client } = opened();
    const error: unknown = await client
      .call('getNote', { params: { noteId: 'none' } })
      .catch((reason: unknown) => reason);
    if (!isHttpError(error, 404)) throw error;
    expectTypeOf(error.status).toEqualTypeOf<number>();
    expectTypeOf(error.body).toBeUnknown();
    const other: unknown = error;
    if (isTidingError(other)) expectTypeOf(other).toEqualTypeOf<TidingError>();
    if (isTidingError(other, 'http')) expectTypeOf(other).toEqualTypeOf<HttpError>();
    if (isTidingError(other, 'timeout')) expectTypeOf(other.code).toEqualTypeOf<'timeout'>();
    expect(sentence(error.code)).toBe('refused');
  });
});

describe('implementations by the host', () => {
  it('of a journal need only exported types', async () => {
    class ListJournal implements Journal {
      readonly entries: JournalEntry[] = [];
      async put(entry: JournalEntry): Promise<void> {
        await this.delete(entry.key);
        this.entries.push(entry);
      }
      async delete(key: string): Promise<void> {
        const at = this.entries.findIndex((each) => each.key === key);
        if (at >= 0) this.entries.splice(at, 1);
      }
      async list(prefix: string): Promise<readonly JournalEntry[]> {
        return this.entries.filter(({ key }) => key.startsWith(prefix));
      }
    }
    const journal = new ListJournal();
    const { client } = opened({ journal });
    const note = await client.open('report');
    note.paragraphs[0]!.edit('%sql\nselect 2');
    await expect.poll(() => journal.entries.map(({ text }) => text)).toEqual(['%sql\nselect 2']);
    await note.paragraphs[0]!.commit();
    await expect.poll(() => journal.entries).toEqual([]);
    expectTypeOf(memoryJournal()).toEqualTypeOf<Journal>();
    // @ts-expect-error a journal without list
    void ({ put: async () => {}, delete: async () => {} } satisfies Journal);
  });

  it('of a transport need only exported types', async () => {
    const memory = memoryServer({ notes: [{ id: 'report', path: 'report' }] });
    const sent: string[] = [];
    const transport: Transport = (url, { onOpen, onMessage, onClose }) => {
      const inner = memory.transport(url, { onOpen, onMessage, onClose });
      return {
        send(text) {
          sent.push((JSON.parse(text) as { op: string }).op);
          inner.send(text);
        },
        close: (code, reason) => inner.close(code, reason),
      };
    };
    const client = createClient({
      server: memory.server,
      fetch: memory.fetch,
      transport,
      backoff: (attempt) => defaultBackoff(attempt),
    });
    onTestFinished(() => client.close());
    await client.open('report');
    expect(sent).toContain('GET_NOTE');
    // @ts-expect-error a connection without close
    void ((() => ({ send: () => {} })) satisfies Transport);
  });
});

describe('the handlers of the server', () => {
  it('exist for each operation and call: a missing one does not compile', () => {
    const { GET_NOTE, ...others } = live;
    // @ts-expect-error GET_NOTE is missing
    void (others satisfies LiveHandlers);
    void ({ ...others, GET_NOTE } satisfies LiveHandlers);
    const { getNote, ...calls } = rest;
    // @ts-expect-error getNote is missing
    void (calls satisfies RestHandlers);
    void ({ ...calls, getNote } satisfies RestHandlers);
    expectTypeOf<keyof LiveHandlers>().toEqualTypeOf<SentOp>();
    const wrong = (request: { data: { progress: number } }) => void request;
    // @ts-expect-error a handler for another payload
    void (wrong satisfies LiveHandler<'GET_NOTE'>);
    expect(Object.keys(others)).not.toContain('GET_NOTE');
  });
});
