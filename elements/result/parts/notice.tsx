import { CircleAlert, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '../../ui/button.tsx';

interface NoticeProps {
  kind?: 'info' | 'danger';
  action?: ReactNode;
  children: ReactNode;
}

/** Inline message shown in place of content, with at most one action. */
export function Notice({ kind = 'info', action, children }: NoticeProps) {
  return (
    <div
      className={`result-notice in-row small-text secondary-text ${kind}`}
      role={kind === 'danger' ? 'alert' : 'note'}
    >
      <Icon of={kind === 'danger' ? CircleAlert : Info} size="sm" />
      <p className="grow">{children}</p>
      {action}
    </div>
  );
}
