/**
 * Values that `%js` and `%python` code shares with the pages of its note, and the runs it starts.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject, Note, Paragraph, Results } from '@tiding/client/protocol';
import { describe, expect, it } from 'vitest';
import { bodyOf, type People, twoPeople } from './support/people.ts';
import { type Frame, type Login, onlyFor, openSocket } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

let admin: Login;
let bob: Login;
let call: People['call'];

const people = untilEnd(await twoPeople());
({ admin, bob, call } = people);

const noteOf = (id: string, who = admin) => bodyOf<Note>(call(who, 'GET', `/notebook/${id}`));
const create = async (...texts: string[]) => {
  const { id, paragraphs = [] } = await people.create(...texts);
  const ids = paragraphs.map((paragraph) => paragraph.id);
  return { id, ids, first: ids[0]!, second: ids[1]! };
};
const open = async (noteId: string, who = admin) =>
  openSocket(people.url, { identity: who.identity, note: noteId });
const edit = (noteId: string, id: string, text: string) =>
  call(admin, 'PUT', `/notebook/${noteId}/paragraph/${id}`, { text });
/** Runs a paragraph with this text to its end. Returns its output or its error. */
const run = async (noteId: string, id: string, text?: string, who = admin): Promise<string> => {
  if (text !== undefined) expect((await edit(noteId, id, text)).status).toBe(200);
  const { json } = await call(who, 'POST', `/notebook/run/${noteId}/${id}`);
  const { msg = [] } = (json as { body: Results }).body;
  return msg
    .map(({ data }) => data)
    .join('')
    .trim();
};
const flat = ({ op, data }: Frame) => ({ op, ...data });
const stored = async (id: string) =>
  (
    JSON.parse(await readFile(join(people.data, 'notebook', id, 'note.json'), 'utf8')) as {
      angularObjects: JsonObject;
    }
  ).angularObjects;
const finished = (noteId: string, id: string, status = 'FINISHED') =>
  expect
    .poll(
      async () =>
        (await noteOf(noteId)).paragraphs!.find((paragraph) => paragraph.id === id)!.status,
    )
    .toBe(status);

/** Equivalent code in both languages. */
const languages = {
  js: {
    group: 'js:shared_process',
    call: (method: string, ...given: unknown[]) =>
      `%js\nconsole.log(JSON.stringify(await z.${method}(` +
      `${given.map((each) => JSON.stringify(each)).join(', ')}) ?? null))`,
  },
  python: {
    group: 'python:shared_process',
    call: (method: string, ...given: unknown[]) =>
      `%python\nimport json\nprint(json.dumps(z.${method}(` +
      given.map((each) => `json.loads(${JSON.stringify(JSON.stringify(each))})`).join(', ') +
      ')))',
  },
};

