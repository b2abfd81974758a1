import { type Output, outputText } from '@tiding/client';
import { markupTypes } from '@tiding/client/model';
import { entities } from './parts/entities.ts';
import { PRINTED_ROWS, usePrinting } from './parts/use-printing.ts';

/** Table rows shown as text; about as many as a grid of default height shows. */
const tableRows = 12;
/**
 * Approximate heights in px of a table's toolbar and rows; the real layout corrects the difference.
 */
const barHeight = 36;
const rowHeight = 30;
/** Characters shown of any other output. */
const textLimit = 20_000;

/**
 * Placeholder for an output far from the viewport: plain text, so that the browser's find works,
 * with about the height of the real output.
 */
export function OutputPlaceholder({ output, height }: { output: Output; height: number }) {
  const printing = usePrinting();
  if (output.type === 'TABLE') {
    const lines = firstLines(output, (printing ? PRINTED_ROWS : tableRows) + 1);
    return (
      <pre
        className="result-distant"
        style={
          printing ? undefined : { height: barHeight + Math.min(height, lines.length * rowHeight) }
        }
      >
        {lines.join('\n')}
      </pre>
    );
  }
  if (!markupTypes.has(output.type)) return <div className="result-distant" style={{ height }} />;
  return (
    <pre className="result-distant words">{wordsOf(outputText(output).slice(0, textLimit))}</pre>
  );
}

/** Returns the first lines of an output without joining all its chunks. */
function firstLines({ chunks, count }: Output, wanted: number): string[] {
  let text = '';
  for (let at = 0; at < count; at += 1) {
    text += chunks[at]!.slice(0, textLimit);
    if (text.length >= textLimit || text.split('\n', wanted + 1).length > wanted) break;
  }
  return text.slice(0, textLimit).trimEnd().split('\n', wanted);
}

/** Returns the text of an HTML fragment. */
function wordsOf(html: string): string {
  return html
    .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->/gi, '')
    .replace(/<br\s*\/?>|<\/(?:p|div|li|h[1-6]|tr|pre)>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#(\d+)|(\w+));/g, (all, code: string | undefined, name: string) =>
      code ? String.fromCodePoint(Math.min(Number(code), 0x10ffff)) : (entities[name] ?? all),
    )
    .replace(/\n\s*\n/g, '\n')
    .trim();
}
