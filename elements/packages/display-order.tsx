import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  arrayMove,
  rectSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { GripVertical } from 'lucide-react';
import { useState } from 'react';
import { fill } from '../text/fill.ts';
import { Button, Icon } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialogs.tsx';
import { dragAnnouncements } from '../ui/drag-announcements.ts';
import { dragTexts } from '../ui/drag-texts.ts';
import { useAction } from '../ui/use-action.ts';
import { mergeOrder } from './catalogue.ts';
import { packageTexts } from './texts.ts';

const t = packageTexts;

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
  const [asks, setAsks] = useState(false);
  const { busy, run } = useAction();
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const shown = mergeOrder(names, edited);
  const changed = shown.join('\n') !== names.join('\n');
  const save = async () => (await onSave(shown)) && setEdited(undefined);
  return (
    <section className="card package-order" aria-label={t.order}>
      <span className="label">{t.order}</span>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        accessibility={dragAnnouncements((id) => String(id))}
        onDragEnd={({ active, over }) => {
          if (over && active.id !== over.id)
            setEdited(
              arrayMove(
                [...shown],
                shown.indexOf(String(active.id)),
                shown.indexOf(String(over.id)),
              ),
            );
        }}
      >
        <SortableContext items={[...shown]} strategy={rectSortingStrategy}>
          <ol className="package-chips">
            {shown.map((name) => (
              <Chip key={name} name={name} />
            ))}
          </ol>
        </SortableContext>
      </DndContext>
      {changed ? (
        <span className="package-order-actions">
          <Button size="sm" disabled={busy} onClick={() => setEdited(undefined)}>
            {t.undo}
          </Button>
          <Button size="sm" kind="secondary" busy={busy} onClick={() => setAsks(true)}>
            {t.saveOrder}
          </Button>
        </span>
      ) : null}
      {asks ? (
        <ConfirmDialog
          title={t.saveOrderQuestion}
          action={t.save}
          onClose={(confirmed) => {
            setAsks(false);
            if (confirmed) void run(save);
          }}
        />
      ) : null}
    </section>
  );
}

function Chip({ name }: { name: string }) {
  const { attributes, listeners, setNodeRef, transform, transition, isDragging } = useSortable({
    id: name,
    attributes: { roleDescription: dragTexts.role },
  });
  return (
    <li
      ref={setNodeRef}
      className={isDragging ? 'dragging' : undefined}
      style={{ transform: CSS.Transform.toString(transform), transition }}
    >
      <button
        type="button"
        className="package-chip"
        aria-label={fill(t.moved, { name })}
        {...attributes}
        {...listeners}
      >
        <Icon of={GripVertical} size="xs" />
        {name}
      </button>
    </li>
  );
}
