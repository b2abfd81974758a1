/** Dialogs for what the server has refused. */

import type { Client } from '@tiding/client';
import { type ComponentProps, lazy, Suspense } from 'react';
import { commonTexts } from '../text/common.ts';
import { refusedTexts } from './refusal-texts.ts';

const OutrightDialog = lazy(() =>
  import('./dialogs.tsx').then((module) => ({ default: module.ForcedChoiceDialog })),
);

/** A dialog that only its buttons close. Its code is loaded on demand. */
export function ForcedChoice(props: ComponentProps<typeof OutrightDialog>) {
  return (
    <Suspense fallback={null}>
      <OutrightDialog {...props} />
    </Suspense>
  );
}

interface InsufficientProps {
  client: Client | undefined;
  message: string;
  /** Called with each choice. */
  onClose: () => void;
  /** The user chose Login. */
  onLogin: (message: string) => void;
  /** The user chose Cancel: they can't see this content. */
  onCancel: () => void;
}

/**
 * Says that the user lacks a right: Login or Cancel, or only Close for a user without roles, who
 * has no other account to sign in with (specification).
 */
export function InsufficientDialog({
  client,
  message,
  onClose,
  onLogin,
  onCancel,
}: InsufficientProps) {
  const choice = (label: string, act?: () => void) => ({
    label,
    onChoose: () => {
      onClose();
      act?.();
    },
  });
  const isPlain = (client?.session.current?.roles ?? '[]') === '[]';
  return (
    <ForcedChoice
      title={commonTexts.insufficient}
      message={message}
      choices={
        isPlain
          ? [choice(commonTexts.close)]
          : [
              choice(commonTexts.cancel, onCancel),
              choice(refusedTexts.login, () => onLogin(message)),
            ]
      }
    />
  );
}
