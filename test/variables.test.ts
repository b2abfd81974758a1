/** Variables of the interpreters of a note on a running server. */
import { expect, it } from 'vitest';
import { bodyOf, twoPeople } from './support/people.ts';
import { onlyFor } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

const people = untilEnd(await twoPeople());

it('are those of the processes of this note, for users who may run it', async () => {
  const { id } = await people.create('%python\nrows = [1, 2, 3]', '%md\nx');
  const note = await people.open(id);
  expect(await note.variables()).toEqual([]);
  for (const paragraph of note.paragraphs) expect((await paragraph.run()).status).toBe('FINISHED');
  expect(await note.variables()).toEqual([
    {
      interpreter: 'python',
      isBusy: false,
      total: 1,
      variables: [
        {
          name: 'rows',
          type: 'list',
          shape: '3',
          size: expect.any(Number),
          preview: '[1, 2, 3]',
          isTable: false,
        },
      ],
    },
  ]);
  const other = await people.open((await people.create('%python\nother = 1')).id);
  expect((await other.paragraphs[0]!.run()).status).toBe('FINISHED');
  expect((await other.variables())[0]!.variables.map(({ name }) => name)).toEqual(['other']);

  await bodyOf(
    people.call(people.admin, 'PUT', `/notebook/${id}/permissions`, {
      ...onlyFor('admin'),
      readers: ['bob'],
    }),
  );
  const readers = await people.open(id, 'bob');
  await expect(readers.variables()).rejects.toMatchObject({ status: 403 });
}, 600_000);
