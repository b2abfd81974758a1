/**
 * The part of the runner of `%js` that gives `z` what concerns the note: values shared with its pages, other runs. Needs `send`, `asked`,
 * `waiting` and `AsyncLocalStorage` of the runner; defines `ofNote`, `runs` (the id of the run that code belongs to) and `open`.
 */
export const javascriptNote = `
const runs = new AsyncLocalStorage();
/** Requests whose answer has not come. */
const open = new Set();
function request(operation, values) {
  const id = ++asked;
  // A timer that an earlier run has left asks in nobody's name.
  send({ type: 'request', id, run: runs.getStore() ?? 0, operation, values });
  const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  open.add(answer);
  const over = () => open.delete(answer);
  answer.then(over, over);
  return answer;
}
function json(what, value) {
  const text = stringify(value, (key, part) => {
    if (typeof part === 'number' && !Number.isFinite(part)) throw new TypeError(what + ': ' + part + ' is no JSON');
    return part;
  });
  if (text === undefined) throw new TypeError(what + ': a ' + typeof value + ' is no JSON');
  return parse(text);
}
const ofNote = {
  /** Shares a value with the templates of the note, or of one paragraph of it. */
  angularBind: async (name, value, paragraphId) => { await request('angularBind', { name, value: json('z.angularBind', value), paragraphId }); },
  angularBindGlobal: async (name, value) => { await request('angularBindGlobal', { name, value: json('z.angularBindGlobal', value) }); },
  /** A shared value: of this paragraph, else of the note, else of all notes; null where there is none. */
  angular: (name, paragraphId) => request('angular', { name, paragraphId }),
  angularGlobal: (name) => request('angularGlobal', { name }),
  angularUnbind: async (name, paragraphId) => { await request('angularUnbind', { name, paragraphId }); },
  angularUnbindGlobal: async (name) => { await request('angularUnbindGlobal', { name }); },
  /** Starts another paragraph: run(id or number), run(noteId, id). */
  run: async (first, second) => { await request('run', second === undefined ? { paragraph: first } : { noteId: first, paragraph: second }); },
  runNote: async (noteId) => { await request('runNote', { noteId }); },
  runAll: async () => { await request('runAll', {}); },
  getInterpreterContext: () => request('getInterpreterContext', {}),
};
`;
