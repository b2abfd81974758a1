import { outputText, type Output } from 'tiding/client';

/** Rows of a table that stand there as text: as many as a grid of the usual height shows. */
const tableRows = 12;
/** Height of the bar over a table and of one of its rows, px; the browser puts right what differs when it comes near. */
const barHeight = 36;
const rowHeight = 30;
/** Characters of another output that stand there. */
const textLimit = 20_000;

/** An output far from the window: its text, for the browser's find, in about the room that the output itself will take. */
export function DistantOutput({ output, height }: { output: Output; height: number }) {
  if (output.type === 'TABLE') {
    const lines = firstLines(output, tableRows + 1);
    return (
      <pre
        className="result-distant"
        style={{ height: barHeight + Math.min(height, lines.length * rowHeight) }}
      >
        {lines.join('\n')}
      </pre>
    );
  }
  if (output.type !== 'HTML' && output.type !== 'ANGULAR')
    return <div className="result-distant" style={{ height }} />;
  return (
    <pre className="result-distant words">{wordsOf(outputText(output).slice(0, textLimit))}</pre>
  );
}

/** The first lines of an output, without putting the rest of it together. */
function firstLines({ chunks, count }: Output, wanted: number): string[] {
  let text = '';
  for (let at = 0; at < count; at += 1) {
    text += chunks[at]!.slice(0, textLimit);
    if (text.length >= textLimit || text.split('\n', wanted + 1).length > wanted) break;
  }
  return text.slice(0, textLimit).trimEnd().split('\n', wanted);
}

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** The words of markup. */
function wordsOf(html: string): string {
  return html
    .replace(/<(script|style)\b[^]*?<\/\1\s*>|<!--[^]*?-->/gi, '')
    .replace(/<br\s*\/?>|<\/(?:p|div|li|h[1-6]|tr|pre)>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#(\d+)|(\w+));/g, (all, code: string | undefined, name: string) =>
      code ? String.fromCodePoint(Math.min(Number(code), 0x10ffff)) : (entities[name] ?? all),
    )
    .replace(/\n\s*\n/g, '\n')
    .trim();
}
