/** `input()` of `%python` on a running server: who sees the question, and who may answer. */
import { outputText, type Paragraph } from '@tiding/client';
import { expect, it } from 'vitest';
import { bodyOf, twoPeople } from './support/people.ts';
import { untilEnd } from './support/until-end.ts';

const people = untilEnd(await twoPeople());

const asks = (paragraph: Paragraph, prompt: string) =>
  expect.poll(() => paragraph.question?.prompt, { timeout: 300_000 }).toBe(prompt);
const text = (paragraph: Paragraph): string => paragraph.outputs.map(outputText).join('');

it('is answered by users who may run the note, and a password is not shown', async () => {
  const { id } = await people.create(
    '%python\nimport getpass\nname = input("name? ")\nkey = getpass.getpass("key? ")\nlen(key)',
  );
  const note = await people.open(id);
  const paragraph = note.paragraphs[0]!;
  const run = paragraph.run();
  await asks(paragraph, 'name? ');
  expect(paragraph.question).toMatchObject({ password: false });

  // A page that is opened now shows the question too. Readers can't answer.
  const permissions = (body: object) =>
    people.call(people.admin, 'PUT', `/notebook/${id}/permissions`, body);
  await bodyOf(permissions({ owners: ['admin'], readers: ['bob'], writers: [], runners: [] }));
  const seen = (await people.open(id, 'bob')).paragraphs[0]!;
  const question = seen.question!;
  expect(question.prompt).toBe('name? ');
  await expect(seen.answer(question, 'Eve')).rejects.toThrow(/Insufficient privileges/);
  await bodyOf(permissions({ owners: ['admin'], readers: ['bob'], writers: [], runners: ['bob'] }));
  await seen.answer(question, 'Ada');

  await asks(paragraph, 'key? ');
  expect(text(paragraph)).toContain('name? Ada\n');
  expect(paragraph.question).toMatchObject({ password: true });
  // The first question no longer waits.
  await paragraph.answer(question, 'late');
  expect(paragraph.question?.prompt).toBe('key? ');
  await paragraph.answer(paragraph.question!, 'hush');
  const { status } = await run;
  expect([status, text(paragraph)]).toEqual(['FINISHED', 'name? Ada\nkey? ········\n4\n']);
  expect(paragraph.question).toBeUndefined();
  const stored = await people.call(people.admin, 'GET', `/notebook/${id}`);
  expect(stored.text).not.toContain('hush');
  expect(stored.text).not.toContain('INPUT');
}, 600_000);

it('is ended by a cancelled run, and refused if nobody has the note open', async () => {
  const { id, paragraphs } = await people.create('%python\nx = 1\ninput("go on? ")');
  const note = await people.open(id);
  const paragraph = note.paragraphs[0]!;
  const run = paragraph.run();
  await asks(paragraph, 'go on? ');
  await paragraph.cancel();
  expect((await run).status).toBe('ABORT');
  expect(text(paragraph)).toMatch(/^go on\? \n/);
  note.close();
  // By REST, with no page.
  const answer = await people.call(
    people.admin,
    'POST',
    `/notebook/run/${id}/${paragraphs![0]!.id}`,
  );
  expect(answer.text).toContain('nobody has the note open');
}, 600_000);
