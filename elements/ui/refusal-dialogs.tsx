/** Dialogs for what the server has refused. */

import type { Client } from '@tiding/client';
import type { ComponentProps } from 'react';
import { CodeBoundary, lazyCode } from '../runtime/lazy-code.tsx';
import { commonTexts } from '../text/common.ts';
import { refusedTexts } from './refusal-texts.ts';

const OutrightDialog = lazyCode(async () => (await import('./dialogs.tsx')).ForcedChoiceDialog);

/** A dialog that only its buttons close. Its code is loaded on demand. */
export function ForcedChoice(props: ComponentProps<typeof OutrightDialog>) {
  return (
    <CodeBoundary fallback={null}>
      <OutrightDialog {...props} />
    </CodeBoundary>
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
