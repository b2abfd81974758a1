import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cleanRunOption,
  runMode,
  runModeText,
  runSharing,
  withRunMode,
  withSharing,
} from './interpreter-run-mode.ts';

describe('the displayed mode', () => {
  test.each([
    [{ perNote: 'shared', perUser: 'shared' }, 'Globally', 'Globally'],
    [{}, 'Globally', 'Globally'],
    [{ perNote: '', perUser: '' }, 'Globally', 'Globally'],
    [{ perNote: 'scoped', perUser: '' }, 'Per Note', 'Per Note'],
    [{ perNote: 'isolated' }, 'Per Note', 'Per Note'],
    [{ perNote: 'shared', perUser: 'scoped' }, 'Per User', 'Per Note'],
    [{ perNote: 'scoped', perUser: 'isolated' }, 'Per User', 'Per Note'],
    [{ perNote: 'scoped', perUser: 'shared' }, 'Per User', 'Per Note'],
    [{ perUser: 'isolated' }, 'Per User', 'Per Note'],
  ])('%j: %s signed in, %s anonymous [W66]', (option, signedIn, anonymous) => {
    expect(runMode(option, true)).toBe(signedIn);
    expect(runMode(option, false)).toBe(anonymous);
  });

  test('the description', () => {
    expect(runModeText({}, true)).toBe(
      'The interpreter will be instantiated Globally in shared process',
    );
    expect(runModeText({ perNote: 'isolated' }, false)).toBe(
      'The interpreter will be instantiated Per Note in isolated process',
    );
    expect(runModeText({ perNote: 'scoped', perUser: 'isolated' }, true)).toBe(
      'The interpreter will be instantiated Per User in isolated process And Per Note in ' +
        'scoped process',
    );
    expect(runModeText({ perNote: 'shared', perUser: 'scoped' }, true)).toBe(
      'The interpreter will be instantiated Per User in scoped process',
    );
  });
});

describe('choosing a mode', () => {
  test.each([
    ['Globally', { perNote: 'shared', perUser: 'shared', session: false, process: false }],
    ['Per Note', { perNote: 'scoped', perUser: '', session: true, process: false }],
    ['Per User', { perNote: 'shared', perUser: 'scoped', session: true, process: false }],
  ] as const)('%s', (mode, expected) => {
    const option = withRunMode({ remote: true, isUserImpersonate: true }, mode);
    expect(option).toEqual({ remote: true, isUserImpersonate: false, ...expected });
    expect(runMode(option, true)).toBe(mode);
  });

  test.each([
    ['shared', { session: false, process: false }],
    ['scoped', { session: true, process: false }],
    ['isolated', { session: false, process: true }],
  ] as const)('%s sets session and process [W65]', (sharing, flags) => {
    expect(withSharing({ perNote: 'scoped', perUser: '' }, 'perNote', sharing)).toEqual({
      perNote: sharing,
      perUser: '',
      ...flags,
    });
    const perUser = withSharing({ perNote: 'shared', perUser: 'scoped' }, 'perUser', sharing);
    expect(perUser).toEqual({ perNote: 'shared', perUser: sharing, ...flags });
    expect(runSharing(perUser, true)).toBe(sharing);
  });

  test('impersonation is kept only per user and isolated [W67]', () => {
    const sharing = fc.constantFrom('', 'shared', 'scoped', 'isolated', undefined);
    fc.assert(
      fc.property(sharing, sharing, fc.boolean(), (perNote, perUser, signedIn) => {
        const { isUserImpersonate } = cleanRunOption(
          { perNote, perUser, isUserImpersonate: true },
          signedIn,
        );
        expect(isUserImpersonate).toBe(signedIn && perUser === 'isolated');
      }),
    );
    const kept = { perNote: 'shared', perUser: 'isolated', isUserImpersonate: true };
    expect(withSharing(kept, 'perUser', 'scoped').isUserImpersonate).toBe(false);
    expect(withSharing(kept, 'perUser', 'isolated').isUserImpersonate).toBe(true);
  });
});
