/** How kinds of nodes look and are called. */
import {
  Box,
  CircleHelp,
  Database,
  FileCodeCorner,
  Layers,
  ListChecks,
  Table,
  Workflow,
  type LucideIcon,
} from 'lucide-react';
import { text } from '../../text/en.ts';

const icons: Readonly<Record<string, LucideIcon>> = {
  job: Workflow,
  task: ListChecks,
  script: FileCodeCorner,
  nestedjob: Layers,
  sqlmapper: Database,
  datasource: Database,
  table: Table,
  unknown: CircleHelp,
};

/** The icon of a kind, in small letters. */
export const kindIcon = (kind: string): LucideIcon =>
  Object.hasOwn(icons, kind) ? icons[kind]! : Box;
/** The word for a kind; `written` where it has none. */
export const kindText = (kind: string, written = kind): string =>
  Object.hasOwn(text.widgets.graph.kinds, kind) ? text.widgets.graph.kinds[kind]! : written;
