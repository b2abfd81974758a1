/**
 * Traces where a letter was, from the first time it was seen. Enabled by `TRACE=1`, to debug a run
 * of the writers that lost a letter.
 */
import type { Client, ParagraphSnapshot } from '@tiding/client';

type Shown = ParagraphSnapshot['state'];

const fields = (state: Shown | undefined): Record<string, string> => ({
  draft: state?.draft ?? '',
  server: state?.server.text ?? '',
  theirs: state?.conflict?.theirs ?? '',
  base: state?.base?.text ?? '',
});

/** Records how each letter moves through the pages. */
export class LetterTrace {
  readonly #lines = new Map<string, string[]>();
  /** Frames about the existence of a paragraph, and failures. */
  readonly #frames: string[] = [];
  #count = 0;

  #add(letter: string, line: string): void {
    const lines = this.#lines.get(letter);
    if (lines) lines.push(`${this.#count} ${line}`);
    else this.#lines.set(letter, [`${this.#count} ${line}`]);
  }

  /** Records what one page shows of a note. */
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
          this.#frames.push(
            `${this.#count} ${name} = ${event.type} ${id} ` +
              JSON.stringify({
                ...is,
                was: { draft: was.draft, base: was.base },
                rev: next.server.rev,
                author: next.server.author,
                seq: next.server.authorSeq,
                mine: next.author,
                inFlight: next.inFlight,
              }),
          );
        const suffix = !next ? ' (gone)' : next.removed ? ' (removed)' : '';
        const way = `${name} ${event.type} ${id}${suffix}`;
        for (const field of Object.keys(is)) {
          const [from, to] = [new Set(was[field]), new Set(is[field])];
          for (const letter of from) if (!to.has(letter)) this.#add(letter, `${way} -${field}`);
          for (const letter of to) if (!from.has(letter)) this.#add(letter, `${way} +${field}`);
        }
      }
      before = now;
    });
  }

  /** Records a frame of one page, or a failure there. */
  addFrame(name: string, way: string, text: string): void {
    if (way === '!' || /REMOVE|RESTORE|ADDED|ERROR_INFO|COMMIT_|PATCH_/.test(text.slice(0, 60)))
      this.#frames.push(`${this.#count} ${name} ${way} ${text.slice(0, 400)}`);
  }

  /** The trace of a letter, with the frames about the paragraphs it was in. */
  of(letter: string): string[] {
    const lines = this.#lines.get(letter) ?? [];
    const ids = [...new Set(lines.map((line) => line.split(' ')[3] ?? ''))];
    const frames = this.#frames.filter((line) => ids.some((id) => line.includes(id)));
    return [...lines, ...frames].sort((a, b) => parseInt(a, 10) - parseInt(b, 10));
  }
}
