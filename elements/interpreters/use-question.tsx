import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { commonTexts } from '../text/common.ts';
import { ConfirmDialog } from '../ui/dialogs.tsx';

/** A confirmation. Without `action` it only informs. */
interface SettingQuestion {
  readonly title: string;
  readonly text?: string | undefined;
  readonly action?: string;
  readonly danger?: boolean;
}

/**
 * Asks for confirmation. Resolves to false on Escape, when another question replaces it, or when
 * the view is unmounted.
 */
export type ConfirmQuestion = (question: SettingQuestion) => Promise<boolean>;

/** Shows one confirmation at a time and returns the dialog to render. */
export function useQuestion(): [confirm: ConfirmQuestion, view: ReactNode] {
  const [open, setOpen] = useState<SettingQuestion>();
  const answer = useRef<(confirmed: boolean) => void>(undefined);
  const close = useCallback((confirmed: boolean) => {
    const resolve = answer.current;
    answer.current = undefined;
    setOpen(undefined);
    resolve?.(confirmed);
  }, []);
  const confirm = useCallback<ConfirmQuestion>((question) => {
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
        ? { action: commonTexts.close, cancel: null }
        : { action: open.action, cancel: commonTexts.cancel })}
    />
  ) : null;
  return [confirm, view];
}
