/** Shows the outputs of an interpreter process, which it sends as changes of a list. */
import type { RunOutput } from '../contract.ts';

/** An output. Its type is a display type of Zeppelin: `TEXT`, `HTML`, `TABLE`, … */
export interface ZeppelinMessage {
  readonly type: string;
  readonly data: string;
}

const shownTypes = ['TEXT', 'HTML', 'TABLE', 'IMG', 'SVG', 'NETWORK', 'ANGULAR'] as const;
type ShownType = (typeof shownTypes)[number];

const typeOf = (type: string): ShownType => shownTypes.find((each) => each === type) ?? 'TEXT';

/** The outputs of a paragraph, by their index in the process and as they are shown. */
export class OutputMirror {
  readonly #output: RunOutput;
  #messages: ZeppelinMessage[] = [];
  /** What the output has been given. A message without data is not shown. */
  #shown: ZeppelinMessage[] = [];

  constructor(output: RunOutput) {
    this.#output = output;
  }

  /** Adds text at the end of an output. */
  append(index: number, data: string): void {
    const at = this.#checked(index);
    const before = this.#messages[at] ?? { type: 'TEXT', data: '' };
    const isLast = at === this.#messages.length - 1 && this.#shown.at(-1) === before;
    this.#messages[at] = { type: before.type, data: before.data + data };
    if (!isLast || before.type !== 'TEXT') return this.#show();
    // Comparing all outputs at each append would take quadratic time.
    this.#shown[this.#shown.length - 1] = this.#messages[at];
    this.#output.write(data);
  }

  /** Replaces an output, or adds one. */
  update(index: number, type: string, data: string): void {
    this.#messages[this.#checked(index)] = { type: type === 'NULL' ? type : typeOf(type), data };
    this.#show();
  }

  updateAll(messages: readonly ZeppelinMessage[]): void {
    this.#messages = messages.map(({ type, data }) => ({
      type: type === 'NULL' ? type : typeOf(type),
      data,
    }));
    this.#show();
  }

  /** Outputs are numbered without gaps. A gap would be an error of the interpreter. */
  #checked(index: number): number {
    return Math.max(0, Math.min(index, this.#messages.length));
  }

  #show(): void {
    const wanted = this.#messages.filter(({ type, data }) => type !== 'NULL' && data !== '');
    const shown = this.#shown;
    let same = 0;
    while (same < shown.length && same < wanted.length && isEqual(shown[same], wanted[same]))
      same += 1;
    this.#shown = wanted;
    const last = shown[same];
    const next = wanted[same];
    if (same === shown.length) return this.#add(wanted.slice(same));
    if (last && next && same === shown.length - 1 && last.type === next.type) {
      if (next.type === 'TEXT' && next.data.startsWith(last.data)) {
        this.#output.write(next.data.slice(last.data.length));
        return this.#add(wanted.slice(same + 1));
      }
      if (next.type !== 'TEXT' && next.type !== 'TABLE') {
        this.#output.replace(next.data);
        return this.#add(wanted.slice(same + 1));
      }
    }
    this.#output.clear();
    this.#add(wanted);
  }

  #add(messages: readonly ZeppelinMessage[]): void {
    for (const message of messages) {
      const at = this.#shown.indexOf(message);
      if (message.type !== 'TEXT') this.#output.add(typeOf(message.type), message.data);
      else {
        // An empty output separates this text from text before it. More text can follow it.
        if (this.#shown[at - 1]?.type === 'TEXT') this.#output.add('TEXT', '');
        this.#output.write(message.data);
      }
    }
  }
}

const isEqual = (one: ZeppelinMessage | undefined, other: ZeppelinMessage | undefined): boolean =>
  one === other || (one?.type === other?.type && one?.data === other?.data);
