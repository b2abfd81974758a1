/** Lists whose entries users put in order, by dragging or with keys. */
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
  SortableContext,
  type SortingStrategy,
  sortableKeyboardCoordinates,
  useSortable,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import type { ReactNode } from 'react';
import { dragAnnouncements } from './drag-announcements.ts';
import { dragTexts } from './drag-texts.ts';

/** Provides dragging for entries that call {@link useSortableEntry}. */
export function SortableList<Entry>({
  entries,
  strategy,
  idOf,
  nameOf,
  onOrder,
  children,
}: {
  entries: readonly Entry[];
  strategy: SortingStrategy;
  idOf: (entry: Entry) => string;
  nameOf: (entry: Entry) => string;
  onOrder: (entries: Entry[]) => void;
  children: ReactNode;
}) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const ids = entries.map(idOf);
  const place = (id: unknown): number => ids.indexOf(String(id));
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={dragAnnouncements((id) => {
        const entry = entries[place(id)];
        return entry === undefined ? '' : nameOf(entry);
      })}
      onDragEnd={({ active, over }) => {
        if (over && active.id !== over.id)
          onOrder(arrayMove([...entries], place(active.id), place(over.id)));
      }}
    >
      <SortableContext items={ids} strategy={strategy}>
        {children}
      </SortableContext>
    </DndContext>
  );
}

/** Returns the properties of an entry, and those of the control that drags it. */
export function useSortableEntry(id: string, disabled = false) {
  const sortable = useSortable({ id, disabled, attributes: { roleDescription: dragTexts.role } });
  const { attributes, isDragging, listeners, setNodeRef, transform, transition } = sortable;
  return {
    entry: {
      ref: setNodeRef,
      style: { transform: CSS.Transform.toString(transform), transition },
    },
    handle: { ...attributes, ...listeners },
    handleRef: sortable.setActivatorNodeRef,
    isDragging,
  };
}
