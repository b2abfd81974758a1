/** An instance of an interpreter setting, and its queue of runs. */
import type { Interpreter, Run, TableExchange } from '../../interpreters/contract.ts';
import type { DependencyStatus } from '../dependencies.ts';
import type { Placement } from './placement.ts';

/** Whom an instance runs for. */
export interface Caller {
  readonly noteId: string;
  readonly principal: string;
  /** Id of the paragraph whose terminal it is. Absent: it is no terminal. */
  readonly terminal?: string | undefined;
}

/** An instance and its queue; the first run creates the interpreter. */
export interface Slot {
  readonly placement: Placement;
  /** The user who used it last. */
  caller: string;
  interpreter: Interpreter | undefined;
  /** Passwords that its code may have read. */
  passwords: Set<string>;
  /** Whether it has received a login of a user. */
  hasLogin: boolean;
  sessionId: string;
  started: Date;
  /** End of its last run, in ms. */
  used: number;
  /** The table exchange provided by this instance's engine, once the engine has announced it. */
  tables: TableExchange | undefined;
  status: DependencyStatus;
  reason: string | undefined;
  /** Account of the user whose run started it. */
  owner: string;
  /** Notes whose code ran in it. */
  notes: Set<string>;
  /** Settles when the previous interpreter has ended. */
  closing: Promise<unknown>;
  /** Settles when the last queued run has ended. */
  queue: Promise<unknown>;
  /** Number of runs in the queue, including the current one. */
  waiting: number;
  run: Run | undefined;
}

/** Fields of a slot without an interpreter. */
export const withoutInterpreter = () => ({
  interpreter: undefined,
  tables: undefined,
  status: 'READY' as const,
  reason: undefined,
  passwords: new Set<string>(),
  hasLogin: false,
  notes: new Set<string>(),
});

/** Returns a slot without an interpreter. */
export function newSlot(placement: Placement, caller: string): Slot {
  return {
    ...withoutInterpreter(),
    placement,
    caller,
    sessionId: '',
    started: new Date(),
    used: performance.now(),
    owner: '',
    closing: Promise.resolve(),
    queue: Promise.resolve(),
    waiting: 0,
    run: undefined,
  };
}
