/** Ruff, which marks mistakes in Python code and formats it. It is installed on first use. */

import { dirname, join } from 'node:path';
import { jsonObjectOf, splitMagic } from '@tiding/client/model';
import type { CodeDiagnostic } from '@tiding/client/protocol';
import { Slots } from '../../../base/slots.ts';
import type { Logger } from '../../../logging/log.ts';
import { textOf } from '../../kernels/jupyter-messages.ts';
import { pipeThrough } from '../../processes/pipe-through.ts';
import { type PythonPackages, preparePackages, readyPackages } from '../environment.ts';
import { maskForCheck, maskForFormat } from './source.ts';

const NAME = 'ruff';
const packages: PythonPackages = {
  requirements: ['ruff>=0.6,<1'],
  check: 'import ruff',
  title: 'Installing ruff',
  usesUv: false,
};
/** Longer code is not checked, in characters. */
const MAX_CODE = 200_000;
const MAX_DIAGNOSTICS = 200;
/** Processes at the same time. */
const MAX_PROCESSES = 2;
/** Pause after an installation that failed, in ms. */
const RETRY_MS = 600_000;

/**
 * Mistakes, not style. A note is one program: names and imports come from other paragraphs and are
 * used in others (F821, F401, F811, E402), and `await` may stand alone (F704, F706).
 */
const rules = ['--select=E722,E9,F', '--ignore=E402,F401,F403,F404,F405,F704,F706,F811,F821,F822'];
const source = ['--isolated', '--no-cache', '--stdin-filename=paragraph.py'];

/** Checks and formats code with ruff. */
export class Ruff {
  readonly #log: Logger;
  readonly #closing = new AbortController();
  #installing: Promise<void> | undefined;
  #retryAt = 0;
  readonly #slots = new Slots(MAX_PROCESSES);

  constructor(log: Logger) {
    this.#log = log;
  }

  /**
   * Returns the program, or undefined if it is not ready yet. Then it is being installed.
   * @param configured path of an installed ruff; empty: the one that the server installs
   */
  async program(configured: string): Promise<string | undefined> {
    if (configured !== '') return configured;
    const python = await readyPackages(NAME, packages).catch(() => undefined);
    if (python !== undefined) return join(dirname(python), 'ruff');
    if (Date.now() >= this.#retryAt)
      this.#installing ??= this.#install().finally(() => (this.#installing = undefined));
    return undefined;
  }

  /** Resolves when a running installation has ended. */
  async installed(): Promise<void> {
    await this.#installing;
  }

  async #install(): Promise<void> {
    const { signal } = this.#closing;
    try {
      await preparePackages(NAME, packages, { signal });
    } catch (error) {
      this.#retryAt = Date.now() + RETRY_MS;
      if (!signal.aborted)
        this.#log.warn({ reason: (error as Error).message }, 'ruff could not be installed');
    }
  }

  /** Returns the mistakes in a paragraph's text. Positions are those of the text. */
  async check(program: string, text: string): Promise<CodeDiagnostic[]> {
    const { script, scriptOffset } = splitMagic(text);
    const code = script.length > MAX_CODE ? undefined : maskForCheck(script);
    if (code === undefined || code === '') return [];
    const stdout = await this.#run(
      program,
      ['check', ...source, ...rules, '--output-format=json', '--exit-zero', '-'],
      code,
    );
    return diagnosticsIn(stdout, text.slice(0, scriptOffset));
  }

  /**
   * Returns a paragraph's text with formatted code. Rejects with a sentence if the code has a
   * syntax error.
   */
  async format(program: string, text: string): Promise<string> {
    const { script, scriptOffset } = splitMagic(text);
    const masked = script.length > MAX_CODE ? undefined : maskForFormat(script);
    if (!masked) return text;
    const stdout = await this.#run(program, ['format', ...source, '-'], masked.script);
    const formatted = masked.restore(stdout.trimEnd());
    return formatted === undefined ? text : `${text.slice(0, scriptOffset)}${formatted}`;
  }

  /** Returns what ruff prints. */
  #run(program: string, args: readonly string[], input: string): Promise<string> {
    return this.#slots.use(undefined, async () => {
      try {
        return await pipeThrough(program, args, input, this.#closing.signal);
      } catch (error) {
        const { code, stderr } = error as { code?: unknown; stderr: string };
        throw new Error(
          code === 'ENOENT' || code === 'EACCES'
            ? `There is no ruff at ${program}. Check python.ruff of the setting python.`
            : reasonIn(stderr),
        );
      }
    });
  }

  /** Ends an installation and all calls. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#installing;
  }
}

/** `error: Failed to parse paragraph.py:1:5: Expected …` → the sentence. */
function reasonIn(stderr: string): string {
  const line = stderr.trim().split('\n')[0] ?? '';
  const reason = /paragraph\.py:\d+:\d+: (.*)$/.exec(line)?.[1] ?? line.replace(/^error: /, '');
  return `The code can't be formatted: ${reason || 'ruff failed'}.`.replace(/\.\.$/, '.');
}

/** @param head the text in front of the code */
export function diagnosticsIn(json: string, head: string): CodeDiagnostic[] {
  const found: unknown = JSON.parse(json);
  const lines = head.split('\n');
  const before = lines.length - 1;
  const indent = lines[before]!.length;
  const position = (value: unknown) => {
    const { row, column } = jsonObjectOf(value);
    const line = Number(row);
    return { line: line + before, column: Number(column) + (line === 1 ? indent : 0) };
  };
  return (Array.isArray(found) ? found : []).slice(0, MAX_DIAGNOSTICS).map((each) => {
    const { code, message, location, end_location: end } = jsonObjectOf(each);
    const [from, to] = [position(location), position(end)];
    const rule = textOf(code);
    return {
      ...from,
      endLine: to.line,
      endColumn: to.column,
      message: textOf(message),
      // Older versions give syntax errors no code, newer ones a name.
      ...(/^[A-Z]+\d+$/.test(rule) ? { code: rule } : {}),
    };
  });
}
