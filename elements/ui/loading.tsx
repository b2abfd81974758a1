/** Placeholders for content that is loading or failed to load. */
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { commonTexts } from '../text/common.ts';
import { Button } from './button.tsx';

const widths = ['38%', '72%', '64%'];

/** Loading placeholder. With `lines`, shows skeleton lines and, after a second, a text. */
export function Loading({ lines = false }: { lines?: boolean }) {
  return (
    <div
      className="element-loading"
      role="status"
      aria-busy="true"
      aria-label={commonTexts.loading}
    >
      {lines
        ? widths.map((width) => <span key={width} className="skeleton" style={{ width }} />)
        : null}
      {lines ? (
        <span className="loading-words" aria-hidden="true">
          {commonTexts.loading}
        </span>
      ) : null}
    </div>
  );
}

/** Error message with a retry button. */
export function LoadFailed({ children, onRetry }: { children: ReactNode; onRetry: () => void }) {
  return (
    <div className="element-message" role="alert">
      {children}
      <Button kind="secondary" icon={RefreshCw} onClick={onRetry}>
        {commonTexts.tryAgain}
      </Button>
    </div>
  );
}
