import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { Button, Icon } from './button.tsx';
import { text } from '../text/en.ts';

interface Toast {
  id: number;
  kind: 'danger' | 'success' | 'info';
  message: string;
}

const icons = { danger: CircleAlert, success: CircleCheck, info: Info };

/** Short messages that go by themselves: 3 s in a note, 6 s elsewhere (specification); the same text is shown once. */
export function useToasts(ms: number, place: 'corner' | 'center'): [show: (kind: Toast['kind'], message: string) => void, view: ReactNode, clear: () => void] {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const next = useRef(1);
  const held = useRef(false);
  const close = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);
  const show = useCallback((kind: Toast['kind'], message: string) => {
    setToasts((all) => [...all.filter((toast) => toast.message !== message), { id: next.current++, kind, message }]);
  }, []);
  useEffect(() => {
    const first = toasts[0];
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
        <div key={toast.id} className={`toast ${toast.kind}`}>
          <Icon of={icons[toast.kind]} />
          <span className="dialog-text">{toast.message}</span>
          <Button size="sm" icon={X} label={text.close} onClick={() => close(toast.id)} />
        </div>
      ))}
    </div>
  );
  const clear = useCallback(() => setToasts((all) => (all.length > 0 ? [] : all)), []);
  return [show, view, clear];
}