describe.each(Object.entries(languages))(
  'values that %s code shares',
  (_name, { group, call: code }) => {
    it('of a note are stored, sent to everyone on it, read back and removed', async () => {
      const { id, first, second } = await create('', '');
      const [one, two] = [await open(id), await open(id)];
      expect(
        await run(id, first, code('angularBind', 'city', { name: 'Seattle', days: [1, 2] })),
      ).toBe('null');
      const update = {
        op: 'ANGULAR_OBJECT_UPDATE',
        angularObject: { name: 'city', object: { name: 'Seattle', days: [1, 2] }, noteId: id },
        interpreterGroupId: group,
        noteId: id,
      };
      for (const socket of [one, two])
        expect(flat(await socket.next('ANGULAR_OBJECT_UPDATE'))).toEqual(update);
      expect((await stored(id))[group]).toEqual([update.angularObject]);
      expect(await run(id, second, code('angular', 'city'))).toMatch(
        /^\{"name": ?"Seattle", ?"days": ?\[1, ?2\]\}$/,
      );
      // Users who open it later receive it too.
      expect(flat(await (await open(id)).next('ANGULAR_OBJECT_UPDATE'))).toEqual(update);
      expect(await run(id, second, code('angularUnbind', 'city'))).toBe('null');
      for (const socket of [one, two])
        expect(flat(await socket.next('ANGULAR_OBJECT_REMOVE'))).toEqual({
          op: 'ANGULAR_OBJECT_REMOVE',
          name: 'city',
          noteId: id,
        });
      expect(await run(id, first, code('angular', 'city'))).toBe('null');
      expect((await stored(id))[group]).toEqual([]);
      // The Python environment may be created here.
    }, 600_000);

    it('of a paragraph are visible to it alone, before those of the note', async () => {
      const { id, first, second } = await create('', '');
      const page = await open(id);
      await run(id, first, code('angularBind', 'kind', 'sun'));
      await run(id, first, code('angularBind', 'kind', 'rain', second));
      await page.next('ANGULAR_OBJECT_UPDATE');
      expect(flat(await page.next('ANGULAR_OBJECT_UPDATE'))).toMatchObject({
        angularObject: { name: 'kind', object: 'rain', noteId: id, paragraphId: second },
        paragraphId: second,
      });
      expect(await run(id, first, code('angular', 'kind'))).toBe('"sun"');
      expect(await run(id, first, code('angular', 'kind', second))).toBe('"rain"');
      expect(await run(id, second, code('angular', 'kind'))).toBe('"rain"');
      // The note's own id refers to the note.
      expect(await run(id, second, code('angular', 'kind', id))).toBe('"sun"');
      await run(id, first, code('angularUnbind', 'kind', second));
      expect(await run(id, second, code('angular', 'kind'))).toBe('"sun"');
      expect(await run(id, first, code('angularBind', 'kind', 1, 'nowhere'))).toContain(
        'z.angularBind: No such paragraph: nowhere',
      );
    });

    it('of all notes reach each note with the interpreter, also after a restart', async () => {
      const [here, there, without] = [await create(''), await create(''), await create('')];
      const bound = await open(without.id);
      bound.send({
        op: 'SAVE_INTERPRETER_BINDINGS',
        data: { noteId: without.id, selectedSettingIds: ['sql'] },
      });
      await bound.next('INTERPRETER_BINDINGS');
      const [one, two, three] = [await open(here.id), await open(there.id), await open(without.id)];
      await run(here.id, here.ids[0]!, code('angularBindGlobal', 'country', 'US'));
      const update = (noteId: string, object: unknown) => ({
        op: 'ANGULAR_OBJECT_UPDATE',
        angularObject: { name: 'country', object },
        interpreterGroupId: group,
        noteId,
      });
      expect(flat(await one.next('ANGULAR_OBJECT_UPDATE'))).toEqual(update(here.id, 'US'));
      expect(flat(await two.next('ANGULAR_OBJECT_UPDATE'))).toEqual(update(there.id, 'US'));
      expect(await run(there.id, there.ids[0]!, code('angular', 'country'))).toBe('"US"');
      // A page changes the global value if the note has none of its own.
      two.send({
        op: 'ANGULAR_OBJECT_UPDATED',
        data: { noteId: there.id, name: 'country', value: 'CA', interpreterGroupId: group },
      });
      expect(flat(await one.next('ANGULAR_OBJECT_UPDATE'))).toEqual(update(here.id, 'CA'));
      expect((await stored(there.id))[group] ?? []).toEqual([]);
      await run(there.id, there.ids[0]!, code('angularBind', 'country', 'MX'));
      expect(flat(await two.next('ANGULAR_OBJECT_UPDATE'))).toMatchObject({
        angularObject: { object: 'MX', noteId: there.id },
      });
      expect(await run(there.id, there.ids[0]!, code('angular', 'country'))).toBe('"MX"');
      expect(await run(there.id, there.ids[0]!, code('angularGlobal', 'country'))).toBe('"CA"');
      await run(here.id, here.ids[0]!, code('angularBindGlobal', 'country', 'BR'));
      // The note's own value is removed; the global value is visible again.
      await run(there.id, there.ids[0]!, code('angularUnbind', 'country'));
      expect(flat(await two.next('ANGULAR_OBJECT_REMOVE', 'ANGULAR_OBJECT_UPDATE'))).toMatchObject({
        op: 'ANGULAR_OBJECT_REMOVE',
      });
      expect(flat(await two.next('ANGULAR_OBJECT_UPDATE'))).toEqual(update(there.id, 'BR'));
      // The page of the unbound note received nothing.
      await run(without.id, without.ids[0]!, '%sql\nselect 1');
      const received: string[] = [];
      for (
        let frame = await three.any();
        frame.op !== 'PARAGRAPH' || (frame.data['paragraph'] as Paragraph).status !== 'FINISHED';
        frame = await three.any()
      )
        received.push(frame.op);
      expect(received.filter((op) => op.startsWith('ANGULAR'))).toEqual([]);
      await people.restart();
      ({ admin, bob } = people);
      expect(flat(await (await open(there.id)).next('ANGULAR_OBJECT_UPDATE'))).toEqual(
        update(there.id, 'BR'),
      );
      const page = await open(here.id);
      await run(there.id, there.ids[0]!, code('angularUnbindGlobal', 'country'));
      expect(flat(await page.next('ANGULAR_OBJECT_REMOVE'))).toEqual({
        op: 'ANGULAR_OBJECT_REMOVE',
        name: 'country',
        noteId: here.id,
      });
      expect(await run(here.id, here.ids[0]!, code('angular', 'country'))).toBe('null');
    });

    it('set by a page are read, and replaced', async () => {
      const { id, first, second } = await create('', '');
      const [page, other] = [await open(id), await open(id)];
      page.send({
        op: 'ANGULAR_OBJECT_CLIENT_BIND',
        data: { noteId: id, name: 'hero', value: 'Ada', paragraphId: first },
      });
      await other.next('ANGULAR_OBJECT_UPDATE');
      expect(await run(id, first, code('angular', 'hero'))).toBe('"Ada"');
      expect(await run(id, second, code('angular', 'hero'))).toBe('null');
      await run(id, second, code('angularBind', 'year', 2012));
      await other.next('ANGULAR_OBJECT_UPDATE');
      page.send({
        op: 'ANGULAR_OBJECT_UPDATED',
        data: { noteId: id, name: 'year', value: 2015, interpreterGroupId: group },
      });
      await other.next('ANGULAR_OBJECT_UPDATE');
      expect(await run(id, second, code('angular', 'year'))).toBe('2015');
      // A name is stored once, whoever bound it last.
      await run(id, first, code('angularBind', 'hero', 'Eve', first));
      expect(Object.values(await stored(id)).flat()).toEqual([
        { name: 'year', noteId: id, object: 2015 },
        { name: 'hero', noteId: id, paragraphId: first, object: 'Eve' },
      ]);
    });

    it('replace a form of the same name', async () => {
      const { id, first, second } = await create('', '%js(form=simple)\n"year ${year=2012}"');
      expect(await run(id, second)).toContain('year 2012');
      await run(id, first, code('angularBind', 'year', 2014));
      expect(await run(id, second)).toContain('year 2014');
    });

    it('are rejected for invalid names and excessive sizes', async () => {
      const { id, first } = await create('');
      for (const name of ['', ' ', 'a\nb', 'x'.repeat(256)])
        expect(await run(id, first, code('angularBind', name, 1))).toContain(
          'z.angularBind: A name must be text of 1 to 255 characters',
        );
      for (const name of ['$apply', '__proto__', 'constructor', 'z'])
        expect(await run(id, first, code('angularBindGlobal', name, 1))).toContain(
          `z.angularBindGlobal: '${name}' is reserved in templates`,
        );
      expect(await run(id, first, code('angularBind', 7, 1))).toContain('z.angularBind: name');
      expect(await run(id, first, code('angularBind', 'long', 'x'.repeat(64_000)))).toContain(
        'z.angularBind: A value may have at most 64000 bytes of JSON, but this one has 64002.',
      );
      expect(
        await run(
          id,
          first,
          code('angularBind', 'deep', JSON.parse('['.repeat(70) + ']'.repeat(70))),
        ),
      ).toContain('z.angularBind: JSON may be nested at most 64 levels deep.');
      expect(await stored(id)).toEqual({});
    });
  },
);

