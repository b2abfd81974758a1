import type { AnsiSegment } from '@tiding/client/model';
import { type CSSProperties, memo, type ReactNode } from 'react';
import { formatInteger } from '../parts/numbers.ts';
import { resultText } from '../texts.ts';
import { splitAtLinks } from './links.ts';
import type { TextLineBlock } from './text-log.ts';

/** Characters rendered per line; browsers take too long to lay out lines of several megabytes. */
const lineLimit = 10_000;

/** A block of lines as one layout unit. Without colours or links it is a single text node. */
export const TextBlock = memo(function TextBlock({ block }: { block: TextLineBlock }) {
  const parts: ReactNode[] = [];
  let plain = '';
  const flush = (): void => {
    if (plain !== '') parts.push(plain);
    plain = '';
  };
  for (const line of block.lines) {
    let room = lineLimit;
    for (const segment of line) {
      const text = segment.text.length > room ? segment.text.slice(0, room) : segment.text;
      room -= text.length;
      const className = classOf(segment);
      const style = styleOf(segment);
      const pieces = splitAtLinks(text);
      if (className === '' && !style && !pieces) plain += text;
      else {
        flush();
        const content =
          pieces?.map(({ text: shown, href }, at) =>
            href === undefined ? (
              shown
            ) : (
              <a key={at} href={href} target="_blank" rel="noopener noreferrer nofollow">
                {shown}
              </a>
            ),
          ) ?? text;
        parts.push(
          <span key={parts.length} className={className || undefined} style={style}>
            {content}
          </span>,
        );
      }
      if (room === 0) break;
    }
    const rest =
      room === 0 ? line.reduce((sum, segment) => sum + segment.text.length, 0) - lineLimit : 0;
    if (rest > 0) {
      flush();
      parts.push(
        <span key={parts.length} className="dim">
          {resultText.text.longLine(formatInteger(rest))}
        </span>,
      );
    }
    plain += '\n';
  }
  flush();
  return <div>{parts}</div>;
});

/** Bright colours look as the others do, except grey. */
const dull = (color: number): number => (color === 15 ? 0 : color > 8 ? color - 8 : color);

/** Returns the classes of a segment's style; the style sheet maps ANSI colours to theme tokens. */
function classOf({
  fg,
  bg,
  bold,
  dim,
  italic,
  underline,
  inverse,
}: Omit<AnsiSegment, 'text'>): string {
  const [front, back] = inverse ? [bg, fg] : [fg, bg];
  return [
    inverse && 'ansi-inverse',
    typeof front === 'number' && `ansi-fg-${dull(front)}`,
    typeof back === 'number' && `ansi-bg-${dull(back)}`,
    bold && 'ansi-bold',
    dim && 'ansi-dim',
    italic && 'ansi-italic',
    underline && 'ansi-underline',
  ]
    .filter(Boolean)
    .join(' ');
}

function styleOf({ fg, bg, inverse }: AnsiSegment): CSSProperties | undefined {
  const [front, back] = inverse ? [bg, fg] : [fg, bg];
  if (typeof front !== 'string' && typeof back !== 'string') return undefined;
  return {
    ...(typeof front === 'string' && { color: front }),
    ...(typeof back === 'string' && { backgroundColor: back }),
  };
}
