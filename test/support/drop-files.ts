/** Files dragged into a page from the desktop. */
import type { Page } from 'playwright-core';
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
