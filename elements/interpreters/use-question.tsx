import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { text } from '../text/en.ts';
import { ConfirmDialog } from '../ui/dialogs.tsx';

/** What is asked. Without `action` it is only told. */
export interface Question {
  readonly title: string;
  readonly text?: string | undefined;
  readonly action?: string;
  readonly danger?: boolean;
}

/** Asks a question and resolves to the answer: false for Escape, for another question in its place, and where the view is taken away. */
export type Ask = (question: Question) => Promise<boolean>;

/** One question at a time, and where it is drawn. */
export function useQuestion(): [ask: Ask, view: ReactNode] {
  const [open, setOpen] = useState<Question>();
  const answer = useRef<(confirmed: boolean) => void>(undefined);
  const close = useCallback((confirmed: boolean) => {
    const tell = answer.current;
    answer.current = undefined;
    setOpen(undefined);
    tell?.(confirmed);
  }, []);
  const ask = useCallback<Ask>((question) => {
    answer.current?.(false);
    setOpen(question);
    return new Promise((resolve) => (answer.current = resolve));
  }, []);
  useEffect(() => () => answer.current?.(false), []);
  const view = open ? (
    <ConfirmDialog
      title={open.title}
      text={open.text}
      danger={open.danger}
      onClose={close}
      {...(open.action === undefined
        ? { action: text.close, cancel: null }
        : { action: open.action, cancel: text.cancel })}
    />
  ) : null;
  return [ask, view];
}