describe('values of a paragraph', () => {
  const bound = async () => {
    const { id, first, second } = await create('', '', '');
    const page = await open(id);
    for (const [name, value, paragraphId] of [
      ['kind', 'sun', first],
      ['kind', 'rain', second],
      ['days', [1, 2], second],
    ] as const) {
      page.send({
        op: 'ANGULAR_OBJECT_CLIENT_BIND',
        data: { noteId: id, name, value, paragraphId },
      });
      await page.next('ANGULAR_OBJECT_UPDATE');
    }
    return { id, first, second, page };
  };
  const value = (noteId: string, paragraphId: string, name: string, object: unknown) => ({
    name,
    noteId,
    paragraphId,
    object,
  });
  const group = 'page:shared_process';

  it('are removed and restored together with it', async () => {
    const { id, first, second, page } = await bound();
    const paragraph = (await noteOf(id)).paragraphs![1]!;
    page.send({ op: 'PARAGRAPH_REMOVE', data: { id: second, noteId: id } });
    for (const name of ['kind', 'days'])
      expect(flat(await page.next('ANGULAR_OBJECT_REMOVE'))).toEqual({
        op: 'ANGULAR_OBJECT_REMOVE',
        name,
        noteId: id,
        paragraphId: second,
      });
    await page.next('PARAGRAPH_REMOVED');
    expect((await stored(id))[group]).toEqual([value(id, first, 'kind', 'sun')]);
    // A value bound meanwhile is kept.
    page.send({
      op: 'ANGULAR_OBJECT_CLIENT_BIND',
      data: { noteId: id, name: 'kind', value: 'snow', paragraphId: second },
    });
    await page.next('ANGULAR_OBJECT_UPDATE');
    page.send({ op: 'TIDING_RESTORE_PARAGRAPH', data: { noteId: id, index: 1, paragraph } });
    await page.next('PARAGRAPH_ADDED');
    expect(flat(await page.next('ANGULAR_OBJECT_UPDATE'))).toEqual({
      op: 'ANGULAR_OBJECT_UPDATE',
      angularObject: value(id, second, 'days', [1, 2]),
      interpreterGroupId: group,
      noteId: id,
      paragraphId: second,
    });
    expect((await stored(id))[group]).toEqual([
      value(id, first, 'kind', 'sun'),
      value(id, second, 'kind', 'snow'),
      value(id, second, 'days', [1, 2]),
    ]);
  });

  it('belong to the copy in a clone, and to the new note in an import', async () => {
    const { id, second, page } = await bound();
    page.send({
      op: 'ANGULAR_OBJECT_CLIENT_BIND',
      data: { noteId: id, name: 'lost', value: 1, paragraphId: 'no-such-paragraph' },
    });
    await page.next('ANGULAR_OBJECT_UPDATE');
    const copy = await bodyOf<string>(
      call(admin, 'POST', `/notebook/${id}`, { name: `copy of ${id}` }),
    );
    const [one, two] = (await noteOf(copy)).paragraphs!.map((paragraph) => paragraph.id);
    expect(two).not.toBe(second);
    expect((await stored(copy))[group]).toEqual([
      value(copy, one!, 'kind', 'sun'),
      value(copy, two!, 'kind', 'rain'),
      value(copy, two!, 'days', [1, 2]),
    ]);
    expect(await run(copy, two!, '%js\nconsole.log(await z.angular("kind"))')).toBe('rain');
    const imported = await bodyOf<string>(
      call(admin, 'POST', '/notebook/import', {
        ...(await noteOf(id)),
        name: `import of ${id}`,
      } as unknown as JsonObject),
    );
    expect(((await stored(imported))[group] as unknown[])[1]).toEqual(
      value(imported, second, 'kind', 'rain'),
    );
    expect((await stored(id))[group]).toHaveLength(4);
  });
});

