/** `drop`. */
import { foldName, quoteName } from '../../interpreters/sql-script.ts';
import { dropItem } from '../catalogue/edits.ts';
import { chainOf } from '../catalogue/permissions.ts';
import type { Item } from '../catalogue/state.ts';
import { MetadataError } from '../contract.ts';
import type { StatementOf } from '../language/statements.ts';
import type { Context } from './context.ts';
import { dropPhysical, together } from './make-table.ts';
import { removeFiles } from './sources.ts';
import { filesBehind, mappingOf } from './tables.ts';
import { changed, need } from './uses.ts';
import { dropUser } from './users.ts';

/** Carries out `drop`. What is asked for with `if exists` and is not there is told and is no error. */
export async function drop(context: Context, statement: StatementOf<'drop'>): Promise<void> {
  const {
    target: { type, ref },
    ifExists,
    cascade,
    withDelete,
  } = statement;
  if (type === 'user') return dropUser(context, statement);
  if (type === 'organization' || type === 'cluster')
    throw new MetadataError(`The ${type} of this server stays.`);
  const { catalogue, engine, emit, session, who } = context;
  if (withDelete && type !== 'table')
    throw new MetadataError(
      '"with delete" is for tables: it removes the files that a table reads.',
    );
  if (type === 'table') {
    const temporary =
      ref.length === 1 || ref[0]!.toLowerCase() === 'temp'
        ? session.temporary.get(foldName(ref.at(-1)!))
        : undefined;
    if (temporary !== undefined) {
      await engine.query(`DROP TABLE temp.main.${quoteName(temporary)}`);
      session.temporary.delete(foldName(temporary));
      return emit.say(`Dropped temporary table ${temporary}.`);
    }
  }
  if (
    ifExists &&
    catalogue.visible(
      [catalogue.find({ type, ref }, session.place)].filter((item) => item !== undefined),
      who,
    ).length === 0
  )
    return emit.say(`There is no ${type} ${ref.join('.')}: nothing was dropped.`);
  const item = need(context, type, ref, 'Write');
  const name = catalogue.nameOf(item);
  const inside = catalogue.state.items.filter(
    ({ parentId, type: kind }) =>
      parentId === item.id && !['task', 'schedule', 'subscription'].includes(kind),
  );
  if (inside.length > 0 && !cascade)
    throw new MetadataError(
      `The ${type} ${name} holds ${inside.length} ${inside.length === 1 ? 'object' : 'objects'} (${inside
        .slice(0, 3)
        .map((each) => `${each.type} ${each.name}`)
        .join(
          ', ',
        )}${inside.length > 3 ? ', …' : ''}): drop these first, or drop it with "cascade".`,
    );
  if (
    type === 'repository' &&
    catalogue.children(catalogue.organization.id, 'repository').length === 1
  )
    throw new MetadataError('The last repository stays.');
  if (type === 'repository' && item.id === session.place.repositoryId)
    throw new MetadataError(
      'The session is in this repository: start with "use repository" of another one.',
    );
  checkUsed(context, item);
  if (withDelete && mappingOf(item)?.mappingType !== 'FileSystem')
    throw new MetadataError(`The table ${name} reads no files: drop it without "with delete".`);
  const { files, root } = withDelete ? await filesBehind(context, item) : { files: [], root: '' };
  const jobs = catalogue.state.items
    .filter(
      (each) =>
        each.type === 'job' && chainOf(catalogue.state, each).some(({ id }) => id === item.id),
    )
    .map((job) => [catalogue.byId(job.parentId)!.name, job.name, job.id] as const);
  changed(context, item, 'Drop');
  const ofHere = catalogue.holder(item, 'repository')?.id === session.place.repositoryId;
  await together(
    context,
    async () => {
      if (type === 'table')
        await dropPhysical(engine, catalogue.byId(item.parentId)!.name, item.name);
      // The engine's own schema stays, empty.
      if (type === 'schema' && ofHere) {
        for (const table of catalogue.children(item.id, 'table'))
          await dropPhysical(engine, item.name, table.name);
        if (item.name.toLowerCase() !== 'main') {
          await engine.query('USE main');
          await engine.query(`DROP SCHEMA IF EXISTS ${quoteName(item.name)} CASCADE`);
        }
      }
    },
    (state) => dropItem(state, item.id),
  );
  await removeFiles(root, files);
  for (const [projectName, jobName, jobId] of jobs)
    await context.jobs?.forget(projectName, jobName, jobId);
  emit.say(
    `Dropped ${type} ${name}${inside.length > 0 ? `, with ${inside.length} ${inside.length === 1 ? 'object' : 'objects'} in it` : ''}${files.length > 0 ? `, and ${files.length === 1 ? 'its file' : `its ${files.length} files`}` : ''}.`,
  );
}

/** Throws where something else is lost without the object. */
function checkUsed({ catalogue }: Context, item: Item): void {
  if (item.type !== 'data source') return;
  const table = catalogue.state.items.find((each) => {
    const mapping = each.type === 'table' ? mappingOf(each) : undefined;
    return (
      mapping !== undefined &&
      'sourceName' in mapping &&
      mapping.sourceName.toLowerCase() === item.name.toLowerCase() &&
      catalogue.holder(each, 'repository')?.id === item.parentId
    );
  });
  if (table)
    throw new MetadataError(
      `The table ${catalogue.nameOf(table)} reads data source ${item.name}: drop it first.`,
    );
}
