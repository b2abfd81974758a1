import type { ReactNode } from 'react';

interface RowProgressProps {
  /** Accessible name of the progress bar. */
  label: string;
  /** Number of rows so far. Without `total`, the bar shows no share. */
  done?: number | undefined;
  total?: number | undefined;
  children: ReactNode;
}

/** A progress bar with a text above a table whose rows are being read or stored. */
export function RowProgress({ label, done, total, children }: RowProgressProps) {
  return (
    <div className="table-arriving in-row small-text secondary-text">
      <progress aria-label={label} max={total} value={total === undefined ? undefined : done} />
      <span>{children}</span>
    </div>
  );
}
