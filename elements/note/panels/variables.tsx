import { isTidingError } from '@tiding/client';
import { isRunning } from '@tiding/client/model';
import type { InterpreterVariables, Variable } from '@tiding/client/protocol';
import { RefreshCw, Table } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { formatBytes } from '../../result/parts/numbers.ts';
import { useSelect } from '../../runtime/hooks.ts';
import { commonTexts } from '../../text/common.ts';
import { panelTexts } from '../../text/note/panels.ts';
import { Button } from '../../ui/button.tsx';
import { runHere } from '../commands/run-one.ts';
import { useNoteUi } from '../ui/note-ui.ts';
import { useWhyNot } from '../ui/use-rights.ts';

const t = panelTexts.variables;

/** Variables of the interpreters that have run in the note; read again after each run. */
export default function VariablesPanel() {
  const ui = useNoteUi();
  const { client, note } = ui;
  const [listed, setListed] = useState<InterpreterVariables[]>();
  const [error, setError] = useState<string>();
  const running = useSelect(
    client,
    (state) =>
      Object.values(state.open[note.id]?.paragraphs ?? {})
        .filter(({ server }) => isRunning(server.status))
        .map(({ id }) => id)
        .join(),
    '',
  );
  const asked = useRef(0);
  const read = useCallback(async (): Promise<void> => {
    const turn = ++asked.current;
    try {
      const variables = await note.variables();
      // A later question has a newer answer.
      if (turn !== asked.current) return;
      setListed(variables);
      setError(undefined);
    } catch (failure) {
      if (turn === asked.current)
        setError(isTidingError(failure) ? failure.message : String(failure));
    }
  }, [note]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a run has started or ended
  useEffect(() => {
    void read();
  }, [read, running]);
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
      {error !== undefined && (
        <p className="hint error" role="alert">
          {error}
        </p>
      )}
      {!listed && error === undefined && (
        <p className="hint" role="status">
          {commonTexts.loading}
        </p>
      )}
      {listed && found.length === 0 && <p className="hint">{t.none}</p>}
      {found.map(({ interpreter, isBusy, variables, total }) => (
        <section key={interpreter} className="variables">
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
          <code className="variable-preview" title={preview}>
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
