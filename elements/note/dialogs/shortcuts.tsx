import { isMac } from '../../editor/keys/platform.ts';
import { commonTexts } from '../../text/common.ts';
import { noteTexts } from '../../text/note/note.ts';
import { shortcutTexts } from '../../text/note/shortcuts.ts';
import { withTexts } from '../../text/set-texts.ts';
import { Button } from '../../ui/button.tsx';
import { ContentDialog } from '../../ui/dialogs.tsx';
import { noteCommands } from '../commands/note.tsx';
import { paragraphCommands } from '../commands/paragraph.tsx';

const t = shortcutTexts;
/**
 * Groups in the order of Zeppelin's client. Each entry has the id of a command, or keys that the
 * editor handles itself.
 */
const noteKeys = withTexts<readonly [string, string]>(() => [
  ['run', t.run],
  ['run-from', t.runFrom],
  ['run-above', t.runAbove],
  ['run-below', t.runBelow],
  ['cancel', t.cancel],
  ['Ctrl+P', t.up],
  ['Ctrl+N', t.down],
  ['remove', t.remove],
  ['insert-above', t.insertAbove],
  ['insert-below', t.insertBelow],
  ['clone', t.copy],
  ['move-up', t.moveUp],
  ['move-down', t.moveDown],
  ['toggle-run', t.toggleRun],
  ['toggle-output', t.toggleOutput],
  ['toggle-editor', t.toggleEditor],
  ['toggle-lines', t.toggleLines],
  ['toggle-title', t.toggleTitle],
  ['clear', t.clear],
  ['link', t.link],
  ['narrower', t.narrower],
  ['wider', t.wider],
  ['palette', t.palette],
  ['shortcuts', t.help],
]);
const editorKeys = withTexts<readonly [string, string]>(() => [
  ['Ctrl+.', t.complete],
  ['Ctrl+K', t.cutLine],
  ['Ctrl+Y', t.pasteLine],
  ...(isMac
    ? ([
        ['Ctrl+S', t.searchInside],
        ['Ctrl+A', t.lineStart],
        ['Ctrl+E', t.lineEnd],
      ] as const)
    : []),
  ['find', t.find],
]);

/** Returns the displayed keys of a command. A name that is not a command id is returned as keys. */
function keysOf(name: string): string | undefined {
  const keys =
    [...paragraphCommands, ...noteCommands].find(({ id }) => id === name)?.keys?.[0] ??
    (name.includes('+') ? name : undefined);
  return keys?.replaceAll('Alt', isMac ? 'Option' : 'Alt');
}

/** Dialog that lists the keyboard shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const group = (title: string, rows: typeof noteKeys) => (
    <section>
      <h3 className="shortcut-group">{title}</h3>
      <dl className="shortcuts">
        {rows.map(([name, label]) => {
          const keys = keysOf(name);
          return keys === undefined ? null : (
            <div key={label} className="shortcut">
              <dt>{label}</dt>
              <dd>
                {keys.split('+').map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
  return (
    <ContentDialog title={noteTexts.shortcuts} size="wide" onClose={onClose}>
      <div className="shortcut-groups" tabIndex={0} role="region" aria-label={noteTexts.shortcuts}>
        {group(t.note, noteKeys)}
        {group(t.editor, editorKeys)}
      </div>
      <div className="dialog-actions">
        <Button kind="secondary" onClick={onClose}>
          {commonTexts.close}
        </Button>
      </div>
    </ContentDialog>
  );
}
