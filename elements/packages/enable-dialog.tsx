import type { HeliumEntry } from '@tiding/client/protocol';
import { commonTexts } from '../text/common.ts';
import { fill } from '../text/fill.ts';
import { Button } from '../ui/button.tsx';
import { ContentDialog, FormDialog } from '../ui/dialogs.tsx';
import { mavenOf } from './catalogue.ts';
import { Markup } from './markup.tsx';
import { packageTexts as t } from './texts.ts';

interface Props {
  entry: HeliumEntry;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/**
 * Confirms enabling a version and describes it. Stays open and busy until the server has answered.
 */
export function EnableDialog({ entry, busy, onConfirm, onClose }: Props) {
  const { artifact, type, description, license } = entry.pkg;
  return (
    <FormDialog
      title={t.enableQuestion}
      action={busy ? t.enabling : t.enable}
      busy={busy}
      onSubmit={onConfirm}
      onClose={() => busy || onClose()}
    >
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
    </FormDialog>
  );
}

/** Confirms disabling a package. */
export function DisableDialog({ entry, busy, onConfirm, onClose }: Props) {
  return (
    <FormDialog
      title={t.disableQuestion}
      size="small"
      action={busy ? t.disabling : t.disable}
      busy={busy}
      onSubmit={onConfirm}
      onClose={() => busy || onClose()}
    >
      <p className="mono dialog-text">{entry.pkg.artifact}</p>
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
