/**
 * A `vitest` module for pages and workers: the real `expect`, `vi` and clock, without Vitest's
 * process. Features that need that process, such as `vi.mock` and snapshots, are missing.
 */
import { setSafeTimers } from '@vitest/utils/timers';

export {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  chai,
  describe,
  expect,
  it,
  onTestFailed,
  onTestFinished,
  test,
  vi,
} from 'vitest';

// The state that Vitest reads from its worker process.
Object.defineProperty(globalThis, '__vitest_worker__', {
  value: {
    config: { expect: {}, snapshotOptions: { expand: false } },
    filepath: '',
    environment: { name: 'browser' },
    ctx: { pool: 'browser' },
    providedContext: {},
  },
  configurable: true,
});
// `vi.waitUntil` uses the real clock, even while a test fakes it.
setSafeTimers();
