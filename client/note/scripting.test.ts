import { describe, expect, test } from 'vitest';
import { scriptedClients, settle } from '../../test/support/scripted.ts';

const scripted = scriptedClients();

async function setUp() {
  const all = scripted();
  const note = await all.open({
    id: 'n',
    paragraphs: [
      { id: 'p', text: 'x', status: 'READY' },
      { id: 'q', text: 'y', status: 'READY' },
    ],
  });
  const value = (name: string, object: unknown, more: object = {}) =>
    all.last().say('ANGULAR_OBJECT_UPDATE', {
      angularObject: { name, object },
      interpreterGroupId: 'sh-shared_process',
      noteId: 'n',
      ...more,
    });
  return { ...all, note, z: note.z, value };
}

describe('a paragraph id', () => {
  test.each([
    ['runParagraph', "Please provide a 'paragraphId' when calling z.runParagraph(paragraphId)"],
    [
      'angularBind',
      "Please provide a 'paragraphId' when calling z.angularBind(varName, value, " +
        "'PUT_HERE_PARAGRAPH_ID')",
    ],
    [
      'angularUnbind',
      "Please provide a 'paragraphId' when calling z.angularUnbind(varName, " +
        "'PUT_HERE_PARAGRAPH_ID')",
    ],
  ] as const)('that is missing is reported by %s', async (call, text) => {
    const { z } = await setUp();
    const act = async () =>
      call === 'runParagraph'
        ? z.runParagraph('')
        : call === 'angularBind'
          ? z.angularBind('a', 1, '')
          : z.angularUnbind('a', '');
    await expect(act()).rejects.toThrow(text);
  });

  test('that the note does not have is reported [W130]', async () => {
    const { z } = await setUp();
    expect(() => z.run('nowhere')).toThrow("Cannot find a paragraph with id 'nowhere'");
    await expect(z.set('a', 1, 'nowhere')).rejects.toThrow(
      "Cannot find a paragraph with id 'nowhere'",
    );
  });
});

describe('a shared value', () => {
  test('of the paragraph takes precedence over that of the note', async () => {
    const { z, value } = await setUp();
    value('v', 'of the note');
    value('v', 'of p', { paragraphId: 'p' });
    expect([z.get('v'), z.get('v', 'p'), z.get('v', 'q'), z.get('w')]).toEqual([
      'of the note',
      'of p',
      'of the note',
      undefined,
    ]);
  });

  test("of an interpreter is changed there, and here because servers don't echo it", async () => {
    const { z, value, last } = await setUp();
    value('v', 1);
    await z.put('v', 2);
    expect(last().frames.at(-1)).toMatchObject({
      op: 'ANGULAR_OBJECT_UPDATED',
      data: { noteId: 'n', name: 'v', value: 2, interpreterGroupId: 'sh-shared_process' },
    });
    expect(z.get('v')).toBe(2);
  });

  test('is reverted if the server refuses the change', async () => {
    const { z, value, last } = await setUp();
    value('v', 1);
    value('v', 5, { paragraphId: 'q' });
    await z.put('v', 2, '');
    await z.put('v', 6, 'q');
    expect([z.get('v'), z.get('v', 'q')]).toEqual([2, 6]);
    last().say('AUTH_INFO', { info: 'Insufficient privileges' }, last().frames.at(-2)!.msgId);
    expect([z.get('v'), z.get('v', 'q')]).toEqual([1, 6]);
  });

  test('is bound to a paragraph, and gone after removal in either format', async () => {
    const { z, last, value } = await setUp();
    const bound = z.set('v', 1, 'p');
    await settle();
    expect(last().frames.at(-1)).toMatchObject({
      op: 'ANGULAR_OBJECT_CLIENT_BIND',
      data: { noteId: 'n', name: 'v', value: 1, paragraphId: 'p' },
    });
    value('v', 1, { paragraphId: 'p' });
    await bound;
    expect(z.get('v', 'p')).toBe(1);
    last().say('ANGULAR_OBJECT_REMOVE', {
      angularObject: { name: 'v' },
      noteId: 'n',
      paragraphId: 'p',
    });
    expect(z.get('v', 'p')).toBeUndefined();
    value('v', 2, { paragraphId: 'p' });
    const unbound = z.unset('v', 'p');
    await settle();
    last().say('ANGULAR_OBJECT_REMOVE', { name: 'v', noteId: 'n', paragraphId: 'p' });
    await unbound;
    expect(z.get('v', 'p')).toBeUndefined();
  });

  test('that is a list gets an explanation if a Zeppelin refuses it', async () => {
    const { z, last } = await setUp();
    const refused = async (value: unknown, info: object) => {
      const bound = z.set('v', value, 'p').catch((error: unknown) => error);
      await settle();
      last().say('ERROR_INFO', info, last().frames.at(-1)!.msgId);
      return bound;
    };
    expect(await refused([1], {})).toMatchObject({
      code: 'unsupported',
      message:
        "This server accepts no list as a value: bind 'v' to an object that contains the list.",
      operation: 'ANGULAR_OBJECT_CLIENT_BIND',
      cause: { code: 'server' },
    });
    expect(await refused({ list: [1] }, { info: 'no process' })).toMatchObject({
      code: 'server',
      message: 'no process',
    });
  });

  test('that is a function is called with its arguments as value', async () => {
    const { z, value, last } = await setUp();
    value('_Z_ANGULAR_FUNC_greet', undefined);
    await z.call('greet', 'ann', 2);
    expect(last().frames.at(-1)).toMatchObject({
      op: 'ANGULAR_OBJECT_UPDATED',
      data: { name: '_Z_ANGULAR_FUNC_greet', value: ['ann', 2] },
    });
    await expect(z.call('nothing')).rejects.toThrow("There is no function 'nothing'");
  });
});
