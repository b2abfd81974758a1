/** Shows links that set passwords, once. */
import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { PasswordLinkInfo } from '@tiding/client/protocol';
import { Copy } from 'lucide-react';
import { CopyField } from '../result/parts/copy-field.tsx';
import { useCopy } from '../result/parts/use-copy.ts';
import { fill } from '../text/fill.ts';
import { momentText } from '../text/moment-text.ts';
import { Success } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { AlertFrame } from '../ui/dialogs.tsx';
import { Failures, type InvitationFailure } from './people-dialogs.tsx';
import { peopleTexts as t } from './texts.ts';

type ShownLink = PasswordLinkInfo & { link: string };

interface LinkDialogProps {
  links: readonly PasswordLinkInfo[];
  failures?: readonly InvitationFailure[];
  /** Name of the administrator, who can follow their own link. */
  own: string | undefined;
  onClose: () => void;
}

/** The links of one or several users. A click outside does not close the dialog. */
export function LinkDialog({ links, failures = [], own, onClose }: LinkDialogProps) {
  const [label, copyAll] = useCopy(t.copyAll);
  const shown = links.filter((each): each is ShownLink => each.link !== undefined);
  const mailed = links.filter((each) => each.mailed);
  const [first] = shown;
  const isOwn = shown.length === 1 && first?.name === own;
  const values = (of: PasswordLinkInfo) => ({ name: of.name, when: momentText(of.expiresAt) });
  const text = isOwn ? t.ownLinkText : shown.length === 1 ? t.linkText : t.linksText;
  return (
    <AlertFrame
      title={
        isOwn
          ? t.setPassword
          : links.length === 1
            ? fill(t.linkTitle, { name: links[0]!.name })
            : t.linksTitle
      }
      text={undefined}
      className="dialog links-dialog"
      onClose={onClose}
    >
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
              <li key={each.name}>
                {shown.length === 1 ? null : <b>{each.name}</b>}
                <CopyField
                  className="link-value"
                  value={each.link}
                  label={fill(t.link, { name: each.name })}
                  copy={t.copy}
                  copyLabel={fill(t.copyNamed, { name: each.name })}
                  autoFocus={index === 0 && shown.length === 1 && !isOwn}
                />
              </li>
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
            onClick={() => copyAll(shown.map(({ name, link }) => `${name}\t${link}`).join('\n'))}
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
    </AlertFrame>
  );
}