it('a note accepts a megabyte of values', async () => {
  const { id, first } = await create('');
  const text = await run(
    id,
    first,
    '%js\nfor (let i = 0; i < 40; i++) { ' +
      "await z.angularBind('v' + i, 'x'.repeat(60000)); console.log(i); }",
  );
  expect(text).toContain('16');
  expect(text).not.toContain('17\n');
  expect(text).toContain(
    'z.angularBind: The values of this note may have at most 1048576 bytes of JSON in total.',
  );
});

it("%js rejects values JSON can't represent, and completes unawaited requests", async () => {
  const { id, first } = await create('');
  for (const [value, reason] of [
    ['() => 1', 'a value of type function cannot be represented in JSON'],
    ['undefined', 'a value of type undefined cannot be represented in JSON'],
    ['{ a: [NaN] }', 'NaN cannot be represented in JSON'],
    ['1n', 'BigInt'],
    ['(() => { const a = []; a.push(a); return a; })()', 'circular'],
  ] as const) {
    expect(await run(id, first, `%js\nawait z.angularBind('a', ${value})`)).toContain(reason);
  }
  expect(
    await run(
      id,
      first,
      "%js\nvoid z.angularBind('late', new Date(0)); z.angularBind('', 1); 'end'",
    ),
  ).toMatch(/'end'[\s\S]*z\.angularBind: A name must be text/);
  expect(await run(id, first, "%js\nz.angular('late')")).toBe("'1970-01-01T00:00:00.000Z'");
  // Requests made by a timer after the end of the run have no user.
  await run(
    id,
    first,
    "%js\nsetTimeout(() => z.angularBind('later', " +
      "1).then(() => (globalThis.refused = 'the run went on'), " +
      '(error) => (globalThis.refused = error.message)), 2_000); 1',
  );
  expect(
    await run(
      id,
      first,
      '%js\nwhile (!globalThis.refused) await new Promise((done) => setTimeout(done, 20)); refused',
    ),
  ).toBe("'z.angularBind: the run has already ended.'");
  expect(
    JSON.parse(
      await run(id, first, '%js\nconsole.log(JSON.stringify(await z.getInterpreterContext()))'),
    ),
  ).toMatchObject({ noteId: id, paragraphId: first, paragraphTitle: '' });
});

