import { useEffect, useState } from 'react';
import { keyChoice } from '../../editor/index.ts';
import { isMac } from '../../editor/keys/platform.ts';
import { useViewStore } from '../../runtime/store.ts';
import { withTexts } from '../../text/areas.ts';
import { noteTexts } from '../../text/note-texts.ts';
import { CloseAction, ContentDialog } from '../../ui/dialogs.tsx';
import { noteCommands } from '../commands/note.tsx';
import { paragraphCommands } from '../commands/paragraph.tsx';
import type { JupyterCommands } from '../jupyter/jupyter-commands.ts';
import { jupyterTexts } from '../jupyter/texts.ts';
import { shortcutTexts as t } from './shortcut-texts.ts';

/**
 * Groups in the order of Zeppelin's client. Each entry has the id of a command, or keys that the
 * editor handles itself.
 */
const noteKeys = withTexts<readonly [string, string]>(() => [
  ['run', t.run],
  ['run-stay', t.runStay],
  ['run-insert', t.runInsert],
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
const editorKeys = (): readonly (readonly [string, string])[] => [
  ['Ctrl+.', t.complete],
  [keyChoice.get().keys === 'jupyter' ? 'Shift+Tab' : 'Ctrl+Shift+Space', t.inspect],
  ...(keyChoice.get().keys === 'jupyter'
    ? []
    : ([
        ['Ctrl+K', t.cutLine],
        ['Ctrl+Y', t.pasteLine],
      ] as const)),
  ...(isMac
    ? ([
        ['Ctrl+S', t.searchInside],
        ['Ctrl+A', t.lineStart],
        ['Ctrl+E', t.lineEnd],
      ] as const)
    : []),
  ['find', t.find],
];

/** Returns the keys of a command. A name that is not a command id is returned as keys. */
const keysOf = (name: string): string | undefined =>
  [...paragraphCommands, ...noteCommands].find(({ id }) => id === name)?.keys?.[0] ??
  (name.includes('+') ? name : undefined);

/** Keys as they are printed on a keyboard. */
const printed: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  ...(isMac ? { Alt: 'Option' } : {}),
};

interface Row {
  /** Keys such as `Ctrl+Enter`, or two of them after each other: `D D`. */
  readonly keys: string;
  readonly label: string;
}

function Group({ title, rows }: { title: string; rows: readonly Row[] }) {
  return (
    <section>
      <h3 className="shortcut-group">{title}</h3>
      <dl className="shortcuts">
        {rows.map(({ keys, label }) => (
          <div key={label} className="shortcut">
            <dt>{label}</dt>
            <dd>
              {keys.split(/[+ ]/).map((key, index) => (
                <kbd key={index}>{printed[key] ?? key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Returns the commands of Jupyter's keys while these are chosen. */
function useJupyterCommands(): JupyterCommands | undefined {
  const isChosen = useViewStore(keyChoice, ({ keys }) => keys === 'jupyter');
  const [commands, setCommands] = useState<JupyterCommands>();
  useEffect(() => {
    if (isChosen)
      void import('../jupyter/jupyter-commands.ts').then(({ jupyterCommands }) =>
        setCommands(jupyterCommands([...paragraphCommands, ...noteCommands])),
      );
  }, [isChosen]);
  return isChosen ? commands : undefined;
}

/** Dialog that lists the keyboard shortcuts of the chosen key set. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const jupyter = useJupyterCommands();
  const jupyterRows = (commands: JupyterCommands['edit']): Row[] =>
    commands.map(({ keys, label }) => ({ keys: keys![0]!, label }));
  const command = jupyter && jupyterRows([...jupyter.shared, ...jupyter.command]);
  const edit = jupyter && jupyterRows([...jupyter.edit, ...jupyter.shared]);
  const isFree = ({ keys }: Row): boolean => !edit?.some((row) => row.keys === keys);
  const rows = (list: typeof noteKeys): Row[] =>
    list.flatMap(([name, label]) => {
      const keys = keysOf(name);
      return keys === undefined ? [] : [{ keys, label }];
    });
  return (
    <ContentDialog title={noteTexts.shortcuts} size="wide" onClose={onClose}>
      <div className="shortcut-groups" tabIndex={0} role="region" aria-label={noteTexts.shortcuts}>
        {command ? <Group title={jupyterTexts.command} rows={command} /> : null}
        {edit ? <Group title={jupyterTexts.edit} rows={edit} /> : null}
        <Group title={t.note} rows={rows(noteKeys).filter(isFree)} />
        <Group title={t.editor} rows={rows(editorKeys())} />
      </div>
      <CloseAction onClose={onClose} />
    </ContentDialog>
  );
}
