import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { commonTexts } from '../text/common.ts';
import { Button, Icon } from './button.tsx';

interface Toast {
  id: number;
  kind: 'danger' | 'success' | 'info';
  message: string;
  action?: ToastAction | undefined;
  /** Stays until it is dismissed. */
  stays?: boolean;
}

/** A button in a toast, for example to undo the action. */
export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

const icons = { danger: CircleAlert, success: CircleCheck, info: Info };

/**
 * Toasts: 3 s in a note, 6 s in the corner of a page (specification). Duplicates are shown once.
 */
export function useToasts(
  ms = 6_000,
  place: 'corner' | 'center' = 'corner',
): [
  show: (kind: Toast['kind'], message: string, action?: ToastAction, stays?: boolean) => void,
  view: ReactNode,
  clear: () => void,
] {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const next = useRef(1);
  const held = useRef(false);
  const close = useCallback(
    (id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)),
    [],
  );
  const show = useCallback(
    (kind: Toast['kind'], message: string, action?: ToastAction, stays = false) => {
      // Remove the Undo button of older toasts: it would no longer undo the latest action.
      setToasts((all) => [
        ...all
          .filter((toast) => toast.message !== message)
          .map((toast) => (action ? { ...toast, action: undefined } : toast)),
        { id: next.current++, kind, message, action, stays },
      ]);
    },
    [],
  );
  useEffect(() => {
    const first = toasts.find(({ stays }) => !stays);
    if (!first) return undefined;
    const timer = setInterval(() => held.current || close(first.id), ms);
    return () => clearInterval(timer);
  }, [toasts, ms, close]);
  const view = (
    <div
      className={place === 'center' ? 'toasts center' : 'toasts'}
      role="status"
      onPointerEnter={() => (held.current = true)}
      onPointerLeave={() => (held.current = false)}
      onFocus={() => (held.current = true)}
      onBlur={() => (held.current = false)}
    >
      {toasts.map((toast) => (
        <div key={toast.id} className={`toast ${toast.kind}${toast.stays ? ' stays' : ''}`}>
          <Icon of={icons[toast.kind]} />
          <span className="dialog-text">{toast.message}</span>
          {toast.action ? (
            <Button
              size="sm"
              kind="secondary"
              onClick={() => (close(toast.id), toast.action!.run())}
            >
              {toast.action.label}
            </Button>
          ) : null}
          <Button size="sm" icon={X} label={commonTexts.close} onClick={() => close(toast.id)} />
        </div>
      ))}
    </div>
  );
  const clear = useCallback(() => setToasts((all) => (all.length > 0 ? [] : all)), []);
  return [show, view, clear];
}
