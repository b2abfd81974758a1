import { isRunning } from '@tiding/client/model';
import type { Variable } from '@tiding/client/protocol';
import { RefreshCw, Table } from 'lucide-react';
import { useCallback } from 'react';
import { formatBytes } from '../../result/parts/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { runHere } from '../commands/run-one.ts';
import { useNoteState, useNoteUi } from '../ui/note-ui.ts';
import { useWhyNot } from '../ui/use-rights.ts';
import { variableTexts as t } from './texts.ts';
import { ListState, useListed } from './use-listed.tsx';

/** Variables of the interpreters that have run in the note; read again after each run. */
export default function VariablesPanel() {
  const ui = useNoteUi();
  const { note } = ui;
  const running = useNoteState(ui, (now) =>
    Object.values(now?.paragraphs ?? {})
      .filter(({ server }) => isRunning(server.status))
      .map(({ id }) => id)
      .join(),
  );
  const list = useCallback(() => note.variables(), [note]);
  const { value: listed, error, read } = useListed(list, running);
  const mayNotAdd = useWhyNot(ui, 'writer');
  const show = async (interpreter: string, { name }: Variable): Promise<void> => {
    const id = await ui.paragraphs.insert(undefined, `%${interpreter}\n${name}`);
    ui.focus.scrollTo(id);
    await runHere(ui, note.paragraph(id));
  };

  const found = listed?.filter(({ variables }) => variables.length > 0) ?? [];
  return (
    <div className="panel-body">
      <div>
        <Button size="sm" icon={RefreshCw} onClick={() => void read()}>
          {t.refresh}
        </Button>
      </div>
      <ListState of={{ value: listed, error }} />
      {listed && found.length === 0 && <p className="hint">{t.none}</p>}
      {found.map(({ interpreter, isBusy, variables, total }) => (
        <section key={interpreter} className="listed">
          <h3>%{interpreter}</h3>
          {isBusy && <p className="hint">{t.busy}</p>}
          <ul>
            {variables.map((variable) => (
              <VariableRow
                key={variable.name}
                variable={variable}
                mayNotAdd={mayNotAdd}
                onShow={() => void ui.messages.act(() => show(interpreter, variable))}
              />
            ))}
          </ul>
          {total > variables.length && <p className="hint">{t.more(total - variables.length)}</p>}
        </section>
      ))}
    </div>
  );
}

function VariableRow({
  variable: { name, type, shape, size, preview, isTable },
  mayNotAdd,
  onShow,
}: {
  variable: Variable;
  mayNotAdd: string | undefined;
  onShow: () => void;
}) {
  const facts = [type, shape, size === undefined ? undefined : formatBytes(size)].filter(Boolean);
  return (
    <li>
      <div>
        <code>{name}</code> <small>{facts.join(' · ')}</small>
        {preview && (
          <code className="variable-preview truncate" title={preview}>
            {preview}
          </code>
        )}
      </div>
      {isTable && (
        <Button
          size="sm"
          icon={Table}
          label={t.show(name)}
          disabledReason={mayNotAdd}
          onClick={onShow}
        />
      )}
    </li>
  );
}
