import { GripVertical } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { findTexts as t } from '../find/texts.ts';
import { useNoteUi } from '../ui/note-ui.ts';
import { KeyDrag, startDrag } from './drag.ts';

const steps: Readonly<Record<string, number>> = {
  ArrowUp: -1,
  ArrowLeft: -1,
  ArrowDown: 1,
  ArrowRight: 1,
  PageUp: -10,
  PageDown: 10,
  Home: -Infinity,
  End: Infinity,
};

/** Drag handle of a paragraph. */
export function Grip({ id }: { id: string }) {
  const ui = useNoteUi();
  const held = useRef<KeyDrag>(undefined);
  const end = (taken: boolean): void => {
    held.current?.end(taken);
    held.current = undefined;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const step = steps[event.key];
    const press = event.key === 'Enter' || event.key === ' ';
    if (press && held.current) end(true);
    else if (press) held.current = new KeyDrag(ui, id);
    else if (held.current && step !== undefined) held.current.step(step);
    else if (held.current && event.key === 'Escape') end(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Button
      size="sm"
      className="grip"
      icon={GripVertical}
      label={t.drag}
      aria-roledescription={t.dragRole}
      onPointerDown={(event) => startDrag(ui, id, event.nativeEvent)}
      onKeyDown={onKeyDown}
      onBlur={() => end(false)}
    />
  );
}
