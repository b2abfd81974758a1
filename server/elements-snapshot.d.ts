/** The part of `@tiding/elements/snapshot` that the server uses: its sources need a DOM's types. */
import type { StoredTables } from '@tiding/client/model';
import type { Paragraph } from '@tiding/client/protocol';

export type Look = 'default' | 'simple' | 'report' | 'embed';
export function hasFirstView(paragraph: Paragraph, look: Look): boolean;
export function renderFirstView(
  paragraph: Paragraph,
  options: { look: Look; width: number; tables: StoredTables },
): Promise<{ readonly css: string; readonly body: unknown } | undefined>;
