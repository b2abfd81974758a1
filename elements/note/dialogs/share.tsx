import { isAnonymous } from '@tiding/client/model';
import { Copy } from 'lucide-react';
import { useState } from 'react';
import { useCopy } from '../../result/parts/use-copy.ts';
import { useViewStore } from '../../runtime/store.ts';
import { commonTexts } from '../../text/common.ts';
import { Button } from '../../ui/button.tsx';
import { ContentDialog } from '../../ui/dialogs.tsx';
import { LabelledChoice } from '../../ui/fields/labelled.tsx';
import { permissionTexts } from '../panels/texts.ts';
import { useNoteUi } from '../ui/note-ui.ts';
import { useWhyNot } from '../ui/use-rights.ts';
import {
  canEmbed,
  EMBED_CODES,
  type EmbedCode,
  type EmbedTarget,
  embedCode,
} from './embed-code.ts';
import { ReadOnlyCode } from './read-only-code.tsx';
import { shareTexts as t } from './share-texts.ts';

function CopyButton({ text, label }: { text: string; label: string }) {
  const [shown, copy] = useCopy(label);
  return (
    <Button kind="secondary" icon={Copy} onClick={() => copy(text)}>
      <span aria-live="polite">{shown}</span>
    </Button>
  );
}

/**
 * Shares a note, or one of its paragraphs: address, report layout, and code that shows it in a page
 * of another origin.
 */
export function ShareDialog({
  paragraphId,
  onClose,
}: {
  paragraphId?: string | undefined;
  onClose: () => void;
}) {
  const ui = useNoteUi();
  const [code, setCode] = useState<EmbedCode>('tag');
  const look = useViewStore(ui.layout.state, (state) => state.look);
  const mayNotPublish = useWhyNot(ui, 'writer');
  const server = new URL(ui.client.server, location.href).href.replace(/\/$/, '');
  const target: EmbedTarget = { server, noteId: ui.note.id, paragraphId };
  const address =
    `${server}/#/notebook/${ui.note.id}` + (paragraphId ? `/paragraph/${paragraphId}` : '');
  const source = embedCode(code, target);
  return (
    <ContentDialog title={paragraphId ? t.paragraphTitle : t.title} size="wide" onClose={onClose}>
      <div className="field">
        <label className="label" htmlFor="share-address">
          {t.address}
        </label>
        <div className="copy-row">
          <span className="input">
            <input
              id="share-address"
              readOnly
              value={address}
              autoFocus
              aria-describedby="share-address-hint"
              onFocus={({ target: field }) => field.select()}
            />
          </span>
          <CopyButton text={address} label={t.copyAddress} />
        </div>
        <span className="hint" id="share-address-hint">
          {t.addressHint}
        </span>
      </div>
      {paragraphId ? null : (
        <label className="check">
          <input
            type="checkbox"
            checked={look === 'report'}
            disabled={mayNotPublish !== undefined}
            onChange={({ target: { checked } }) => ui.layout.choose(checked ? 'report' : 'default')}
          />
          <span>
            {t.publish}
            <span className="hint">{mayNotPublish ?? t.publishHint}</span>
          </span>
        </label>
      )}
      <LabelledChoice
        label={t.embed}
        value={code}
        options={EMBED_CODES.filter((each) => canEmbed(each, target)).map(
          (each) => [each, t.codes[each]] as const,
        )}
        onValue={(value) => setCode(value as EmbedCode)}
      />
      <ReadOnlyCode
        code={source}
        label={t.code}
        rows={source.split('\n').length - 1}
        describedBy="share-code-hint"
      />
      <p className="hint" id="share-code-hint">
        {t.hints[code]} {t.origin}
      </p>
      <div className="dialog-actions">
        <CopyButton text={source} label={t.copyCode} />
        {isAnonymous(ui.client.session.current?.principal) ? null : (
          <Button
            kind="secondary"
            onClick={() => {
              onClose();
              void ui.panels.show('permissions');
            }}
          >
            {permissionTexts.title}
          </Button>
        )}
        <Button kind="primary" onClick={onClose}>
          {commonTexts.close}
        </Button>
      </div>
    </ContentDialog>
  );
}
