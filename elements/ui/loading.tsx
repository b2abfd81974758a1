/** What stands where something is not there yet, or could not be had. */
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { text } from '../text/en.ts';
import { Button } from './button.tsx';

const widths = ['38%', '72%', '64%'];

/** On its way. `lines`: as lines of text to come, and after a second in words. */
export function Loading({ lines = false }: { lines?: boolean }) {
  return (
    <div className="element-loading" role="status" aria-busy="true" aria-label={text.loading}>
      {lines
        ? widths.map((width) => <span key={width} className="skeleton" style={{ width }} />)
        : null}
      {lines ? (
        <span className="loading-words" aria-hidden="true">
          {text.loading}
        </span>
      ) : null}
    </div>
  );
}

/** Failed, why, and a button to try again. */
export function Failed({ children, onRetry }: { children: ReactNode; onRetry: () => void }) {
  return (
    <div className="element-message" role="alert">
      {children}
      <Button kind="secondary" icon={RefreshCw} onClick={onRetry}>
        {text.tryAgain}
      </Button>
    </div>
  );
}
