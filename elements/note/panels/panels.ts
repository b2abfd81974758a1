/**
 * Right-hand panels of a note; one is open at a time. A panel component is loaded when it is first
 * opened. To add one, add an entry here and a button or command in `commands/note.tsx`.
 */

import type { ComponentType, LazyExoticComponent } from 'react';
import { lazyCode } from '../../runtime/lazy-code.tsx';
import { revisionTexts } from '../revisions/texts.ts';
import type { PanelId, PanelProps } from '../ui/panels.ts';
import {
  bindingTexts,
  commentPanelTexts,
  fileTexts,
  permissionTexts,
  variableTexts,
} from './texts.ts';

/** A right-hand panel. */
interface NotePanel {
  /** Returns the heading, which is the accessible name. */
  readonly title: () => string;
  readonly view: LazyExoticComponent<ComponentType<PanelProps>>;
  /**
   * Whether the panel replaces the paragraphs instead of being shown next to them (the comparator).
   */
  readonly whole?: boolean;
}

const panels = {
  bindings: { title: () => bindingTexts.title, view: lazyCode(() => import('./bindings.tsx')) },
  comments: {
    title: () => commentPanelTexts.title,
    view: lazyCode(() => import('./comments.tsx')),
  },
  compare: {
    title: () => revisionTexts.compare,
    view: lazyCode(() => import('../revisions/compare.tsx')),
    whole: true,
  },
  files: { title: () => fileTexts.title, view: lazyCode(() => import('./files.tsx')) },
  permissions: {
    title: () => permissionTexts.title,
    view: lazyCode(() => import('./permissions.tsx')),
  },
  variables: { title: () => variableTexts.title, view: lazyCode(() => import('./variables.tsx')) },
} satisfies Record<PanelId, NotePanel>;

export const findPanel = (id: string): NotePanel | undefined =>
  (panels as Record<string, NotePanel>)[id];
