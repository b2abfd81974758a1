/**
 * What the code of a kernel shows inside of an Output widget. In Jupyter, each page collects it;
 * here the server does, so that all pages have the same and nothing is lost without a page.
 */
import { jsonObjectOf } from '@tiding/client/model';
import type { JsonObject } from '@tiding/client/protocol';
import { displayIdOf, type JupyterMessage, textOf } from '../jupyter-messages.ts';

/** Maximum length of the outputs of a widget as JSON, in characters. */
const MAX_CAPTURED = 4 * 2 ** 20;

interface Captured {
  /** As in a Jupyter notebook. */
  readonly output: JsonObject;
  readonly displayId: string;
}

export class CapturedOutput {
  #captured: Captured[] = [];
  #size = 0;
  #clearNext = false;
  #isCut = false;

  /** The outputs, as the state of the widget has them. */
  get outputs(): readonly JsonObject[] {
    return this.#captured.map(({ output }) => output);
  }

  replace(outputs: unknown): void {
    this.#empty();
    for (const output of Array.isArray(outputs) ? outputs : [])
      this.#push({ output: jsonObjectOf(output), displayId: '' });
  }

  /** Takes a message. Returns whether the outputs have changed. */
  receive({ type, content }: JupyterMessage): boolean {
    if (type === 'clear_output') {
      this.#clearNext = content['wait'] === true;
      if (!this.#clearNext) this.#empty();
      return !this.#clearNext;
    }
    const captured = capturedOf(type, content);
    if (!captured) return false;
    if (this.#clearNext) this.#empty();
    this.#push(captured);
    return true;
  }

  /** Replaces the output that has this display id. Returns whether there is one. */
  update(content: JsonObject): boolean {
    const displayId = displayIdOf(content);
    const captured = capturedOf('display_data', content)!;
    const isKnown = displayId !== '' && this.#captured.some((each) => each.displayId === displayId);
    if (isKnown)
      this.#captured = this.#captured.map((each) =>
        each.displayId === displayId ? captured : each,
      );
    return isKnown;
  }

  #empty(): void {
    this.#captured = [];
    this.#size = 0;
    this.#clearNext = false;
    this.#isCut = false;
  }

  #push(captured: Captured): void {
    if (this.#isCut) return;
    this.#size += JSON.stringify(captured.output).length;
    if (this.#size > MAX_CAPTURED) {
      this.#isCut = true;
      const text = `Output beyond ${MAX_CAPTURED} characters is not shown.\n`;
      this.#captured.push({ output: streamOf('stderr', text), displayId: '' });
      return;
    }
    const last = this.#captured.at(-1)?.output;
    const { output } = captured;
    if (
      last?.['output_type'] === 'stream' &&
      output['output_type'] === 'stream' &&
      last['name'] === output['name']
    )
      this.#captured[this.#captured.length - 1] = {
        output: { ...last, text: textOf(last['text']) + textOf(output['text']) },
        displayId: '',
      };
    else this.#captured.push(captured);
  }
}

const streamOf = (name: string, text: string): JsonObject => ({
  output_type: 'stream',
  name,
  text,
});

/** Returns the output in a message; undefined if it has none. */
function capturedOf(type: string, content: JsonObject): Captured | undefined {
  const displayId = displayIdOf(content);
  if (type === 'stream')
    return { output: streamOf(textOf(content['name']), textOf(content['text'])), displayId };
  if (type === 'error') {
    const { ename, evalue, traceback } = content;
    return { output: { output_type: 'error', ename, evalue, traceback }, displayId };
  }
  if (type !== 'display_data' && type !== 'execute_result') return undefined;
  const { data, metadata, execution_count: count } = content;
  return {
    output: {
      output_type: type,
      data: jsonObjectOf(data),
      metadata: jsonObjectOf(metadata),
      ...(type === 'execute_result' ? { execution_count: count ?? null } : {}),
    },
    displayId,
  };
}
