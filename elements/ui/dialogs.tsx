import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useOverlayContainer } from '../runtime/hooks.ts';
import { commonTexts } from '../text/common.ts';
import { Button } from './button.tsx';
import { onSubmit as submitting } from './fields/form-events.ts';
import { useReturnFocus } from './return-focus.ts';

interface ConfirmProps {
  title: string;
  text?: string | undefined;
  action: string;
  /** Label of the safe button; `null` if the dialog only informs. */
  cancel?: string | null;
  danger?: boolean | undefined;
  /** Further choices, above the buttons. */
  children?: ReactNode;
  onClose: (confirmed: boolean) => void;
}

interface AlertFrameProps {
  title: string;
  text: string | undefined;
  className: string;
  children: ReactNode;
  /** Without it, only buttons close the dialog. */
  onClose?: () => void;
}

/** Frame of a dialog that asks or tells. A click outside does not close it, but Escape does. */
export function AlertFrame({ title, text, className, children, onClose }: AlertFrameProps) {
  const container = useOverlayContainer();
  const finalFocus = useReturnFocus();
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose?.()}>
      <AlertDialog.Portal container={container}>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup finalFocus={finalFocus} className={className}>
          <AlertDialog.Title className="dialog-title">{title}</AlertDialog.Title>
          {text ? (
            <AlertDialog.Description className="dialog-text">{text}</AlertDialog.Description>
          ) : null}
          {children}
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/**
 * Confirms an action that can't be undone. Escape is the safe choice, and the safe button has the
 * focus.
 */
export function ConfirmDialog({
  title,
  text,
  action,
  cancel = commonTexts.cancel,
  danger,
  children,
  onClose,
}: ConfirmProps) {
  return (
    <AlertFrame title={title} text={text} className="dialog small" onClose={() => onClose(false)}>
      {children}
      <div className="dialog-actions">
        {cancel === null ? null : (
          <Button kind="secondary" onClick={() => onClose(false)} autoFocus>
            {cancel}
          </Button>
        )}
        <Button
          kind={danger ? 'danger' : 'primary'}
          onClick={() => onClose(true)}
          autoFocus={cancel === null}
        >
          {action}
        </Button>
      </div>
    </AlertFrame>
  );
}

/** A confirmation. Without `action` it only informs. */
interface Question {
  readonly title: string;
  readonly text?: string | undefined;
  readonly action?: string;
  readonly danger?: boolean;
}

/**
 * Asks for confirmation. Resolves to false on Escape, when another question replaces it, or when
 * the view is unmounted.
 */
export type ConfirmQuestion = (question: Question) => Promise<boolean>;

/** Shows one confirmation at a time and returns the dialog to render. */
export function useQuestion(): [confirm: ConfirmQuestion, view: ReactNode] {
  const [open, setOpen] = useState<Question>();
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
      action={open.action ?? commonTexts.close}
      {...(open.action === undefined ? { cancel: null } : {})}
    />
  ) : null;
  return [confirm, view];
}

interface ForcedChoiceDialogProps {
  title: string;
  message: string;
  choices: readonly { label: string; onChoose: () => void }[];
}

/**
 * Dialog that only its buttons close, neither Escape nor a click outside. The last button has the
 * focus.
 */
export function ForcedChoiceDialog({ title, message, choices }: ForcedChoiceDialogProps) {
  return (
    <AlertFrame title={title} text={message} className="dialog small">
      <div className="dialog-actions">
        {choices.map(({ label, onChoose }, index) => (
          <Button
            key={label}
            kind={index === choices.length - 1 ? 'primary' : 'secondary'}
            autoFocus={index === choices.length - 1}
            onClick={onChoose}
          >
            {label}
          </Button>
        ))}
      </div>
    </AlertFrame>
  );
}

interface FormDialogProps {
  title: string;
  children: ReactNode;
  action: string;
  cancel?: string | undefined;
  busy?: boolean | undefined;
  disabled?: boolean | undefined;
  size?: 'small' | 'wide';
  /** Whether the submit button has the focus, because Enter is the usual answer. */
  focusesAction?: boolean;
  onSubmit: () => void;
  onClose: () => void;
}

/** Buttons of a form: cancel and submit. */
export function FormActions({
  action,
  cancel = commonTexts.cancel,
  busy,
  disabled,
  focusesAction,
  onClose,
}: Omit<FormDialogProps, 'title' | 'children' | 'size' | 'onSubmit'>) {
  return (
    <div className="dialog-actions">
      <Button kind="secondary" onClick={onClose}>
        {cancel}
      </Button>
      <Button
        kind="primary"
        type="submit"
        busy={busy}
        disabled={disabled}
        autoFocus={focusesAction}
      >
        {action}
      </Button>
    </div>
  );
}

/** The button that closes a dialog whose content takes effect at once, and others after it. */
export function CloseAction({ onClose, children }: { onClose: () => void; children?: ReactNode }) {
  return (
    <div className="dialog-actions">
      <Button kind="secondary" onClick={onClose}>
        {commonTexts.close}
      </Button>
      {children}
    </div>
  );
}

/** Dialog with fields. Enter in a field submits it. */
export function FormDialog({
  title,
  children,
  action,
  cancel,
  busy,
  disabled,
  size,
  focusesAction,
  onSubmit,
  onClose,
}: FormDialogProps) {
  return (
    <ContentDialog title={title} size={size} onClose={onClose}>
      <form className="dialog-form" onSubmit={submitting(() => disabled || busy || onSubmit())}>
        {children}
        <FormActions {...{ action, cancel, busy, disabled, focusesAction, onClose }} />
      </form>
    </ContentDialog>
  );
}

interface ContentDialogProps {
  title: string;
  size?: 'small' | 'wide' | undefined;
  children: ReactNode;
  onClose: () => void;
}

/** Dialog whose content has its own actions. Escape or a click outside closes it. */
export function ContentDialog({ title, size, children, onClose }: ContentDialogProps) {
  const container = useOverlayContainer();
  const finalFocus = useReturnFocus();
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal container={container}>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup finalFocus={finalFocus} className={size ? `dialog ${size}` : 'dialog'}>
          <Dialog.Title className="dialog-title">{title}</Dialog.Title>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
