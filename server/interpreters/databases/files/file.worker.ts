/** The program of a process that has a database file open. */
import { guardMemory } from '../../sql/engine/memory-guard.ts';
import type { FileEngine, FileSession, FromFile, OpenFile, ToFile } from './file-messages.ts';

const options = JSON.parse(process.argv[2]!) as OpenFile;
guardMemory(options.megabytes * 1.25 * 2 ** 20);
const engine: Promise<FileEngine> =
  options.kind === 'duckdb'
    ? import('./duckdb-engine.ts').then(({ openDuckdbFile }) => openDuckdbFile(options))
    : import('./sqlite-engine.ts').then(({ openSqliteFile }) => openSqliteFile(options));
engine.catch(() => undefined);
const sessions = new Map<number, FileSession>();

async function answer({ request, session: number }: ToFile) {
  if (request.call === 'open') {
    sessions.set(number, await (await engine).connect());
    return undefined;
  }
  const session = sessions.get(number);
  if (!session) throw new Error('There is no such session.');
  switch (request.call) {
    case 'execute':
      return session.execute(request.sql, request.readOnly);
    case 'read':
      return session.read(request.count);
    case 'skip':
      await session.skip();
      return undefined;
    case 'interrupt':
      return void session.interrupt();
    case 'close':
      sessions.delete(number);
      return void session.close();
  }
}

const send = (message: FromFile): void => void process.send!(message);

process.on('message', (message: ToFile) => {
  const { id } = message;
  answer(message).then(
    (value) => send({ id, value }),
    (error: unknown) => send({ id, error: error instanceof Error ? error.message : String(error) }),
  );
});
// Without the server, nobody needs the file.
process.on('disconnect', () => process.exit());
