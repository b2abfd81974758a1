/** Where the rows of a table are: files, a table or query of a database, or a query alone. */
import type { PersistenceMapping } from 'tiding/widgets';
import { fill, text } from '../../text/en.ts';
import { Code } from '../code.tsx';
import { Facts, ObjectLink, RecordTable, WidgetPart } from '../parts.tsx';
import { dotted } from '../words.ts';
import { Written, yesNo } from './parts.tsx';

const t = text.widgets.catalogue;
/** Own names alone: a kind may be called `constructor`. */
const named = (table: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
const kindOf = ({ mappingType }: PersistenceMapping): string =>
  mappingType?.trim().toLowerCase() ?? '';

/** In words: `files of lake`, `the database warehouse`, `a query`. Undefined where the kind is not known. */
export function whereRows(mapping: PersistenceMapping): string | undefined {
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

/** Each kind shows what it has; whatever else came with it too. */
export function Persistence({ of }: { of: PersistenceMapping }) {
  const { mappingType, sourceName, file, mapping } = of;
  const expression = typeof of.expression === 'string' ? { query: of.expression } : of.expression;
  const query = of.query || expression?.query;
  return (
    <WidgetPart title={t.persistence}>
      <Facts
        of={[
          [t.kind, mappingType && (named(t.kinds, kindOf(of)) ?? mappingType)],
          [t.dataSource, sourceName && <ObjectLink widget="data-source" name={sourceName} />],
          // Files can be written unless it says otherwise.
          [t.writable, yesNo(of.isWritable ?? (kindOf(of) === 'filesystem' ? true : undefined))],
          [
            t.sourceTable,
            expression?.tableName && (
              <Written>{dotted(expression.schemaName, expression.tableName)}</Written>
            ),
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
            columns={[
              { id: 'source', label: t.sourceField, value: ({ sourceField }) => sourceField },
              { id: 'target', label: t.targetField, value: ({ targetField }) => targetField },
            ]}
          />
        </div>
      ) : null}
    </WidgetPart>
  );
}

function FileFacts({ of }: { of: NonNullable<PersistenceMapping['file']> }) {
  const character = (value: string | undefined) =>
    value === undefined || value === ''
      ? undefined
      : (named(t.characters, value) ?? <Written>{value}</Written>);
  return (
    <Facts
      of={[
        [t.path, of.path && <Written>{of.path}</Written>],
        [t.fileName, of.fileName && <Written>{of.fileName}</Written>],
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
        [t.dateFormat, of.dateFormat && <Written>{of.dateFormat}</Written>],
        [t.timestampFormat, of.timestampFormat && <Written>{of.timestampFormat}</Written>],
      ]}
    />
  );
}
