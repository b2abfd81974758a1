/** Where a letter was, from the first time it was seen on: with `TRACE=1`, for a run of the writers that has lost one. */
import type { Client, Snapshot } from 'tiding/client';

type Shown = Snapshot['state'];

const fields = (state: Shown | undefined): Record<string, string> => ({
  draft: state?.draft ?? '', server: state?.server.text ?? '', theirs: state?.conflict?.theirs ?? '', base: state?.base?.text ?? '',
});

/** The way of each letter through the pages. */
export class LetterTrace {
  readonly #lines = new Map<string, string[]>();
  #count = 0;

  /** Something that was done, to be seen beside the way of a letter. */
  #say(letter: string, line: string): void {
    const lines = this.#lines.get(letter);
    if (lines) lines.push(`${this.#count} ${line}`);
    else this.#lines.set(letter, [`${this.#count} ${line}`]);
  }

  /** Watches what one page shows of a note. */
  watch(name: string, client: Client, noteId: string): void {
    let before: Readonly<Record<string, Shown>> = {};
    client.on('event', (event) => {
      this.#count += 1;
      const now = client.state.open[noteId]?.paragraphs ?? {};
      if (now === before) return;
      for (const id of new Set([...Object.keys(before), ...Object.keys(now)])) {
        const [old, next] = [before[id], now[id]];
        if (old === next) continue;
        const [was, is] = [fields(old), fields(next)];
        const way = `${name} ${event.type} ${id}${next ? next.removed ? ' (removed)' : '' : ' (gone)'}`;
        for (const field of Object.keys(is)) {
          const [from, to] = [new Set(was[field]), new Set(is[field])];
          for (const letter of from) if (!to.has(letter)) this.#say(letter, `${way} -${field}`);
          for (const letter of to) if (!from.has(letter)) this.#say(letter, `${way} +${field}`);
        }
      }
      before = now;
    });
  }

  /** The way of one. */
  of(letter: string): string[] {
    return this.#lines.get(letter) ?? [];
  }
}
