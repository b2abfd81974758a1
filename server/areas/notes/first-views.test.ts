import {
  createNote,
  createParagraph,
  type IdSource,
  type StoredParagraph,
} from '@tiding/client/notebook';
import { expect, it } from 'vitest';
import type { Embed } from '../../auth/embed-access.ts';
import type { ServerContext } from '../context.ts';
import { resultsRest } from './results.ts';

const result = (data: string) => ({ code: 'SUCCESS', msg: [{ type: 'TEXT', data }] });
const noIds = {} as IdSource;
const paragraphs: StoredParagraph[] = ['rome', 'oslo'].map((name) => ({
  ...createParagraph(
    { ...noIds, paragraph: () => ({ id: `id-${name}`, jobName: '' }) },
    {
      text: `%sh\necho ${name}`,
    },
  ),
  status: 'FINISHED',
  results: result(name),
}));
const [one, two] = paragraphs.map(({ id }) => id) as [string, string];
const note = createNote(noIds, 'Views', paragraphs, 'note');

type Answer = { sheets: string[]; views: { revision?: string; css?: number; body?: unknown }[] };
/** Asks for views: ids of paragraphs, each with the revision that the page shows. */
const ask = async (
  wanted: readonly [id: string, revision?: string][],
  embed: Partial<Embed> = {},
  look = 'default',
): Promise<Answer> => {
  const response = await resultsRest.getFirstViews(
    {
      params: { noteId: 'note' },
      body: {
        views: wanted.map(([paragraphId, revision]) => ({
          ...{ paragraphId, revision, look },
          width: 700,
        })),
      },
      person: {
        principal: 'embed:x',
        roles: [],
        embed: { scope: 'view', noteId: 'note', ...embed },
      },
      header: () => undefined,
    } as never,
    { notes: { get: () => note }, results: { find: () => undefined } } as unknown as ServerContext,
  );
  return (await response.json()) as Answer;
};

it('answers for several paragraphs of a note, with each style sheet once', async () => {
  const { sheets, views } = await ask([[one], [two]]);
  expect(sheets).toHaveLength(1);
  expect(views.map(({ css }) => css)).toEqual([0, 0]);
  expect(views.map(({ body }) => JSON.stringify(body).match(/echo|rome|oslo/g))).toEqual([
    ['rome', 'echo', 'rome', 'rome'],
    ['oslo', 'echo', 'oslo', 'oslo'],
  ]);
  expect(JSON.stringify((await ask([[one]], { scope: 'results' })).views)).not.toContain('echo');
});

it('checks the right for each paragraph', async () => {
  const [own, other, missing] = (await ask([[one], [two], ['p0']], { paragraphId: one })).views;
  expect(own!.body).toBeDefined();
  expect([other, missing]).toEqual([{}, {}]);
  expect((await ask([[one]], { scope: 'run' })).views).toEqual([{}]);
  expect((await ask([[one]], {}, 'focus')).views).toEqual([{}]);
});

it('has no markup until something that a paragraph shows changes', async () => {
  const revision = (await ask([[one]])).views[0]!.revision!;
  expect(await ask([[one, revision]])).toMatchObject({ sheets: [], views: [{ revision }] });
  for (const change of [
    { results: result('three') },
    { config: { editorHide: true } },
    { title: 'Named' },
  ]) {
    Object.assign(paragraphs[0]!, change);
    expect((await ask([[one, revision]])).views[0]!.body, Object.keys(change)[0]).toBeDefined();
  }
  paragraphs[0]!.status = 'RUNNING';
  expect((await ask([[one, revision]])).views).toEqual([{}]);
});
