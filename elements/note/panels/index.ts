/**
 * The panels on the right of a note, one at a time. A panel is a component that is loaded when it is opened first; adding
 * one is a row here and its button or command in `commands/note.tsx`.
 */
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { text } from '../../text/en.ts';
import type { NoteView } from '../view.tsx';

/** What a panel gets. */
export interface PanelProps {
  readonly view: NoteView;
  /** Closes it, after the question that it may have set as `view.mayClosePanel`. */
  readonly onClose: () => void;
}

/** A panel. */
export interface Panel {
  /** Its heading, and the accessible name of its place. */
  readonly title: string;
  readonly view: LazyExoticComponent<ComponentType<PanelProps>>;
  /** It takes the place of the paragraphs instead of standing beside them (the comparator). */
  readonly whole?: boolean;
}

/** By name. */
export const panels = {
  bindings: {
    get title() {
      return text.bindings.title;
    },
    view: lazy(() => import('./bindings.tsx')),
  },
  compare: {
    get title() {
      return text.revisions.compare;
    },
    view: lazy(() => import('../revisions/compare.tsx')),
    whole: true,
  },
  permissions: {
    get title() {
      return text.permissions.title;
    },
    view: lazy(() => import('./permissions.tsx')),
  },
} satisfies Record<string, Panel>;

/** Name of a panel. */
export type PanelId = keyof typeof panels;

/** A panel by its name. */
export const panelOf = (id: string): Panel | undefined => (panels as Record<string, Panel>)[id];
