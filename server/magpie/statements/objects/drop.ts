/** `drop`. */
import { foldName, quoteName } from '../../../interpreters/sql/script.ts';
import { dropItem } from '../../catalogue/edits.ts';
import { chainOf } from '../../catalogue/permissions.ts';
import type { Item } from '../../catalogue/state.ts';
import { MetadataError } from '../../contract.ts';
import type { RunStatement, StatementContext } from '../context.ts';
import { removeFiles } from '../files/sources.ts';
import { recordChange, resolveObject } from '../resolve-and-record.ts';
import { dropUser } from '../security/users.ts';
import { dropPhysical, inOneTransaction } from '../tables/make-table.ts';
import { filesBehind, mappingOf } from '../tables/tables.ts';

/** Drops an object. With `if exists`, a missing object is reported but is not an error. */
export const runDrop: RunStatement<'drop'> = async (context, statement) => {
  const { ifExists, cascade, withDelete } = statement;
  const { type, ref } = statement.target;
  if (type === 'user') return dropUser(context, statement);
  if (type === 'organization' || type === 'cluster')
    throw new MetadataError(`The ${type} of this server can't be dropped.`);
  const { catalogue, engine, emit, session, who } = context;
  if (withDelete && type !== 'table')
    throw new MetadataError(
      '"with delete" applies only to tables: it deletes the files that a table reads.',
    );
  if (type === 'table') {
    const temporary =
      ref.length === 1 || ref[0]!.toLowerCase() === 'temp'
        ? session.temporary.get(foldName(ref.at(-1)!))
        : undefined;
    if (temporary !== undefined) {
      await engine.query(`DROP TABLE temp.main.${quoteName(temporary)}`);
      session.temporary.delete(foldName(temporary));
      return emit.line(`Dropped temporary table ${temporary}.`);
    }
  }
  const known = catalogue.find({ type, ref }, session.scope);
  if (ifExists && !(known && catalogue.visible([known], who).length > 0))
    return emit.line(`There is no ${type} ${ref.join('.')}: nothing was dropped.`);
  const item = resolveObject(context, type, ref, 'Write');
  const name = catalogue.nameOf(item);
  const inside = catalogue.state.items.filter(
    ({ parentId, type: kind }) =>
      parentId === item.id && !['task', 'schedule', 'subscription'].includes(kind),
  );
  const objects = `${inside.length} ${inside.length === 1 ? 'object' : 'objects'}`;
  if (inside.length > 0 && !cascade) {
    const listed = inside.slice(0, 3).map((each) => `${each.type} ${each.name}`);
    if (inside.length > 3) listed.push('…');
    throw new MetadataError(
      `The ${type} ${name} contains ${objects} (${listed.join(', ')}). ` +
        'Drop them first, or use "cascade".',
    );
  }
  if (
    type === 'repository' &&
    catalogue.children(catalogue.organization.id, 'repository').length === 1
  )
    throw new MetadataError("The last repository can't be dropped.");
  if (type === 'repository' && item.id === session.scope.repositoryId)
    throw new MetadataError(
      'The session is using this repository. ' +
        'Switch to another one with "use repository NAME" first.',
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
  recordChange(context, item, 'Drop');
  const ofHere = catalogue.holder(item, 'repository')?.id === session.scope.repositoryId;
  await inOneTransaction(
    context,
    async () => {
      if (type === 'table')
        await dropPhysical(engine, catalogue.byId(item.parentId)!.name, item.name);
      // `main` is the engine's own schema: it stays, empty.
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
    await context.jobs.forget(projectName, jobName, jobId);
  const withObjects = inside.length > 0 ? `, with ${objects} in it` : '';
  const itsFiles = files.length === 1 ? 'its file' : `its ${files.length} files`;
  emit.line(`Dropped ${type} ${name}${withObjects}${files.length > 0 ? `, and ${itsFiles}` : ''}.`);
};

/** Throws if another object depends on this one. */
function checkUsed({ catalogue }: StatementContext, item: Item): void {
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
      `Table ${catalogue.nameOf(table)} reads data source ${item.name}. Drop the table first.`,
    );
}
