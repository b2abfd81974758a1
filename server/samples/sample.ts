import type { JsonObject } from '@tiding/client/protocol';

/** A sample note: its path and paragraphs. */
export interface Sample {
  path: string;
  paragraphs: { title?: string; text: string; config?: JsonObject }[];
}
