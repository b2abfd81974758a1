/** Files dragged into a page from the desktop. */
import type { Locator, Page } from 'playwright-core';
import { expect, vi } from 'vitest';

/**
 * Drops files or folders of the disk on a page once it offers to take them, as a user does.
 *
 * @param at position in the page, in pixels; read again if the page does not take files there yet
 */
export async function dropFiles(
  page: Page,
  files: readonly string[],
  at: () => Promise<{ x: number; y: number }> | { x: number; y: number },
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  // Browsers repeat these events, and a page that has only just rendered may not listen yet.
  const position = await vi.waitFor(
    async () => {
      const point = await at();
      for (const type of ['dragEnter', 'dragOver'] as const)
        await session.send('Input.dispatchDragEvent', { type, ...point, data });
      expect(await page.locator('.file-drop.target').isVisible()).toBe(true);
      return point;
    },
    { timeout: 60_000 },
  );
  await session.send('Input.dispatchDragEvent', { type: 'drop', ...position, data });
  await session.detach();
}

/** A file that {@link giveFile} makes in the page; a number makes one of that many bytes. */
interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array | number;
  readonly type?: string;
}

/** Fires the event of a file that is dragged over an element, dropped or pasted there. */
export function giveFile(
  target: Locator,
  kind: 'dragover' | 'drop' | 'paste',
  { name, bytes, type = '' }: GivenFile,
  at: { x: number; y: number } = { x: 0, y: 0 },
): Promise<void> {
  const content = typeof bytes === 'number' ? bytes : [...bytes];
  return target.evaluate(
    (element, file) => {
      const data = new DataTransfer();
      const content = new Uint8Array(file.content as number);
      data.items.add(new File([content], file.name, { type: file.type }));
      const shared = { bubbles: true, cancelable: true, composed: true };
      const { x: clientX, y: clientY } = file.at;
      element.dispatchEvent(
        file.kind === 'paste'
          ? new ClipboardEvent('paste', { ...shared, clipboardData: data })
          : new DragEvent(file.kind, { ...shared, dataTransfer: data, clientX, clientY }),
      );
    },
    { kind, name, content, type, at },
  );
}
