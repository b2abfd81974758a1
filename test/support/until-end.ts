/** Servers, browsers, clients and folders that last until the tests of a file are done. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const ends: (() => unknown)[] = [];

/** Stops or closes a resource after the tests of the file; the newest goes first. */
export function untilEnd<T extends { stop(): unknown } | { close(): unknown }>(resource: T): T {
  ends.push(() => ('stop' in resource ? resource.stop() : resource.close()));
  return resource;
}

/** Calls `end` when the running test is done; outside of tests, after those of the file. */
export function whenDone(end: () => unknown): void {
  try {
    onTestFinished(() => void end());
  } catch {
    ends.push(end);
  }
}

/** Makes an empty folder, and removes it after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tiding-test-'));
  ends.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** Ends everything. Vitest calls it after each file. */
export async function endResources(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}
