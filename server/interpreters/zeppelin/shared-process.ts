/** The process that the sessions of a setting share, and the runs that it serves. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonObjectOf } from '@tiding/client/model';
import type { InterpreterHost, Run } from '../contract.ts';
import { endLeftovers } from '../processes/process-group.ts';
import { classPathOf, type ZeppelinGroup } from './catalogue.ts';
import { ZeppelinProcess } from './interpreter-process.ts';
import { commandOf, javaOf, startLimitOf } from './launch.ts';
import { NoteValues } from './note-values.ts';
import type { OutputMirror } from './output-mirror.ts';
import { javaProblem, libraryProblem } from './problems.ts';
import type { eventService } from './service.ts';
import type { ThriftHandlers } from './thrift/calls.ts';

interface ActiveRun {
  readonly run: Run;
  readonly mirror: OutputMirror;
}

const keyOf = (noteId = '', paragraphId = ''): string => `${noteId}\n${paragraphId}`;

/** By the folder of the process. */
const all = new Map<string, SharedProcess>();

/** A process that starts with the first run and ends with the last session. */
export class SharedProcess {
  readonly #host: InterpreterHost;
  readonly #group: ZeppelinGroup;
  readonly #name: string;
  readonly #closing = new AbortController();
  readonly #runs = new Map<string, ActiveRun>();
  #process: ZeppelinProcess | undefined;
  #starting: Promise<ZeppelinProcess> | undefined;
  #sessions = 0;
  /** Forms and shared values. A new process has none of them. */
  values = new NoteValues();

  private constructor(host: InterpreterHost, group: ZeppelinGroup, name: string) {
    this.#host = host;
    this.#group = group;
    this.#name = name;
    endLeftovers(host.folder);
  }

  /** Returns the process for a new session. Each session must release it. */
  static join(host: InterpreterHost, group: ZeppelinGroup, name: string): SharedProcess {
    let found = all.get(host.folder);
    if (!found) all.set(host.folder, (found = new SharedProcess(host, group, name)));
    found.#sessions += 1;
    return found;
  }

  /** The process, if it runs. */
  get running(): ZeppelinProcess | undefined {
    return this.#process?.hasEnded ? undefined : this.#process;
  }

  /** Returns the process; starts it unless it runs. Rejects with a sentence. */
  ready(): Promise<ZeppelinProcess> {
    const { running } = this;
    if (running) return Promise.resolve(running);
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  async #start(): Promise<ZeppelinProcess> {
    const { folder, settingFolder, properties, files } = this.#host;
    const classPath = await classPathOf(this.#group);
    if (!classPath) throw libraryProblem(this.#name, this.#group.folder);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const groupId = `${this.#group.name}-${randomUUID()}`;
    const secret = randomBytes(32).toString('hex');
    const place = { groupId, secret, jars: join(settingFolder, 'jars'), folder };
    try {
      this.values = new NoteValues();
      this.#process = await ZeppelinProcess.start({
        name: this.#name,
        groupId,
        secret,
        command: (port) => commandOf(this.#group, classPath, properties, { ...place, port }),
        cwd: files,
        folder,
        startMs: startLimitOf(properties),
        signal: this.#closing.signal,
        handlers: this.#handlers(),
      });
      return this.#process;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw code === 'ENOENT' || code === 'EACCES'
        ? javaProblem(this.#name, javaOf(properties))
        : error;
    }
  }

  /** Routes the outputs for a run to it. Returns the function that ends this. */
  begin(run: Run, mirror: OutputMirror): () => void {
    const key = keyOf(run.noteId, run.paragraphId);
    this.#runs.set(key, { run, mirror });
    return () => void this.#runs.delete(key);
  }

  #handlers(): ThriftHandlers<typeof eventService> {
    const mirrorOf = (event: { noteId?: string; paragraphId?: string } | undefined) =>
      this.#runs.get(keyOf(event?.noteId, event?.paragraphId))?.mirror;
    /** A run of the note that an event names, or of any note. */
    const runOf = (noteId: unknown): Run | undefined => {
      const runs = [...this.#runs.values()].map(({ run }) => run);
      return runs.find((run) => run.noteId === noteId) ?? (noteId ? undefined : runs[0]);
    };
    const bind = async ({ json = '{}' }: { json?: string | undefined }): Promise<void> => {
      const run = runOf(jsonObjectOf(JSON.parse(json))['noteId']);
      if (run) await this.values.bind(run, json);
    };
    const nothing = (): undefined => undefined;
    return {
      appendOutput: ({ event }) => {
        // Outputs of applications have an id of their own.
        if (!event?.appId) mirrorOf(event)?.append(event?.index ?? 0, event?.data ?? '');
      },
      updateOutput: ({ event }) => {
        if (!event?.appId)
          mirrorOf(event)?.update(event?.index ?? 0, event?.type ?? 'TEXT', event?.data ?? '');
      },
      updateAllOutput: ({ event }) => mirrorOf(event)?.updateAll(messagesOf(event?.msg)),
      addAngularObject: bind,
      updateAngularObject: bind,
      removeAngularObject: async ({ name = '', noteId, paragraphId }) => {
        const run = runOf(noteId);
        if (run) await this.values.unbind(run, name, noteId, paragraphId);
      },
      runParagraphs: async ({ event }) => {
        const { noteId = '', paragraphIds = [], paragraphIndices = [] } = event ?? {};
        const run = runOf(noteId);
        for (const paragraph of [...paragraphIds, ...paragraphIndices])
          await run?.request?.('run', { noteId, paragraph });
      },
      getAllResources: () => [],
      getResource: () => Buffer.alloc(0),
      getParagraphList: () => [],
      getAllLibraryMetadatas: () => [],
      checkpointOutput: nothing,
      sendWebUrl: nothing,
      sendParagraphInfo: nothing,
      updateParagraphConfig: nothing,
      appendAppOutput: nothing,
      updateAppOutput: nothing,
      updateAppStatus: nothing,
    };
  }

  /** Whether other sessions use the process too. */
  get isShared(): boolean {
    return this.#sessions > 1;
  }

  /** Ends a session; with the last one, the process. */
  async release(): Promise<void> {
    this.#sessions -= 1;
    if (this.#sessions > 0) return;
    if (all.get(this.#host.folder) === this) all.delete(this.#host.folder);
    this.#closing.abort();
    await this.#starting?.catch(() => undefined);
    await this.#process?.end();
  }
}

/** Fills in what an output may lack. */
export const messagesOf = (
  given: readonly { type?: string | undefined; data?: string | undefined }[] = [],
): { type: string; data: string }[] =>
  given.map(({ type = 'TEXT', data = '' }) => ({ type, data }));