it("%python rejects values JSON can't represent, and converts NumPy and dates", async () => {
  const { id, first } = await create('');
  for (const [value, reason] of [
    ['{1}', 'Object of type set is not JSON serializable'],
    ['float("nan")', 'Out of range float'],
    ['z', 'Object of type Z'],
    ['pandas.DataFrame({"a": [1]})', "Use frame.to_dict('records')"],
    ['{(1, 2): 3}', 'keys must be'],
  ] as const) {
    const text = await run(id, first, `%python\nimport pandas\nz.angularBind('a', ${value})`);
    expect(text).toContain('TypeError: z.angularBind: this value cannot be represented in JSON');
    expect(text).toContain(reason);
    expect(text).not.toContain('_tiding_');
  }
  const code =
    'import numpy, pandas, datetime\nz.angularBind("a", ' +
    '[numpy.int64(1), numpy.arange(2), {"t": pandas.Timestamp("2026-01-31"), ' +
    '"d": datetime.date(2026, 2, 1)}, (True, None)])\nprint(z.angular("a"))';
  expect(await run(id, first, `%python\n${code}`)).toBe(
    "[1, [0, 1], {'t': '2026-01-31T00:00:00', 'd': '2026-02-01'}, [True, None]]",
  );
  expect(
    await run(
      id,
      first,
      '%python\nc = z.getInterpreterContext(); print(c.getNoteId(), c.getParagraphId())',
    ),
  ).toBe(`${id} ${first}`);
});

