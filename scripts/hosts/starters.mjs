/** Projects that the packed `create-tiding` writes. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, succeed } from './commands.mjs';
import { expectPortal, expectStarter } from './expectations.mjs';

/** Path of the note that the starter of reports runs. Python, which takes long, is not in it. */
const REPORT_NOTE = 'Starters/Report';

/** Writes a project with the program in `tarball`. Returns its folder. */
export async function createStarter(name, template, { work, tarball, server, deadline }) {
  const program = ['exec', '--yes', '--package', tarball, '--', 'create-tiding'];
  const args = [name, '--template', template, '--server', server];
  const printed = await succeed('npm', [...program, ...args], { cwd: work, deadline });
  if (!printed.includes(`cd ${name} && npm install`))
    throw new Error(`The next commands are not printed:\n${printed}`);
  const folder = join(work, name);
  const again = await run('npm', [...program, ...args], { cwd: work, deadline });
  if (again.code === 0 || !again.output.includes("isn't empty"))
    throw new Error(`The second project in ${folder} is not refused:\n${again.output}`);
  return folder;
}

/** Fills in `.env`, as the README of a starter says. Every name must be in `.env.example`. */
export function fillIn(folder, values) {
  const file = join(folder, '.env');
  const rest = new Map(Object.entries(values));
  const lines = readFileSync(file, 'utf8').split('\n');
  const filled = lines.map((line) => {
    const name = /^([A-Z_]+)=/.exec(line)?.[1];
    if (!rest.has(name)) return line;
    const value = rest.get(name);
    rest.delete(name);
    return `${name}="${value}"`;
  });
  writeFileSync(file, filled.join('\n'));
}

/** What a starter needs to know of this run. Names that a template does not have are ignored. */
export const valuesOf = (template, { server, ids, starterOrigin }) => ({
  TIDING_TOKEN: server.token,
  PAGE_ORIGIN: starterOrigin,
  PORTAL_ORIGIN: starterOrigin,
  VITE_TIDING_NOTE: ids.note,
  VITE_TIDING_PARAGRAPH: ids.paragraph,
  ...(template === 'report' && { TIDING_NOTE: REPORT_NOTE }),
});

export async function makeReportNote(client) {
  const note = await client.open(await client.notes.create({ path: REPORT_NOTE }));
  await note.insert({ text: '%md\n# Two tables' });
  await note.insert({ text: '%sql\nselect i, \'a, "b"\' as text from range(3) t(i)' });
  await note.insert({ text: "%sql\nselect date '2026-01-31' as day, null as missing" });
  note.close();
}

/** Checks the files that the starter of reports wrote. */
export function expectReport(folder, printed) {
  const read = (name) => readFileSync(join(folder, 'reports', name), 'utf8');
  const files = readdirSync(join(folder, 'reports')).sort();
  if (files.join() !== 'report.html,table-1.csv,table-2.csv' || !printed.includes('3 rows'))
    throw new Error(`Other files: ${files.join(', ')}\n${printed}`);
  const tables = ['table-1.csv', 'table-2.csv'].map(read);
  const wanted = ['i,text\r\n', ...[0, 1, 2].map((i) => `${i},"a, ""b"""\r\n`)].join('');
  if (tables[0] !== wanted || tables[1] !== 'day,missing\r\n2026-01-31,\r\n')
    throw new Error(`Other tables:\n${tables.join('\n')}`);
  if (!/<h1[^>]*>(?:<[^>]+>)*Two tables/.test(read('report.html')))
    throw new Error('report.html does not show the note');
}

export const expectStarterPage = (template, browser, expectation) =>
  template === 'portal' ? expectPortal(browser, expectation) : expectStarter(browser, expectation);
