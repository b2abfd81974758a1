/** `%sh.terminal` on a running server: who may type, how long it lives, what it leaves. */
import { type Note, outputText, type Paragraph } from '@tiding/client';
import { expect, it } from 'vitest';
import { Users } from '../server/auth/users.ts';
import { isAlive } from '../server/interpreters/test-support.ts';
import { bodyOf, PASSWORD, twoPeople } from './support/people.ts';
import { type Login, login, openSocket, request } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

const people = untilEnd(await twoPeople({ shell: true }));

/** The end of the prompt of a user, or of root. */
const prompt = /[$#] $/;

/** Opens a new note with these texts as its owner. */
async function openNote(...texts: string[]): Promise<Note> {
  const { id } = await people.create(...texts);
  return people.open(id);
}
const screenOf = (paragraph: Paragraph): string =>
  paragraph.outputs
    .filter(({ type }) => type === 'TERMINAL')
    .map(outputText)
    .join('');
const shows = (paragraph: Paragraph, pattern: RegExp) =>
  expect.poll(() => screenOf(paragraph)).toMatch(pattern);
const shellOf = async (paragraph: Paragraph): Promise<number> => {
  paragraph.typeInTerminal('echo shell $$\r');
  await shows(paragraph, /^shell \d+\r$/m);
  return Number(/^shell (\d+)\r$/m.exec(screenOf(paragraph))![1]);
};

/** What the server answers to an operation of a user: the refusal, or undefined. */
async function refusal(identity: Login['identity'], op: string, data: object) {
  const socket = await openSocket(people.url, { identity });
  socket.send({ op, data });
  // Its refusal follows all answers to the first message.
  socket.send({ op: 'GET_NOTE', data: { id: '2NOSUCHID' }, msgId: 'end' });
  let refused: unknown;
  for (;;) {
    const frame = await socket.any();
    if (frame.msgId === 'end') break;
    if (frame.op === 'AUTH_INFO' || frame.op === 'ERROR_INFO') refused = frame.data['info'];
  }
  socket.socket.close();
  return refused;
}

it('runs until its shell ends, holds up no other shell, and is stored with the note', async () => {
  const note = await openNote('%sh.terminal', '%sh\necho apart');
  const [terminal, other] = note.paragraphs as [Paragraph, Paragraph];
  const run = terminal.run();
  await shows(terminal, prompt);
  terminal.typeInTerminal('echo $((6*7))\r');
  await shows(terminal, /^42\r$/m);
  terminal.resizeTerminal(99, 22);
  terminal.typeInTerminal('stty size\r');
  await shows(terminal, /^22 99\r$/m);
  expect((await other.run()).outputs.map(outputText)).toEqual(['apart\n']);
  // A page that is opened now shows the screen so far.
  const late = await openSocket(people.url, people.admin);
  late.send({ op: 'GET_NOTE', data: { id: note.id } });
  expect(JSON.stringify(await late.next('NOTE'))).toContain('22 99');
  late.socket.close();
  terminal.typeInTerminal('exit\r');
  expect((await run).status).toBe('FINISHED');
  const stored = await bodyOf<{
    paragraphs: { results: { msg: { type: string; data: string }[] } }[];
  }>(people.call(people.admin, 'GET', `/notebook/${note.id}`));
  const { msg } = stored.paragraphs[0]!.results;
  expect(msg.map(({ type }) => type)).toEqual(['TERMINAL']);
  expect(msg[0]!.data).toMatch(/^22 99\r$/m);
  expect(screenOf(terminal)).toBe(msg[0]!.data);
});

it.each([
  ['it is cancelled', (terminal: Paragraph) => terminal.cancel()],
  [
    'its interpreter is restarted for the note',
    ({ note }: Paragraph) =>
      people.call(people.admin, 'PUT', '/interpreter/setting/restart/sh', { noteId: note.id }),
  ],
] as const)('ends when %s', async (_, end) => {
  const note = await openNote('%sh.terminal\necho ready', '');
  const terminal = note.paragraphs[0]!;
  const run = terminal.run();
  await shows(terminal, /^ready\r$/m);
  const pid = await shellOf(terminal);
  await end(terminal);
  expect((await run).status).toBe('ABORT');
  await expect.poll(() => isAlive(pid)).toBe(false);
});

it('ends after its text when the whole note runs, because nobody types', async () => {
  const note = await openNote('%sh.terminal\necho $((6*7))', '%sh\necho after');
  const results = await note.run();
  expect(results.map(({ status }) => status)).toEqual(['FINISHED', 'FINISHED']);
  expect(screenOf(note.paragraphs[0]!)).toMatch(/^42\r$/m);
});

it('takes input only from users who may change the paragraph', async () => {
  for (const name of ['reader', 'runner', 'writer'])
    await new Users(people.data).set(name, { password: PASSWORD });
  const note = await openNote('%sh.terminal\necho ready', '');
  await note.setPermissions({
    owners: ['admin'],
    writers: ['writer'],
    runners: ['runner'],
    readers: ['reader'],
  });
  const terminal = note.paragraphs[0]!;
  const run = terminal.run();
  await shows(terminal, /^ready\r$/m);
  const tokenFor = async (rules: object): Promise<Login['identity']> => {
    const made = await people.call(people.admin, 'POST', '/magpie/embed-token', {
      noteId: note.id,
      ...rules,
    });
    const headers = { Authorization: `Bearer ${(made.json as { token: string }).token}` };
    const ticket = await request(people.url, 'GET', '/api/security/ticket', { headers });
    return (ticket.json as { body: Login['identity'] }).body;
  };
  const user = async (name: string) => (await login(people.url, name, PASSWORD)).identity;
  const refused = [
    ['reader', await user('reader')],
    ['runner', await user('runner')],
    ['stranger', people.bob.identity],
    ['view', await tokenFor({ scope: 'view' })],
    ['run', await tokenFor({ scope: 'run' })],
    ['edit without sh', await tokenFor({ scope: 'edit', interpreters: ['md'] })],
    [
      'another paragraph',
      await tokenFor({ scope: 'edit', interpreters: ['sh'], paragraphId: note.paragraphs[1]!.id }),
    ],
  ] as const;
  const where = { id: terminal.id, noteId: note.id };
  for (const [name, identity] of refused) {
    const input = { ...where, input: `echo by ${name}\r` };
    const size = { ...where, columns: 33, rows: 11 };
    expect([name, await refusal(identity, 'TIDING_TERMINAL_INPUT', input)]).not.toContain(
      undefined,
    );
    expect([name, await refusal(identity, 'TIDING_TERMINAL_SIZE', size)]).not.toContain(undefined);
  }
  for (const [name, identity] of [
    ['writer', await user('writer')],
    ['edit', await tokenFor({ scope: 'edit', interpreters: ['sh'] })],
  ] as const) {
    const input = { ...where, input: `echo typed by ${name}; stty size\r` };
    expect(await refusal(identity, 'TIDING_TERMINAL_INPUT', input)).toBeUndefined();
    await shows(terminal, new RegExp(`^typed by ${name}\r\n24 80\r$`, 'm'));
  }
  expect(screenOf(terminal)).not.toMatch(
    /by (reader|runner|stranger|view|run|edit without|another)/,
  );
  await terminal.cancel();
  await run;
});

it.each([
  ['may not use the shell', { setPermission: true, owners: ['admin'] }, /permission to use/],
  ['have another process', { perUser: 'isolated' }, /belongs to another user/],
] as const)('takes no input from users who %s', async (_, rules, message) => {
  const option = (change: object) =>
    bodyOf(
      people.call(people.admin, 'PUT', '/interpreter/setting/sh', {
        option: { perNote: 'shared', perUser: 'shared', ...change },
      }),
    );
  await option(rules);
  const note = await openNote('%sh.terminal\necho ready', '');
  const terminal = note.paragraphs[0]!;
  const run = terminal.run();
  await shows(terminal, /^ready\r$/m);
  const data = { id: terminal.id, noteId: note.id, input: 'echo by bob\r' };
  expect(await refusal(people.bob.identity, 'TIDING_TERMINAL_INPUT', data)).toMatch(message);
  await terminal.cancel();
  expect((await run).status).toBe('ABORT');
  await option({});
});

it('refuses input and sizes beyond the limits', async () => {
  const note = await openNote('%md\nx', '');
  const where = { id: note.paragraphs[0]!.id, noteId: note.id };
  for (const [op, data] of [
    ['TIDING_TERMINAL_INPUT', { input: 'x'.repeat(65_537) }],
    ['TIDING_TERMINAL_INPUT', {}],
    ['TIDING_TERMINAL_SIZE', { columns: 1_001, rows: 24 }],
    ['TIDING_TERMINAL_SIZE', { columns: 80, rows: 0 }],
    ['TIDING_TERMINAL_SIZE', { columns: 80.5, rows: 24 }],
  ] as const)
    expect(await refusal(people.admin.identity, op, { ...where, ...data })).toBeTypeOf('string');
});

it('ends with the server', async () => {
  const own = await twoPeople({ shell: true });
  const note = await own.open((await own.create('%sh.terminal')).id);
  void note.paragraphs[0]!.run().catch(() => undefined);
  await shows(note.paragraphs[0]!, prompt);
  const pid = await shellOf(note.paragraphs[0]!);
  await own.stop();
  await expect.poll(() => isAlive(pid)).toBe(false);
});
