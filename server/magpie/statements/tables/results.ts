/** Statements about results and files: `save`, `export`, `show result`, `copy file` and `cache`. */
import { chmod, constants, copyFile, lstat, rename, rm } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import { quoteName, quoteText } from '../../../interpreters/sql/script.ts';
import { defineStorage } from '../../catalogue/definitions.ts';
import { changeItem } from '../../catalogue/edits.ts';
import type { Item } from '../../catalogue/state.ts';
import { MetadataError, wrongName } from '../../contract.ts';
import type { ExportInfo } from '../../exports.ts';
import type { Body } from '../../language/statements.ts';
import type { RunStatement, StatementContext } from '../context.ts';
import { download } from '../files/download.ts';
import { checkLinks, formatOf, joinInside, makeFolder, rootOf } from '../files/sources.ts';
import { parquetCodec } from '../files/write-files.ts';
import { acceptOnly } from '../notes.ts';
import { recordChange, resolveObject } from '../resolve-and-record.ts';
import { createStoredOrTemporaryTable, dropPhysical, inOneTransaction } from './make-table.ts';
import { lastResult, namedRows, showLastResult as showLast } from './sql.ts';
import { dataSourceOf, remakeView } from './table-sources.ts';
import { mappingOf, resolveTable } from './tables.ts';

export const saveResult: RunStatement<'save'> = async (context, { ref, temporary, body }) => {
  const { from, sources, rowCount } = lastResult(context);
  acceptOnly(
    '"save result"',
    body,
    ['description', 'saveMode'],
    ' Use "create table NAME from sql (QUERY) {…}" to choose where the rows are stored.',
  );
  const { description, saveMode = 'Create' } = defineStorage(body).value;
  const text = await createStoredOrTemporaryTable(context, {
    ref,
    replace: saveMode !== 'Create',
    withDelete: saveMode === 'ReplaceWithDelete',
    temporary,
    as: { query: `SELECT * FROM ${from}`, view: false },
    definition: description === undefined ? {} : { description },
    sources,
  });
  context.emit.line(
    `${text.slice(0, -1)} with ${rowCount.toLocaleString('en-US')} ` +
      `${rowCount === 1 ? 'row' : 'rows'}.`,
  );
};

/** Carries out `export`. The exported file can be downloaded from `/api/magpie/result/<id>`. */
export const runExport: RunStatement<'export'> = async (context, { source, options }) => {
  const format = formatOfExport(options);
  const idle = Object.keys(options).filter(
    (key) =>
      key !== 'format' &&
      !(format === 'DelimitedText' && (key === 'header' || key === 'delimiter')) &&
      !(format === 'Parquet' && key === 'compression'),
  );
  if (idle.length > 0)
    throw new MetadataError(
      `These options are not available on this server for an export as ${format}: ` +
        `${idle.join(', ')}.`,
      { member: [idle[0]!] },
    );
  const {
    from,
    tableName,
    query = `select * from ${tableName}`,
  } = await namedRows(context, source);
  const { exports, engine, run, who } = context;
  const compression = String(options['compression'] ?? 'snappy').toLowerCase();
  const how =
    format === 'JSON'
      ? 'FORMAT json, ARRAY true'
      : format === 'Parquet'
        ? `FORMAT parquet, COMPRESSION ${parquetCodec(compression)}`
        : `FORMAT csv, HEADER ${options['header'] !== false}, DELIMITER ` +
          `${quoteText(delimiterOf(options))}`;
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
};

function formatOfExport(options: Body): ExportInfo['format'] {
  const given = String(options['format'] ?? 'DelimitedText').toLowerCase();
  if (given === 'delimitedtext' || given === 'csv') return 'DelimitedText';
  if (given === 'json') return 'JSON';
  if (given === 'parquet') return 'Parquet';
  throw new MetadataError('"format" of an export must be DelimitedText, JSON or Parquet.', {
    member: ['format'],
  });
}

function delimiterOf({ delimiter = ',' }: Body): string {
  if (typeof delimiter !== 'string' || delimiter.length !== 1)
    throw new MetadataError('"delimiter" of an export must be one character.', {
      member: ['delimiter'],
    });
  return delimiter;
}

const shown = ({ userName: _user, noteId: _note, ...info }: ExportInfo) => info;

async function findExport(context: StatementContext, resultId: string): Promise<ExportInfo> {
  const found = await context.exports.find(resultId);
  if (!found || (found.info.userName !== context.who.userName && !context.who.isAdmin))
    throw new MetadataError(
      `There is no exported result ${resultId}, or you may not see it.`,
      wrongName('result', resultId),
    );
  return found.info;
}

