/** Where a letter was, from the first time it was seen on: with `TRACE=1`, for a run of the writers that has lost one. */
import type { Client, Snapshot } from 'tiding/client';

type Shown = Snapshot['state'];

const fields = (state: Shown | undefined): Record<string, string> => ({
  draft: state?.draft ?? '',
  server: state?.server.text ?? '',
  theirs: state?.conflict?.theirs ?? '',
  base: state?.base?.text ?? '',
});

/** The way of each letter through the pages. */
export class LetterTrace {
  readonly #lines = new Map<string, string[]>();
  /** What was said on the wire about whether a paragraph is there, and what failed. */
  readonly #said: string[] = [];
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
        if (next && JSON.stringify(was) !== JSON.stringify(is))
          this.#said.push(
            `${this.#count} ${name} = ${event.type} ${id} ${JSON.stringify({ ...is, was: { draft: was.draft, base: was.base }, rev: next.server.rev, author: next.server.author, seq: next.server.authorSeq, mine: next.author, inFlight: next.inFlight })}`,
          );
        const way = `${name} ${event.type} ${id}${next ? (next.removed ? ' (removed)' : '') : ' (gone)'}`;
        for (const field of Object.keys(is)) {
          const [from, to] = [new Set(was[field]), new Set(is[field])];
          for (const letter of from) if (!to.has(letter)) this.#say(letter, `${way} -${field}`);
          for (const letter of to) if (!from.has(letter)) this.#say(letter, `${way} +${field}`);
        }
      }
      before = now;
    });
  }

  /** A frame of one page, or what failed there. */
  hear(name: string, way: string, text: string): void {
    if (way === '!' || /REMOVE|RESTORE|ADDED|ERROR_INFO|COMMIT_|PATCH_/.test(text.slice(0, 60)))
      this.#said.push(`${this.#count} ${name} ${way} ${text.slice(0, 400)}`);
  }

  /** The way of one, and of the paragraphs where it was. */
  of(letter: string): string[] {
    const lines = this.#lines.get(letter) ?? [];
    const ids = [...new Set(lines.map((line) => line.split(' ')[3] ?? ''))];
    const said = this.#said.filter((line) => ids.some((id) => line.includes(id)));
    return [...lines, ...said].sort((a, b) => parseInt(a, 10) - parseInt(b, 10));
  }
}
