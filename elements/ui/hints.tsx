import type { ReactNode } from 'react';

/** What is going on, as a line of text. */
export const StatusHint = ({
  className = 'hint',
  children,
}: {
  className?: string;
  children: ReactNode;
}) => (
  <p className={className} role="status">
    {children}
  </p>
);

/** What is wrong, as a line of text. */
export const ErrorHint = ({ children }: { children: ReactNode }) => (
  <p className="hint error" role="alert">
    {children}
  </p>
);