/** Carries out `show result`, for the last or an exported result, and `describe result`. */
export const runShowResult: RunStatement<'showResult' | 'describeResult'> = async (
  context,
  { resultId },
) => {
  if (resultId === undefined) return showLast(context);
  context.emit.widget('exported-result', shown(await findExport(context, resultId)));
};

/** Returns the path and the size of a file of a data source. */
async function findFile(
  context: StatementContext,
  source: Item,
  path: string,
): Promise<{ readonly file: string; readonly size: number }> {
  const file = joinInside(rootOf(context, source), path);
  const found = await lstat(file).catch(() => undefined);
  if (!found?.isFile())
    throw new MetadataError(
      `There is no file ${path} in data source ${source.name}.`,
      wrongName('file', path),
    );
  await checkLinks(context, source, [file]);
  return { file, size: found.size };
}

/** Carries out `export file`: shows a widget with a download link. */
export const exportFile: RunStatement<'exportFile'> = async (context, { path, dataSource }) => {
  const source = dataSourceOf(context, dataSource);
  const { file, size } = await findFile(context, source, path);
  const compression = /\.gz$/i.test(path) ? 'gzip' : /\.bz2$/i.test(path) ? 'bzip2' : 'none';
  // Relative to the server's files, as the file download endpoint expects it.
  context.emit.widget('exported-file', {
    dataSourceName: source.name,
    file: {
      path: `/${relative(context.files, file).split(sep).join('/')}`,
      fileName: file.split(sep).at(-1)!,
      ...(formatOf(path) ? { format: formatOf(path) } : {}),
      compression,
      sizeBytes: size,
    },
  });
};

/** Carries out `copy file`. Never overwrites an existing file. */
export const copyFileStatement: RunStatement<'copy'> = async (context, { file, from, to }) => {
  const target = dataSourceOf(context, to, 'Write');
  const destination = joinInside(rootOf(context, target), file);
  const name = relative(rootOf(context, target), destination);
  if (name === '' || file.endsWith('/')) throw new MetadataError('The target file needs a name.');
  const missing = async (): Promise<void> => {
    if (await lstat(destination).catch(() => undefined))
      throw new MetadataError(
        `There is already a file ${name} in data source ${target.name}.`,
        wrongName('file', file),
      );
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
      // Renaming works because both paths are normally on the same disk. Copy if an administrator
      // mounted one of them elsewhere.
      await rename(part, destination).catch(() =>
        copyFile(part, destination, constants.COPYFILE_EXCL),
      );
    } finally {
      await rm(part, { force: true });
    }
  } else {
    const source = dataSourceOf(context, from.dataSource);
    const origin = await findFile(context, source, file);
    await copyFile(origin.file, destination, constants.COPYFILE_EXCL);
  }
  recordChange(context, target, 'Copy', name);
  context.emit.line(`Copied file ${name} to data source ${target.name}.`);
};

/**
 * Carries out `cache table` and `uncache table`. A cached table over files or a query stores its
 * rows; an uncached one reads its source on each query.
 */
export const runCacheTable: RunStatement<'cache'> = async (context, { cached, ref }) => {
  const { engine, emit, run } = context;
  const item = resolveObject(context, 'table', ref, 'Write');
  const mapping = mappingOf(item);
  const { from, name, schemaName } = await resolveTable(context, ref, 'Read');
  const isCached = item.definition['isCached'] === true;
  if (!mapping) return emit.line(`The rows of table ${name} are already stored in the engine.`);
  if (isCached === cached)
    return emit.line(`Table ${name} is ${cached ? 'already' : 'not'} cached.`);
  const { isCached: _, ...definition } = item.definition;
  const { view } = cached ? { view: undefined } : await remakeView(context, item, mapping);
  await inOneTransaction(
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
          `CREATE TABLE ${quoteName(schemaName)}.${quoteName(item.name)} AS ` +
            'SELECT * FROM temp.main."·cache"',
        run.signal,
      );
      if (view === undefined) await engine.query('DROP TABLE temp.main."·cache"');
    },
    (state) =>
      changeItem(state, item.id, {
        definition: cached ? { ...definition, isCached: true } : definition,
      }),
  );
  recordChange(context, item, cached ? 'Cache' : 'Uncache');
  emit.line(`${cached ? 'Cached' : 'Uncached'} table ${name}.`);
};
