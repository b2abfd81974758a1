/** Widgets of a kernel on a running server: who sees and changes them, output, limits, the end. */
import { type CommEvent, createClient, outputText, type Paragraph } from '@tiding/client';
import { widgetViewInHtml } from '@tiding/client/model';
import { expect, it } from 'vitest';
import { bodyOf, twoPeople } from './support/people.ts';
import { untilEnd } from './support/until-end.ts';
import { installWords } from './support/words-kernel.ts';

const folder = await installWords('words', 'Words');
const people = untilEnd(await twoPeople({ kernels: [folder] }));

const text = (paragraph: Paragraph): string => paragraph.outputs.slice(1).map(outputText).join('');
const viewOf = (paragraph: Paragraph) => widgetViewInHtml(outputText(paragraph.outputs[0]!))!;
const change = (value: number, message: string = crypto.randomUUID()) => ({
  message,
  type: 'comm_msg' as const,
  comm: 'slider',
  data: { method: 'update', state: { value }, buffer_paths: [] },
});
const script = '%words\nwidget layout {}\nwidget slider {"value": 1, "layout": "IPY_MODEL_layout"}';

it('show one state to all pages, and only users who may run the note change it [S93]', async () => {
  const { id } = await people.create(`${script}\nview slider`);
  const note = await people.open(id);
  const paragraph = note.paragraphs[0]!;
  expect((await paragraph.run()).status).toBe('FINISHED');
  const view = viewOf(paragraph);
  expect(view.model).toBe('slider');
  const comms = await paragraph.comms(view.kernel);
  const { status, models } = await comms.load(view.model);
  expect([status, models.map(({ comm, data }) => [comm, data['state']])]).toEqual([
    'live',
    [
      ['layout', {}],
      ['slider', { value: 1, layout: 'IPY_MODEL_layout' }],
    ],
  ]);

  const permissions = (body: object) =>
    people.call(people.admin, 'PUT', `/notebook/${id}/permissions`, body);
  await bodyOf(permissions({ owners: ['admin'], readers: ['bob'], writers: [], runners: [] }));
  const seen = (await people.open(id, 'bob')).paragraphs[0]!;
  const theirs = await seen.comms(viewOf(seen).kernel);
  const events: CommEvent[] = [];
  theirs.subscribe((event) => void events.push(event));
  expect((await theirs.load('slider')).models).toHaveLength(2);
  await expect(theirs.send(change(9))).rejects.toThrow(/Insufficient privileges/);

  const own: CommEvent[] = [];
  comms.subscribe((event) => void own.push(event));
  await comms.send(change(2, 'mine'));
  await expect.poll(() => own.map(({ type }) => type)).toEqual(['accepted', 'comm_msg', 'idle']);
  expect(own.map(({ parent }) => parent)).toEqual(['mine', 'mine', 'mine']);
  await expect
    .poll(() => events)
    .toMatchObject([{ type: 'comm_msg', data: { state: { value: 2 } } }]);
  const state = async () => (await theirs.load('slider')).models[1]!.data['state'];
  expect(await state()).toMatchObject({ value: 2 });

  // What the callback prints is stored with the note.
  await expect.poll(() => text(paragraph)).toBe('value is 2\n');
  await expect.poll(() => text(seen)).toBe('value is 2\n');
  await comms.send({ ...change(0), data: { method: 'custom' }, buffers: ['QUI=', 'Qw=='] });
  await expect.poll(() => text(paragraph)).toBe('value is 2\n2 buffers\n');
  await expect
    .poll(async () => (await people.call(people.admin, 'GET', `/notebook/${id}`)).text)
    .toContain('2 buffers');
  const [reread] = (await people.open(id)).paragraphs;
  expect(text(reread!)).toBe('value is 2\n2 buffers\n');

  // A new run replaces it.
  await paragraph.run();
  expect(text(paragraph)).toBe('');
});

it.each(['run', 'results'] as const)(
  'of a paragraph are all that a page with a token for it and the scope %s reaches [S33 S93]',
  async (scope) => {
    const { id, paragraphs = [] } = await people.create(
      '%words\nwidget own {"value": 1}\nview own',
      script,
    );
    const [own, other] = (await people.open(id)).paragraphs;
    for (const each of [other!, own!]) await each.run();
    const paragraphId = paragraphs[0]!.id;
    const asked = { noteId: id, paragraphId, scope };
    const made = await people.call(people.admin, 'POST', '/magpie/embed-token', asked);
    const { token } = made.json as { token: string };
    const client = untilEnd(createClient({ server: people.url, auth: { token } }));
    const [seen] = (await client.open(id)).paragraphs;
    const comms = await seen!.comms(viewOf(seen!).kernel);
    expect((await comms.load('own')).models).toHaveLength(1);
    await expect(comms.load('slider')).rejects.toThrow('no such widget');
    const outcome = (changed: object) =>
      comms.send({ ...change(9), ...changed }).then(
        () => 'accepted',
        ({ message }: Error) => message,
      );
    const linked = { method: 'update', state: { next: 'IPY_MODEL_slider' } };
    const refused = scope === 'run' ? /no such widget/ : /only valid to show/;
    for (const changed of [{}, { comm: 'own', data: linked }, { comm: 'new', data: linked }])
      expect(await outcome(changed)).toMatch(refused);
    expect(await outcome({ comm: 'own' })).toMatch(scope === 'run' ? /accepted/ : refused);
  },
);

it('that are gone, unknown or too large are refused with a sentence', async () => {
  const { id } = await people.create(`${script}\nview slider`);
  const note = await people.open(id);
  const paragraph = note.paragraphs[0]!;
  expect(await paragraph.run()).toMatchObject({ status: 'FINISHED', error: undefined });
  const { kernel } = viewOf(paragraph);
  const comms = await paragraph.comms(kernel);
  await expect(comms.send({ ...change(1), comm: 'other' })).rejects.toThrow(/no longer has/);
  expect(await comms.load('other')).toMatchObject({ status: 'closed', models: [] });
  expect((await (await paragraph.comms('unknown')).load('slider')).status).toBe('ended');
  const tooLarge = { ...change(1), buffers: ['A'.repeat(5 * 2 ** 20)] };
  await expect(comms.send(tooLarge)).rejects.toThrow(/Too big|4194304/);

  // Another note can't reach the kernel's widgets.
  const other = await people.create('%words\nsay x');
  const [stranger] = (await people.open(other.id)).paragraphs;
  expect((await (await stranger!.comms(kernel)).load('slider')).models).toEqual([]);
  await expect((await stranger!.comms(kernel)).send(change(1))).rejects.toThrow(
    /no longer has|belongs to/,
  );

  const ended: string[] = [];
  comms.subscribe(({ type }) => type === 'ended' && ended.push(type));
  await note.context.call('restartSetting', {
    params: { settingId: 'words' },
    body: { noteId: id },
  });
  await expect.poll(() => ended).toEqual(['ended']);
  expect(await comms.load('slider')).toMatchObject({ status: 'ended', models: [{}, {}] });
  await expect(comms.send(change(1))).rejects.toThrow(/has ended\. Run the paragraph again/);
});
