/** Shows links that set passwords, once. */
import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { PasswordLinkInfo } from '@tiding/client/protocol';
import { Copy } from 'lucide-react';
import { useCopy } from '../result/parts/use-copy.ts';
import { useOverlayContainer } from '../runtime/hooks.ts';
import { fill } from '../text/fill.ts';
import { momentText } from '../text/moment-text.ts';
import { peopleTexts } from '../text/pages/people.ts';
import { Success } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { useReturnFocus } from '../ui/return-focus.ts';
import { Failures, type InvitationFailure } from './people-dialogs.tsx';

const t = peopleTexts;
type ShownLink = PasswordLinkInfo & { link: string };

/** The links of one or several users. A click outside does not close the dialog. */
export function LinkDialog({
  links,
  failures = [],
  own,
  onClose,
}: {
  links: readonly PasswordLinkInfo[];
  failures?: readonly InvitationFailure[];
  /** Name of the administrator, who can follow their own link. */
  own: string | undefined;
  onClose: () => void;
}) {
  const container = useOverlayContainer();
  const finalFocus = useReturnFocus();
  const [label, copyAll] = useCopy(t.copyAll);
  const shown = links.filter((each): each is ShownLink => each.link !== undefined);
  const mailed = links.filter((each) => each.mailed);
  const [first] = shown;
  const isOwn = shown.length === 1 && first?.name === own;
  const values = (of: PasswordLinkInfo) => ({ name: of.name, when: momentText(of.expiresAt) });
  const text = isOwn ? t.ownLinkText : shown.length === 1 ? t.linkText : t.linksText;
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal container={container}>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup finalFocus={finalFocus} className="dialog links-dialog">
          <AlertDialog.Title className="dialog-title">
            {isOwn
              ? t.setPassword
              : links.length === 1
                ? fill(t.linkTitle, { name: links[0]!.name })
                : t.linksTitle}
          </AlertDialog.Title>
          <Failures of={failures} />
          {mailed.length > 0 ? (
            <Success>
              {fill(t.mailed, {
                names: mailed.map(({ name }) => name).join(', '),
                when: momentText(mailed[0]!.expiresAt),
              })}
            </Success>
          ) : null}
          {first ? (
            <>
              <AlertDialog.Description className="dialog-text">
                {fill(text, values(first))}
              </AlertDialog.Description>
              <ul className="links">
                {shown.map((each, index) => (
                  <LinkRow
                    key={each.name}
                    of={each}
                    alone={shown.length === 1}
                    autoFocus={index === 0 && shown.length === 1 && !isOwn}
                  />
                ))}
              </ul>
            </>
          ) : null}
          <div className="dialog-actions">
            {shown.length > 1 ? (
              <Button
                kind="secondary"
                icon={Copy}
                autoFocus
                onClick={() =>
                  copyAll(shown.map(({ name, link }) => `${name}\t${link}`).join('\n'))
                }
              >
                <span aria-live="polite">{label}</span>
              </Button>
            ) : null}
            <Button kind={isOwn ? 'secondary' : 'primary'} onClick={onClose}>
              {t.done}
            </Button>
            {isOwn && first ? (
              <Button kind="primary" autoFocus onClick={() => location.assign(first.link)}>
                {t.openLink}
              </Button>
            ) : null}
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

function LinkRow({
  of: { link, name },
  alone,
  autoFocus,
}: {
  of: ShownLink;
  alone: boolean;
  autoFocus: boolean;
}) {
  const [label, copy] = useCopy(t.copy);
  return (
    <li>
      {alone ? null : <b>{name}</b>}
      <div className="link-value">
        <span className="input">
          <input
            readOnly
            value={link}
            aria-label={fill(t.link, { name })}
            dir="ltr"
            spellCheck={false}
            autoComplete="off"
            onFocus={({ target }) => target.select()}
          />
        </span>
        <Button
          kind="secondary"
          icon={Copy}
          label={fill(t.copyNamed, { name })}
          autoFocus={autoFocus}
          onClick={() => copy(link)}
        >
          <span aria-live="polite">{label}</span>
        </Button>
      </div>
    </li>
  );
}
