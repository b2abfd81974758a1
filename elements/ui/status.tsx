import type { ReactNode } from 'react';
import { statusTexts } from './status-texts.ts';

export const statusLabel = (status: string): string => statusTexts[status] ?? status;

/** Icon inside the disc of a status that has one. */
const signs: Record<string, string> = {
  PENDING: 'M8 4.6V8l2.2 1.5',
  FINISHED: 'm5 8.2 2.1 2.1L11 6.2',
  ABORT: 'M5 8h6',
  ERROR: 'm5.7 5.7 4.6 4.6m0-4.6-4.6 4.6',
};
const rings: Record<string, ReactNode> = {
  READY: <circle className="ring" cx="8" cy="8" r="6" />,
  RUNNING: (
    <>
      <circle className="track" cx="8" cy="8" r="6" />
      <path className="arc" d="M8 2a6 6 0 0 1 6 6" />
    </>
  ),
};

/** Icon of a paragraph status: shape and colour. Show its text beside it or as its title. */
export function StatusGlyph({ status }: { status: string }) {
  return (
    <svg className={`glyph ${status}`} viewBox="0 0 16 16" aria-hidden="true">
      {signs[status] ? (
        <>
          <circle className="disc" cx="8" cy="8" r="7" />
          <path className="mark" d={signs[status]} />
        </>
      ) : (
        (rings[status] ?? rings['READY'])
      )}
    </svg>
  );
}

/**
 * Icon and text of a status. The default text is the protocol's, which the sheet displays in
 * sentence case.
 */
export function Status({ status, more }: { status: string; more?: ReactNode }) {
  return (
    <span className={`status ${status}`}>
      <StatusGlyph status={status} />
      <span className="word">{statusLabel(status)}</span>
      {more ? <span className="more">{more}</span> : null}
    </span>
  );
}
