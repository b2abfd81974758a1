/** Icons and names of node types. */
import {
  Box,
  CircleHelp,
  Database,
  FileCodeCorner,
  Layers,
  ListChecks,
  type LucideIcon,
  Table,
  Workflow,
} from 'lucide-react';
import { graphTexts } from './texts.ts';

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

/** Entry of a node type, in any case. */
const entryOf = <Entry>(table: Readonly<Record<string, Entry>>, kind: string) =>
  Object.hasOwn(table, kind.toLowerCase()) ? table[kind.toLowerCase()] : undefined;

/** Icon of a node type. */
export const kindIcon = (kind: string): LucideIcon => entryOf(icons, kind) ?? Box;
/** Name of a node type; `written` if it has none. */
export const kindText = (kind: string, written = kind): string =>
  entryOf(graphTexts.kinds, kind) ?? written;
