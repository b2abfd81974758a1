/** Results and files: `save`, `export`, `show result`, `copy file`, `cache`. */
import { chmod, constants, copyFile, lstat, rename, rm } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import { quoteName, quoteText } from '../../interpreters/sql-script.ts';
import { defineStorage } from '../catalogue/definitions.ts';
import { changeItem } from '../catalogue/edits.ts';
import { MetadataError } from '../contract.ts';
import type { ExportInfo } from '../exports.ts';
import type { Body, StatementOf } from '../language/statements.ts';
import type { Context } from './context.ts';
import { download } from './download.ts';
import { dataSourceOf, dropPhysical, makeTable, remakeView, together } from './make-table.ts';
import { checkLinks, formatOf, makeFolder, rootOf, within } from './sources.ts';
import { lastResult, permitted, showResult as showLast } from './sql.ts';
import { mappingOf, tableOf } from './tables.ts';
import { changed, need } from './uses.ts';

/** Carries out `save result as table`. */
export async function save(
  context: Context,
  { ref, temporary, body }: StatementOf<'save'>,
): Promise<void> {
  const { from, sources, rowCount } = lastResult(context);
  const rest = Object.keys(body).filter((key) => !['description', 'saveMode'].includes(key));
  if (rest.length > 0)
    throw new MetadataError(
      `"save result" knows "description" and "saveMode", not ${rest.join(', ')}; where a table's rows are kept says "create table NAME from sql (QUERY) {…}".`,
    );
  const {
    value: { description, saveMode = 'Create' },
  } = defineStorage(body);
  const text = await makeTable(context, {
    ref,
    replace: saveMode !== 'Create',
    withDelete: saveMode === 'ReplaceWithDelete',
    temporary,
    as: { query: `SELECT * FROM ${from}`, view: false },
    definition: description === undefined ? {} : { description },
    sources,
  });
  context.emit.say(
    `${text.slice(0, -1)} with ${rowCount.toLocaleString('en-US')} ${rowCount === 1 ? 'row' : 'rows'}.`,
  );
}

/** Carries out `export`: a file that is had at `/api/magpie/result/<id>`. */
export async function exportSource(
  context: Context,
  { source, options }: StatementOf<'export'>,
): Promise<void> {
  const format = formatOfExport(options);
  const idle = Object.keys(options).filter(
    (key) =>
      key !== 'format' &&
      !(format === 'DelimitedText' && (key === 'header' || key === 'delimiter')),
  );
  if (idle.length > 0)
    throw new MetadataError(
      `Not available on this server for an export as ${format}: ${idle.join(', ')}.`,
    );
  const { from, query } = await exportQuery(context, source);
  const { exports, engine, run, who } = context;
  const how =
    format === 'JSON'
      ? 'FORMAT json, ARRAY true'
      : `FORMAT csv, HEADER ${options['header'] !== false}, DELIMITER ${quoteText(delimiterOf(options))}`;
  const info = await exports.create(
    { format, query, userName: who.userName, noteId: run.noteId },
    async (file) => {
      const { rows } = await engine.query(
        `COPY (SELECT * FROM ${from}) TO ${quoteText(file)} (${how})`,
        run.signal,
      );
      await chmod(file, 0o600);
      return Number(rows[0]?.[0] ?? 0);
    },
  );
  context.catalogue.events.add({
    eventTime: info.createTimestamp,
    userName: who.userName,
    eventType: 'Result',
    isSuccess: true,
  });
  context.emit.widget('exported-result', shown(info));
}

async function exportQuery(
  context: Context,
  source: StatementOf<'export'>['source'],
): Promise<{ readonly from: string; readonly query: string }> {
  if (source.of === 'result') return lastResult(context);
  if (source.of === 'table') {
    const { from, name } = await tableOf(context, source.ref, 'Read');
    return { from, query: `select * from ${name}` };
  }
  const { query } = await permitted(context, source.query);
  return { from: `(${query}\n)`, query };
}

function formatOfExport(options: Body): ExportInfo['format'] {
  const given = String(options['format'] ?? 'DelimitedText').toLowerCase();
  if (given === 'delimitedtext' || given === 'csv') return 'DelimitedText';
  if (given === 'json') return 'JSON';
  throw new MetadataError('"format" of an export is DelimitedText or JSON.');
}

function delimiterOf({ delimiter = ',' }: Body): string {
  if (typeof delimiter !== 'string' || delimiter.length !== 1)
    throw new MetadataError('"delimiter" of an export is one character.');
  return delimiter;
}

const shown = ({ resultId, format, createTimestamp, rowCount, sizeBytes, query }: ExportInfo) => ({
  resultId,
  format,
  createTimestamp,
  rowCount,
  sizeBytes,
  query,
});

