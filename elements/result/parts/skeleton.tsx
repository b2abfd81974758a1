import { useEffect, useState } from 'react';
import { resultText } from '../texts.ts';

/** Placeholder for a view that is loading; says so after a second. */
export function Skeleton({ height }: { height: number }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 1000);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="result-skeleton" style={{ height }}>
      <div className="result-skeleton-block" aria-hidden="true" />
      <p className="small-text dim" role="status">
        {late ? resultText.loading : ''}
      </p>
    </div>
  );
}

/** Marks a view that is loading and has no placeholder. */
export const Pending = () => <span className="result-pending" hidden />;
