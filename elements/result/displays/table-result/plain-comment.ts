import { entities } from '../../parts/entities.ts';

/** Returns the text of a table's comment, which is HTML. */
export function plainComment(html: string): string {
  return html
    .replace(/<br\s*\/?>|<\/(?:p|div|li)>/gi, '\n')
    .replace(/<!--[\s\S]*?-->|<[^>]*>/g, '')
    .replace(/&(\w+);/g, (all, name: string) => entities[name] ?? all)
    .trim();
}