describe('rights', () => {
  it('code shares values and runs notes with the rights of the user who runs it', async () => {
    const closed = await create('%js\n"secret"');
    await call(admin, 'PUT', `/notebook/${closed.id}/permissions`, onlyFor('admin'));
    const {
      id,
      ids: [bind, runIt, whole],
    } = await create(
      '%js\nawait z.angularBind("n", 1); z.angular("n")',
      `%js\nawait z.run('${closed.id}', '${closed.ids[0]}')`,
      `%js\nawait z.runNote('${closed.id}')`,
    );
    await call(admin, 'PUT', `/notebook/${id}/permissions`, {
      ...onlyFor('admin', 'bob'),
      owners: ['admin'],
      writers: ['admin'],
    });
    expect(await run(id, bind!, undefined, bob)).toBe('1');
    const page = await open(id, bob);
    await page.next('ANGULAR_OBJECT_UPDATE');
    page.send({
      op: 'ANGULAR_OBJECT_UPDATED',
      data: { noteId: id, name: 'n', value: 2, interpreterGroupId: 'js:shared_process' },
    });
    expect((await page.next('AUTH_INFO', 'ANGULAR_OBJECT_UPDATE')).op).toBe('AUTH_INFO');
    for (const paragraph of [runIt, whole])
      expect(await run(id, paragraph!, undefined, bob)).toMatch(
        /z\.run(Note)?: Insufficient privileges to run note\./,
      );
    expect((await noteOf(closed.id)).paragraphs![0]!.status).toBe('READY');
    expect(await run(id, runIt!)).toBe('');
    await finished(closed.id, closed.ids[0]!);
  });

  it('an embedded page changes nothing outside its note, not even by code', async () => {
    const other = await create('%js\n1');
    const { id, ids } = await create(
      '%js\nawait z.angularBind("n", 1); z.angular("n")',
      '%js\nawait z.angularBindGlobal("embedded", 1)',
      `%js\nawait z.run('${other.id}', '${other.ids[0]}')`,
      '%js\nawait z.angularUnbindGlobal("embedded")',
    );
    const { token } = (
      await call(admin, 'POST', '/magpie/embed-token', {
        noteId: id,
        scope: 'run',
        expiresInSeconds: 60,
      })
    ).json as { token: string };
    const asVisitor = async (paragraph: string) => {
      const answer = await fetch(`${people.url}/api/notebook/run/${id}/${paragraph}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      });
      return ((await answer.json()) as { body: Results }).body
        .msg!.map(({ data }) => data)
        .join('');
    };
    expect(await asVisitor(ids[0]!)).toBe('1\n');
    for (const at of [1, 3])
      expect(await asVisitor(ids[at]!)).toContain('The token of this page is for one note only.');
    expect(await asVisitor(ids[2]!)).toContain('z.run: Insufficient privileges to run note.');
  });
});

describe('runs that code starts', () => {
  it('run another paragraph by id or number, without waiting for it', async () => {
    const { id, ids } = await create('%js\n"one"', `%js\n0`, '%js\nawait z.run(0); "started"');
    await run(id, ids[1]!, `%js\nawait z.run('${ids[0]}'); "started"`);
    await finished(id, ids[0]!);
    const before = (await noteOf(id)).paragraphs![0]!;
    expect(before.results!.msg![0]!.data).toBe("'one'\n");
    await call(admin, 'PUT', `/notebook/${id}/clear`);
    expect(await run(id, ids[2]!)).toBe("'started'");
    await finished(id, ids[0]!);
    expect(await run(id, ids[2]!, '%js\nawait z.run(7)')).toContain(
      'z.run: There is no paragraph number 7. Use a number from 0 to 2.',
    );
    expect(await run(id, ids[2]!, '%js\nawait z.run("nowhere")')).toContain(
      'z.run: No such paragraph: nowhere',
    );
    expect(await run(id, ids[2]!, '%python\nz.run(0)')).toBe('');
    await finished(id, ids[0]!);
  });

  it('never run their own paragraph, not even through others', async () => {
    const { id, ids } = await create('', '');
    expect(await run(id, ids[0]!, `%js\nawait z.run('${ids[0]}')`)).toContain(
      'z.run: Can not run current Paragraph',
    );
    expect(await run(id, ids[0]!, '%js\nawait z.run(0)')).toContain(
      'z.run: Can not run current Paragraph',
    );
    // The first run has ended long before the second requests it.
    await edit(
      id,
      ids[1]!,
      "%js\nconst { existsSync } = await import('node:fs');\nwhile (!existsSync('go')) " +
        `await new Promise((done) => setTimeout(done, 20));\nawait z.run('${ids[0]}')`,
    );
    expect(await run(id, ids[0]!, `%js\nawait z.run('${ids[1]}')`)).toBe('');
    await writeFile(join(people.data, 'files/notes', id, 'go'), '');
    await finished(id, ids[1]!, 'ERROR');
    expect((await noteOf(id)).paragraphs![1]!.results!.msg!.at(-1)!.data).toContain(
      `z.run: Paragraph ${ids[0]} started this run and cannot be started again by it.`,
    );
  });

  it('run the whole note except themselves, in order, also of another note', async () => {
    const { id, ids } = await create(
      "%js\nglobalThis.order = ['a']",
      '%js\nawait z.runAll(); "all"',
      "%js\norder.push('c'); order.join()",
    );
    expect(await run(id, ids[1]!)).toBe("'all'");
    await finished(id, ids[2]!);
    const { paragraphs = [] } = await noteOf(id);
    expect(paragraphs[2]!.results!.msg![0]!.data).toBe("'a,c'\n");
    expect(paragraphs[1]!.results!.msg![0]!.data).toBe("'all'\n");
    await call(admin, 'PUT', `/notebook/${id}/clear`);
    const other = await create(`%js\nawait z.runNote('${id}')`);
    expect(await run(other.id, other.ids[0]!)).toBe('');
    await finished(id, ids[2]!);
    const alone = await create('%js\nawait z.runAll(); 1');
    expect(await run(alone.id, alone.ids[0]!)).toBe('1');
  });
});
