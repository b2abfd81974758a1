import type { HeliumEntry } from '@tiding/client/protocol';
import { commonTexts } from '../text/common.ts';
import { fill } from '../text/fill.ts';
import { Button } from '../ui/button.tsx';
import { ContentDialog, FormDialog } from '../ui/dialogs.tsx';
import { mavenOf } from './catalogue.ts';
import { Markup } from './markup.tsx';
import { packageTexts as t } from './texts.ts';

interface TurnDialogProps {
  entry: HeliumEntry;
  /** Whether the version is enabled, and not disabled. */
  on: boolean;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/**
 * Confirms enabling a version, which it describes, or disabling it. Stays open and busy until the
 * server has answered.
 */
export function TurnDialog({ entry, on, busy, onConfirm, onClose }: TurnDialogProps) {
  const { artifact, type, description, license } = entry.pkg;
  const [title, action, working] = on
    ? [t.enableQuestion, t.enable, t.enabling]
    : [t.disableQuestion, t.disable, t.disabling];
  return (
    <FormDialog
      title={title}
      {...(on ? {} : { size: 'small' })}
      action={busy ? working : action}
      busy={busy}
      onSubmit={onConfirm}
      onClose={() => busy || onClose()}
    >
      {on ? (
        <dl className="package-facts">
          <dt>{t.artifact}</dt>
          <dd className="mono">{artifact}</dd>
          <dt>{t.type}</dt>
          <dd>{t.types[type] ?? type}</dd>
          <dt>{t.description}</dt>
          <dd>
            <Markup html={description} className="package-words" fallback="–" />
          </dd>
          <dt>{t.license}</dt>
          <dd>{license?.trim() ? license : t.unknown}</dd>
        </dl>
      ) : (
        <p className="mono dialog-text">{artifact}</p>
      )}
    </FormDialog>
  );
}

/** Explains how to install an interpreter on the server. */
export function InstallDialog({ entry, onClose }: { entry: HeliumEntry; onClose: () => void }) {
  const maven = mavenOf(entry);
  const place = maven ? `${maven.group}:${maven.artifact}:${maven.version}` : entry.pkg.artifact;
  return (
    <ContentDialog title={fill(t.installTitle, { name: entry.pkg.name })} onClose={onClose}>
      <p>{t.installText}</p>
      <pre
        className="package-command"
        tabIndex={0}
      >{`./bin/install-interpreter.sh --name "interpreter-name" --artifact ${place}`}</pre>
      <p>{t.installAfter}</p>
      <div className="dialog-actions">
        <Button kind="primary" autoFocus onClick={onClose}>
          {commonTexts.close}
        </Button>
      </div>
    </ContentDialog>
  );
}