async function findExport(context: Context, resultId: string): Promise<ExportInfo> {
  const found = await context.exports.find(resultId);
  if (!found || (found.info.userName !== context.who.userName && !context.who.isAdmin))
    throw new MetadataError(`There is no exported result ${resultId}, or you may not see it.`);
  return found.info;
}

/** Carries out `show result`, the last one or an exported one, and `describe result`. */
export async function showResult(context: Context, resultId: string | undefined): Promise<void> {
  if (resultId === undefined) return showLast(context);
  context.emit.widget('exported-result', shown(await findExport(context, resultId)));
}

/** Carries out `export file`: the widget offers it for download. */
export async function exportFile(
  context: Context,
  { path, dataSource }: StatementOf<'exportFile'>,
): Promise<void> {
  const source = dataSourceOf(context, dataSource);
  const file = within(rootOf(context, source), path);
  const found = await lstat(file).catch(() => undefined);
  if (!found?.isFile())
    throw new MetadataError(`There is no file ${path} in data source ${source.name}.`);
  await checkLinks(context, source, [file]);
  const compression = /\.gz$/i.test(path) ? 'gzip' : /\.bz2$/i.test(path) ? 'bzip2' : 'none';
  // As the call for files has it: a path below the server's files.
  context.emit.widget('exported-file', {
    dataSourceName: source.name,
    file: {
      path: `/${relative(context.files, file).split(sep).join('/')}`,
      fileName: file.split(sep).at(-1)!,
      ...(formatOf(path) ? { format: formatOf(path) } : {}),
      compression,
      sizeBytes: found.size,
    },
  });
}

/** Carries out `copy file`. A file that is there is never replaced. */
export async function copy(
  context: Context,
  { file, from, to }: StatementOf<'copy'>,
): Promise<void> {
  const target = dataSourceOf(context, to, 'Write');
  const destination = within(rootOf(context, target), file);
  const name = relative(rootOf(context, target), destination);
  if (name === '' || file.endsWith('/'))
    throw new MetadataError('The file to copy to needs a name.');
  const missing = async (): Promise<void> => {
    if (await lstat(destination).catch(() => undefined))
      throw new MetadataError(`There is a file ${name} in data source ${target.name} already.`);
  };
  await missing();
  await makeFolder(context, target, dirname(destination));
  if ('url' in from) {
    const part = context.exports.temporary('part');
    try {
      await download(from.url, part, {
        allowPrivate: context.allowPrivateAddresses,
        signal: context.run.signal,
      });
      await missing();
      // Both are on the disk of the data folder, unless somebody mounted one elsewhere.
      await rename(part, destination).catch(() =>
        copyFile(part, destination, constants.COPYFILE_EXCL),
      );
    } finally {
      await rm(part, { force: true });
    }
  } else {
    const source = dataSourceOf(context, from.dataSource);
    const origin = within(rootOf(context, source), file);
    if (!(await lstat(origin).catch(() => undefined))?.isFile())
      throw new MetadataError(`There is no file ${file} in data source ${source.name}.`);
    await checkLinks(context, source, [origin]);
    await copyFile(origin, destination, constants.COPYFILE_EXCL);
  }
  changed(context, target, 'Copy', name);
  context.emit.say(`Copied file ${name} to data source ${target.name}.`);
}

/** Carries out `cache table` and `uncache table`: a table over files or a query holds its rows, or asks anew. */
export async function cache(
  context: Context,
  { cached, ref }: StatementOf<'cache'>,
): Promise<void> {
  const { catalogue, engine, emit, run } = context;
  const item = need(context, 'table', ref, 'Write');
  const mapping = mappingOf(item);
  const { from, name, schemaName } = await tableOf(context, ref, 'Read');
  const isCached = item.definition['isCached'] === true;
  if (!mapping) return emit.say(`The rows of table ${name} are in the engine already.`);
  if (isCached === cached)
    return emit.say(`Table ${name} is ${cached ? '' : 'not '}cached already.`);
  const { isCached: _, ...definition } = item.definition;
  const { view } = cached ? { view: undefined } : await remakeView(context, item, mapping);
  await together(
    context,
    async () => {
      if (view === undefined)
        await engine.query(
          `CREATE OR REPLACE TEMP TABLE "·cache" AS SELECT * FROM ${from}`,
          run.signal,
        );
      await dropPhysical(engine, schemaName, item.name);
      await engine.query(
        view ??
          `CREATE TABLE ${quoteName(schemaName)}.${quoteName(item.name)} AS SELECT * FROM temp.main."·cache"`,
        run.signal,
      );
      if (view === undefined) await engine.query('DROP TABLE temp.main."·cache"');
    },
    (state) =>
      changeItem(state, item.id, {
        definition: cached ? { ...definition, isCached: true } : definition,
      }),
  );
  changed(context, item, cached ? 'Cache' : 'Uncache');
  emit.say(`${cached ? 'Cached' : 'Uncached'} table ${name}.`);
}
