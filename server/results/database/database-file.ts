/**
 * Files of large tables: a database file that the SQL engine wrote and queries, and a description
 * beside it, which is written last. A database without a description is incomplete.
 */
import { chmod, open, readFile, rename, rm, stat } from 'node:fs/promises';
import * as z from 'zod/mini';

const description = z.object({
  rows: z.number(),
  digest: z.string(),
  /** Size of the database in bytes. */
  bytes: z.number(),
  /** The columns, as the start of an Arrow stream, in base64. */
  schema: z.string(),
});

/** Describes a database file, and the output to which it belongs. */
export type DatabaseDescription = z.infer<typeof description>;

export const descriptionFile = (file: string): string => file.replace(/\.duckdb$/, '.json');

/** Reads a description; undefined if there is no valid one. */
export async function readDescription(file: string): Promise<DatabaseDescription | undefined> {
  try {
    const { data } = description.safeParse(
      JSON.parse(await readFile(descriptionFile(file), 'utf8')),
    );
    return data && (await stat(file)).size === data.bytes ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Moves a complete database to `target` and describes it. */
export async function sealDatabase(
  file: string,
  target: string,
  described: Omit<DatabaseDescription, 'bytes'>,
): Promise<DatabaseDescription> {
  await chmod(file, 0o600);
  const { size } = await stat(file);
  const complete = { ...described, bytes: size };
  const beside = descriptionFile(target);
  const handle = await open(`${file}.json`, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify(complete));
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(file, target);
  await rename(`${file}.json`, beside);
  return complete;
}

/** Deletes a stored table of either kind, with its description. */
export async function removeStored(file: string): Promise<void> {
  await rm(file, { force: true });
  if (file.endsWith('.duckdb')) await rm(descriptionFile(file), { force: true });
}
