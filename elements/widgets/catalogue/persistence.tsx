/** Where a table's rows are stored: files, a table or query of a database, or a query. */
import type { PersistenceMapping } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import { Code } from '../code.tsx';
import { Facts, RecordTable, WidgetPart } from '../parts.tsx';
import { dottedName } from '../sentences.ts';
import { codeOf, yesNo } from './parts.tsx';
import { catalogueTexts as t } from './texts.ts';

/** Own properties only: a kind may be called `constructor`. */
const named = (table: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
const kindOf = ({ mappingType }: PersistenceMapping): string =>
  mappingType?.trim().toLowerCase() ?? '';

/**
 * Describes the mapping: `files of lake`, `the database warehouse`, `a query`. `undefined` for an
 * unknown kind.
 */
export function storageText(mapping: PersistenceMapping): string | undefined {
  const { sourceName: source } = mapping;
  switch (kindOf(mapping)) {
    case 'filesystem':
      return source ? fill(t.filesOf, { source }) : t.files;
    case 'jdbc':
      return source ? fill(t.databaseOf, { source }) : t.database;
    case 'virtual':
      return t.aQuery;
    default:
      return mapping.mappingType;
  }
}

/** Shows the fields of each kind, and any others in the payload. */
export function Persistence({ of }: { of: PersistenceMapping }) {
  const { mappingType, sourceName, file, mapping } = of;
  const expression = typeof of.expression === 'string' ? { query: of.expression } : of.expression;
  const query = of.query || expression?.query;
  return (
    <WidgetPart title={t.persistence}>
      <Facts
        of={[
          [t.kind, mappingType && (named(t.kinds, kindOf(of)) ?? mappingType)],
          [t.dataSource, sourceName, 'data-source'],
          // Files are writable by default.
          [t.writable, yesNo(of.isWritable ?? (kindOf(of) === 'filesystem' ? true : undefined))],
          [
            t.sourceTable,
            expression?.tableName &&
              codeOf(dottedName(expression.schemaName, expression.tableName)),
          ],
        ]}
      />
      {file ? <FileFacts of={file} /> : null}
      {query ? <Code text={query} language="sql" label={t.query} boxed /> : null}
      {mapping.length > 0 ? (
        <div className="field-mapping">
          <h4>{t.fieldMapping}</h4>
          <RecordTable
            label={t.fieldMapping}
            rows={mapping}
            keepEmpty
            columns={[
              { label: t.sourceField, value: ({ sourceField }) => sourceField },
              { label: t.targetField, value: ({ targetField }) => targetField },
            ]}
          />
        </div>
      ) : null}
    </WidgetPart>
  );
}

function FileFacts({ of }: { of: NonNullable<PersistenceMapping['file']> }) {
  const character = (value: string | undefined) =>
    value && (named(t.characters, value) ?? codeOf(value));
  return (
    <Facts
      of={[
        [t.path, codeOf(of.path)],
        [t.fileName, codeOf(of.fileName)],
        [t.format, of.format],
        [t.compression, of.compression],
        [t.encoding, of.encoding],
        [t.delimiter, character(of.delimiter)],
        [t.header, yesNo(of.header)],
        [t.multiLine, yesNo(of.multiLine)],
        [t.leading, yesNo(of.ignoreLeadingWhiteSpace)],
        [t.trailing, yesNo(of.ignoreTrailingWhiteSpace)],
        [t.quote, character(of.quoteCharacter)],
        [t.escape, character(of.escapeCharacter)],
        [t.dateFormat, codeOf(of.dateFormat)],
        [t.timestampFormat, codeOf(of.timestampFormat)],
      ]}
    />
  );
}
