/** Hooks that run notes and read results. */
import {
  type ArrowTable,
  isTidingError,
  type NoteName,
  type NoteParams,
  type NoteRow,
  type NoteRunResult,
  type RunByNameOptions,
  type RunResult,
} from '@tiding/client';
import { isRunning as isRunningStatus } from '@tiding/client/model';
import { useEffect, useMemo, useRef, useState } from 'react';
import { asTidingError, useEvent } from '../runtime/hooks.ts';
import { type LoadState, loadState, type RetryableState, useTask } from './load-state.ts';
import { useParagraph } from './note-hooks.ts';
import { takeProvidedClient, useConnectionSettings } from './use-client.ts';

/** Result of {@link useRun}. Its status is `loading` during a run, and `idle` if cancelled. */
export interface UseRunResult<Name extends NoteName = NoteName> extends LoadState {
  /**
   * Runs the note with these form values. A run that is in progress is cancelled first. Never
   * rejects: resolves with the result, or with `undefined` if there is none; see `error`.
   */
  readonly run: (params?: NoteParams<Name>) => Promise<NoteRunResult<NoteRow<Name>> | undefined>;
  /** Cancels the run on the server. */
  readonly cancel: () => void;
  /** Result of the last run. A paragraph that fails is reported here, not as `error`. */
  readonly result: NoteRunResult<NoteRow<Name>> | undefined;
}

/**
 * Runs a note by its id or full path when `run` is called; the note need not be open. Use the
 * option `paragraphs` to run only some of its paragraphs. The run is cancelled at unmount.
 *
 * @example
 * const { run, result, status } = useRun('Reports/Daily sales', { timeout: 600_000 });
 * return (
 *   <button disabled={status === 'loading'} onClick={() => run({ day: '2026-11-21' })}>
 *     {result?.status ?? 'Run'}
 *   </button>
 * );
 */
export function useRun<Name extends NoteName>(
  idOrPath: Name,
  options: Omit<RunByNameOptions, 'signal'> = {},
): UseRunResult<Name> {
  type Result = NoteRunResult<NoteRow<Name>>;
  const settings = useConnectionSettings();
  const [state, setState] = useState<LoadState & { result?: Result }>(
    loadState(undefined, false, false),
  );
  const current = useRef<{ controller: AbortController; ended: Promise<unknown> }>(undefined);
  const cancel = useEvent(() => current.current?.controller.abort());
  useEffect(() => () => cancel(), [cancel]);
  const run = useEvent(async (params?: NoteParams<Name>): Promise<Result | undefined> => {
    cancel();
    const before = current.current;
    const controller = new AbortController();
    const runAfter = async (): Promise<Result> => {
      await before?.ended;
      const [client, release] = takeProvidedClient(settings);
      try {
        return await client.run(idOrPath, params, { ...options, signal: controller.signal });
      } finally {
        release();
      }
    };
    setState((last) => ({ ...last, ...loadState(undefined, false) }));
    const ended = runAfter().then(
      (result): typeof state => ({ result, ...loadState(undefined, true) }),
      (caught: unknown): typeof state =>
        isTidingError(caught, 'aborted')
          ? loadState(undefined, false, false)
          : loadState(asTidingError(caught), false),
    );
    current.current = { controller, ended };
    const outcome = await ended;
    if (current.current.controller === controller) setState(outcome);
    return outcome.result;
  });
  return { run, cancel, result: state.result, status: state.status, error: state.error };
}

/** Result of {@link useResult}. */
export interface UseResultResult extends RetryableState {
  /** Outputs of the paragraph. They change while it is running. */
  readonly result: RunResult | undefined;
  /** Last table of the result, with all rows; the previous one until a run has ended. */
  readonly table: ArrowTable | undefined;
  /** Whether the paragraph is running or waiting to run. */
  readonly isRunning: boolean;
}

/**
 * Reads the result of a paragraph, and keeps it up to date while anybody runs it.
 *
 * @example
 * const { table, isRunning, error } = useResult('2A94M5J1Z', '20261121-070135_35893072');
 * return <p aria-busy={isRunning}>{table?.numRows} rows</p>;
 */
export function useResult(
  noteId: string | undefined,
  paragraphId: string | undefined,
): UseResultResult {
  const { paragraph, state, status, error, retry } = useParagraph(noteId, paragraphId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new state has a new result
  const result = useMemo(() => paragraph?.result, [paragraph, state]);
  const isRunning = isRunningStatus(state?.server.status);
  const outputs = state?.outputs;
  const loaded = useTask(
    paragraph && outputs && !isRunning
      ? async (signal) => ({
          paragraph,
          table: outputs.some(({ type }) => type === 'TABLE')
            ? await paragraph.table({ signal })
            : undefined,
        })
      : undefined,
    [paragraph, outputs],
  );
  const own = loaded.value?.paragraph === paragraph ? loaded.value : undefined;
  return {
    result,
    table: own?.table,
    isRunning,
    ...loadState(
      error ?? loaded.error,
      result !== undefined && (isRunning || own !== undefined),
      status !== 'idle',
    ),
    retry: () => (error ? retry : loaded.retry)(),
  };
}
