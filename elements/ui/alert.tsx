import { CircleAlert, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from './button.tsx';

/** Error message. */
export function Alert({ children }: { children: ReactNode }) {
  return (
    <div className="alert" role="alert">
      <Icon of={CircleAlert} />
      <span>{children}</span>
    </div>
  );
}

/** Success message. */
export function Success({ children }: { children: ReactNode }) {
  return (
    <div className="alert good" role="status">
      <Icon of={CircleCheck} />
      <span>{children}</span>
    </div>
  );
}
