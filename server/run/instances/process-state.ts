import type { StoredSetting } from '../../settings/setting.ts';
import type { InterpreterInstances } from './instances.ts';
import type { Caller } from './slot.ts';

/** What a process does; `dead`: it has ended, and its variables are lost. */
export type ProcessState = 'none' | 'starting' | 'idle' | 'busy' | 'dead';

/** Returns what the process does that serves a user on a note. */
export function processState(
  instances: InterpreterInstances,
  setting: StoredSetting,
  caller: Caller,
): ProcessState {
  const { key } = instances.placeOf(setting, caller);
  const slot = instances.of(setting.id).find(({ placement }) => placement.key === key);
  if (slot?.interpreter) return slot.run ? 'busy' : 'idle';
  if (slot && slot.waiting > 0) return 'starting';
  return instances.ended.has(setting.id, key) ? 'dead' : 'none';
}
