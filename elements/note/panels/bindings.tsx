import { verticalListSortingStrategy } from '@dnd-kit/sortable';
import type { InterpreterBinding } from '@tiding/client/protocol';
import { GripVertical, RotateCw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { commonTexts } from '../../text/common.ts';
import { fill } from '../../text/fill.ts';
import { Button, Icon } from '../../ui/button.tsx';
import { SortableList, useSortableEntry } from '../../ui/drag/sortable.tsx';
import { StatusHint } from '../../ui/hints.tsx';
import { restartEngine } from '../bar/restart-engine.ts';
import { magicsOf } from '../magics.ts';
import { useNoteUi } from '../ui/note-ui.ts';
import type { PanelProps } from '../ui/panels.ts';
import { useWhyNot } from '../ui/use-rights.ts';
import { bindingTexts as t } from './texts.ts';
import { useClosingQuestion } from './use-closing-question.ts';

interface Edited {
  readonly binding: InterpreterBinding;
  readonly bound: boolean;
}

const read = (bindings: readonly InterpreterBinding[]): Edited[] =>
  bindings.map((binding) => ({ binding, bound: binding.selected === true }));
const order = (rows: readonly Edited[]): string[] =>
  rows.filter(({ bound }) => bound).map(({ binding }) => binding.id);

/** Selects the first interpreter of each name if none is bound (specification). */
function preselect(rows: readonly Edited[]): Edited[] {
  const names = new Set<string>();
  return rows.map((row) => {
    const first = !names.has(row.binding.name);
    names.add(row.binding.name);
    return { ...row, bound: first };
  });
}

/** Panel that selects the interpreters of the note and their order; the first is the default. */
export default function BindingsPanel({ onClose }: PanelProps) {
  const ui = useNoteUi();
  const { note, client } = ui;
  const [rows, setRows] = useState<readonly Edited[]>();
  const [saved, setSaved] = useState('');
  const [busy, setBusy] = useState<string>();
  const changed = rows !== undefined && order(rows).join('\n') !== saved;
  const isSaved = useRef(false);
  useClosingQuestion(() => changed && !isSaved.current, t);
  useEffect(() => {
    let current = true;
    void ui.messages.act(async () => {
      const found = read(await note.bindings());
      if (!current) return;
      setSaved(order(found).join('\n'));
      setRows(found.some(({ bound }) => bound) ? found : preselect(found));
    });
    return () => void (current = false);
  }, [note, ui]);

  const mayNotChange = useWhyNot(ui, 'writer');

  if (!rows) return <StatusHint className="panel-body hint">{commonTexts.loading}</StatusHint>;

  const restart = async (binding: InterpreterBinding): Promise<void> => {
    setBusy(binding.id);
    await restartEngine(ui, binding).finally(() => setBusy(undefined));
  };
  const save = async (): Promise<void> => {
    setBusy('');
    try {
      const found = read(await note.bind(order(rows)));
      // The panel closes before the next render.
      isSaved.current = true;
      setSaved(order(found).join('\n'));
      setRows(found);
      onClose();
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <>
      <div className="panel-body">
        <p className="hint">
          {client.state.server?.generation === 'B' && !client.state.server.tiding
            ? t.onlyFirst
            : t.hint}
        </p>
        {rows.length === 0 ? <p className="hint">{t.none}</p> : null}
        <SortableList
          entries={rows}
          strategy={verticalListSortingStrategy}
          idOf={({ binding }) => binding.id}
          nameOf={({ binding }) => binding.name}
          onOrder={setRows}
        >
          <ul className="bindings">
            {rows.map(({ binding, bound }, index) => (
              <Row
                key={binding.id}
                binding={binding}
                bound={bound}
                isDefault={bound && rows.findIndex((row) => row.bound) === index}
                busy={busy === binding.id}
                whyNot={mayNotChange}
                onToggle={() =>
                  setRows(
                    rows.map((row, at) => (at === index ? { ...row, bound: !row.bound } : row)),
                  )
                }
                onRestart={() => void restart(binding)}
              />
            ))}
          </ul>
        </SortableList>
      </div>
      <footer className="panel-foot">
        <Button kind="secondary" onClick={onClose}>
          {commonTexts.cancel}
        </Button>
        <Button
          kind="primary"
          busy={busy === ''}
          disabled={!changed}
          disabledReason={mayNotChange}
          onClick={() => void ui.messages.act(save)}
        >
          {t.save}
        </Button>
      </footer>
    </>
  );
}

/** Magics of an interpreter setting: `%name, %name.sub`. */
const magicsText = (binding: InterpreterBinding): string =>
  magicsOf(binding)
    .map((magic) => `%${magic}`)
    .join(', ');

interface RowProps {
  binding: InterpreterBinding;
  bound: boolean;
  /** Whether it is the first bound one, which runs paragraphs without a magic. */
  isDefault: boolean;
  busy: boolean;
  /** Why the user may not change the bindings. */
  whyNot: string | undefined;
  onToggle: () => void;
  onRestart: () => void;
}

function Row({ binding, bound, isDefault, busy, whyNot, onToggle, onRestart }: RowProps) {
  const { entry, handle, handleRef } = useSortableEntry(binding.id, whyNot !== undefined);
  return (
    <li {...entry} className={bound ? 'binding bound' : 'binding'}>
      <button
        type="button"
        ref={handleRef}
        className="button icon-only grip"
        aria-label={fill(t.drag, { name: binding.name })}
        {...handle}
      >
        <Icon of={GripVertical} />
      </button>
      <button
        type="button"
        className="binding-name bare"
        aria-pressed={bound}
        disabled={whyNot !== undefined}
        title={whyNot}
        aria-description={whyNot}
        onClick={onToggle}
      >
        <b>{binding.name}</b>
        <small>{isDefault ? `${magicsText(binding)} ${t.default}` : magicsText(binding)}</small>
      </button>
      <Button
        size="sm"
        icon={RotateCw}
        label={busy ? t.restarting : fill(t.restartOne, { name: binding.name })}
        busy={busy}
        disabledReason={whyNot}
        onClick={onRestart}
      />
    </li>
  );
}
