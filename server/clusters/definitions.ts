/**
 * Reads `clusters.json` of the data folder: the Spark standalone masters that an administrator
 * configures.
 */
import { isAbsolute, join } from 'node:path';
import * as z from 'zod/mini';
import { Refusal } from '../base/errors.ts';
import type { Logger } from '../logging/log.ts';
import { readJsonFile } from '../storage/files.ts';

/** Name of the server's own engine. */
export const LOCAL = 'local';

const named = {
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
  description: z.optional(z.string()),
};
const whole = z.int().check(z.minimum(1), z.maximum(1_024));
const foreign = z.object({
  ...named,
  /** URL of the master's web page, for example `http://spark.example.org:8080`. */
  master: z.url({ protocol: /^https?$/ }),
});
const owned = z.object({
  ...named,
  /**
   * Folder of a Spark installation on this machine, with `bin/spark-class`: the server starts and
   * stops a master and its workers there.
   */
  sparkHome: z.string().check(z.refine((path) => isAbsolute(path), 'must be an absolute path')),
  /** Number of workers; default 1. */
  workers: z.optional(z.int().check(z.minimum(1), z.maximum(16))),
  /** Cores per worker; default 1. */
  cores: z.optional(whole),
  /** Memory per worker for executors, for example `2g`; default `1g`. */
  memory: z.optional(
    z.string().check(z.regex(/^[1-9]\d{0,6}[mg]$/i, 'must be an amount of memory, for example 2g')),
  ),
});
/** A master that is run by somebody else. */
type ExternalDefinition = z.infer<typeof foreign>;
/** A master and workers that this server runs. */
export type ManagedDefinition = z.infer<typeof owned>;
/** An entry of the file. */
export type ClusterDefinition = ExternalDefinition | ManagedDefinition;

/** Returns whether this server runs the cluster. */
export const isManaged = (definition: ClusterDefinition): definition is ManagedDefinition =>
  'sparkHome' in definition;
/** Returns the id used on the wire. */
export const idOf = ({ name }: ClusterDefinition): string => `spark-${name}`;

/**
 * Returns the configured clusters. Throws a 500 refusal with a user-readable message if the file is
 * invalid.
 */
export async function readDefinitions(folder: string, log: Logger): Promise<ClusterDefinition[]> {
  let content: unknown;
  try {
    content = await readJsonFile(join(folder, 'clusters.json'));
  } catch (error) {
    log.error({ error: (error as Error).message }, 'the clusters cannot be read');
    throw new Refusal(
      500,
      'The file clusters.json on this server is not valid JSON. ' +
        'Ask an administrator to correct it.',
    );
  }
  if (content === undefined) return [];
  const entries = Array.isArray(content)
    ? content
    : (content as { clusters?: unknown } | null)?.clusters;
  if (!Array.isArray(entries)) throw unusable('it is not a list');
  const all: ClusterDefinition[] = [];
  for (const [index, entry] of entries.entries()) {
    const kind =
      typeof entry === 'object' && entry !== null && 'sparkHome' in entry ? owned : foreign;
    const parsed = z.safeParse<z.core.$ZodType<ClusterDefinition>>(kind, entry);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw unusable(
        [index, ...(issue?.path ?? [])].join('.') + ` ${issue?.message ?? ''}`.trimEnd(),
      );
    }
    if (kind === owned && 'master' in entry)
      throw unusable(`${index} has both master and sparkHome`);
    if (parsed.data.name === LOCAL || all.some(({ name }) => name === parsed.data.name))
      throw unusable(`the name ${parsed.data.name} occurs twice`);
    all.push(parsed.data);
  }
  return all;
}

const unusable = (why: string) =>
  new Refusal(
    500,
    `The file clusters.json on this server is invalid: ${why}. Ask an administrator to correct it.`,
  );
