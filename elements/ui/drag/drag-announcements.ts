import type { DndContextProps, UniqueIdentifier } from '@dnd-kit/core';
import { fill } from '../../text/fill.ts';
import { dragTexts } from './drag-texts.ts';

/** Screen reader announcements for dragging. `nameOf` returns the name of an item by its id. */
export function dragAnnouncements(
  nameOf: (id: UniqueIdentifier) => string,
): NonNullable<DndContextProps['accessibility']> {
  const t = dragTexts;
  const said =
    (alone: string, both: string) =>
    ({
      active,
      over,
    }: {
      active: { id: UniqueIdentifier };
      over?: { id: UniqueIdentifier } | null;
    }) =>
      over
        ? fill(both, { name: nameOf(active.id), other: nameOf(over.id) })
        : fill(alone, { name: nameOf(active.id) });
  return {
    screenReaderInstructions: { draggable: t.help },
    announcements: {
      onDragStart: said(t.lifted, t.lifted),
      onDragOver: said(t.outside, t.over),
      onDragEnd: said(t.left, t.dropped),
      onDragCancel: said(t.left, t.left),
    },
  };
}
