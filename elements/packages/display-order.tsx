import { rectSortingStrategy } from '@dnd-kit/sortable';
import { GripVertical } from 'lucide-react';
import { useState } from 'react';
import { fill } from '../text/fill.ts';
import { Button, Icon } from '../ui/button.tsx';
import { useQuestion } from '../ui/dialogs.tsx';
import { SortableList, useSortableEntry } from '../ui/drag/sortable.tsx';
import { useAction } from '../ui/fields/use-action.ts';
import { mergeOrder } from './catalogue.ts';
import { packageTexts as t } from './texts.ts';

/**
 * List to reorder the visualizations by dragging or with keys, saved on demand. `onSave` resolves
 * to whether the server accepted the order.
 */
export function DisplayOrder({
  names,
  onSave,
}: {
  names: readonly string[];
  onSave: (names: readonly string[]) => Promise<boolean>;
}) {
  const [edited, setEdited] = useState<readonly string[]>();
  const [confirm, question] = useQuestion();
  const { busy, run } = useAction();

  const shown = mergeOrder(names, edited);
  const changed = shown.join('\n') !== names.join('\n');
  const save = async () => (await onSave(shown)) && setEdited(undefined);
  const ask = async () =>
    (await confirm({ title: t.saveOrderQuestion, action: t.save })) && (await run(save));
  return (
    <section className="card package-order" aria-label={t.order}>
      <span className="label">{t.order}</span>
      <SortableList
        entries={shown}
        strategy={rectSortingStrategy}
        idOf={String}
        nameOf={String}
        onOrder={setEdited}
      >
        <ol className="package-chips">
          {shown.map((name) => (
            <Chip key={name} name={name} />
          ))}
        </ol>
      </SortableList>
      {changed ? (
        <span className="package-order-actions">
          <Button size="sm" disabled={busy} onClick={() => setEdited(undefined)}>
            {t.undo}
          </Button>
          <Button size="sm" kind="secondary" busy={busy} onClick={() => void ask()}>
            {t.saveOrder}
          </Button>
        </span>
      ) : null}
      {question}
    </section>
  );
}

function Chip({ name }: { name: string }) {
  const { entry, handle, isDragging } = useSortableEntry(name);
  return (
    <li {...entry} className={isDragging ? 'dragging' : undefined}>
      <button
        type="button"
        className="package-chip"
        aria-label={fill(t.moved, { name })}
        {...handle}
      >
        <Icon of={GripVertical} size="xs" />
        {name}
      </button>
    </li>
  );
}
