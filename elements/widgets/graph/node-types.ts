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

/** Icon of a node type (lower case). */
export const kindIcon = (kind: string): LucideIcon =>
  Object.hasOwn(icons, kind) ? icons[kind]! : Box;
/** Name of a node type; `written` if it has none. */
export const kindText = (kind: string, written = kind): string =>
  Object.hasOwn(graphTexts.kinds, kind) ? graphTexts.kinds[kind]! : written;
