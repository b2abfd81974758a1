import { stripAnsi } from '@tiding/client/model';
import { ChevronDown, ChevronRight, CircleQuestionMark, Copy, Wrench } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import type { ResultContext } from '../contract.ts';
import { useCopy } from '../parts/use-copy.ts';
import { resultText } from '../texts.ts';
import { readTrace } from './trace.ts';

/**
 * Shows the error of a failed run: a title, up to two lines of detail, and the full trace on
 * demand. The failure itself is announced to screen readers by the note.
 */
export function ErrorBox({
  text,
  onExplain,
  onFix,
}: { text: string } & Pick<ResultContext, 'onExplain' | 'onFix'>) {
  const trace = useMemo(() => readTrace(text), [text]);
  const [open, setOpen] = useState(false);
  const [copyLabel, copy] = useCopy();
  const id = useId();
  const more = trace.lines > trace.detail.length + 1;
  return (
    <div className="error-box">
      <p className="error-title">
        <ErrorGlyph />
        <span>{trace.title}</span>
      </p>
      {!open && trace.detail.length > 0 && (
        <pre className="result-out error-detail">{trace.detail.join('\n')}</pre>
      )}
      {open && (
        <pre id={id} className="result-out error-detail error-full" tabIndex={0}>
          {stripAnsi(text).trimEnd()}
        </pre>
      )}
      <div className="error-actions">
        {more && (
          <Button
            size="sm"
            icon={open ? ChevronDown : ChevronRight}
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            onClick={() => setOpen(!open)}
          >
            {resultText.fullTrace(trace.lines)}
          </Button>
        )}
        <Button size="sm" icon={Copy} onClick={() => copy(stripAnsi(text))}>
          {copyLabel}
        </Button>
        {onExplain && (
          <Button size="sm" icon={CircleQuestionMark} onClick={onExplain}>
            {resultText.explain}
          </Button>
        )}
        {onFix && (
          <Button size="sm" icon={Wrench} onClick={onFix}>
            {resultText.fix}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Icon of the ERROR status. */
export function ErrorGlyph() {
  return (
    <svg className="glyph ERROR" viewBox="0 0 16 16" aria-hidden="true">
      <circle className="disc" cx="8" cy="8" r="7" />
      <path className="mark" d="m5.7 5.7 4.6 4.6m0-4.6-4.6 4.6" />
    </svg>
  );
}
