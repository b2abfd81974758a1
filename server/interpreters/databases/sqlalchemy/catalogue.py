"""Tables and columns of a database, by SQLAlchemy's inspector."""
from time import monotonic

from sqlalchemy import inspect, select, table, text
from sqlalchemy.engine.reflection import ObjectKind

# Schemas that belong to the database itself, in lower case.
SYSTEM_SCHEMAS = {
    'information_schema', 'pg_catalog', 'pg_toast', 'performance_schema', 'mysql', 'sys', 'system',
    'crdb_internal', 'pg_extension', 'guest', 'db_accessadmin', 'db_backupoperator',
    'db_datareader', 'db_datawriter', 'db_ddladmin', 'db_denydatareader', 'db_denydatawriter',
    'db_owner', 'db_securityadmin', 'ctxsys', 'dbsnmp', 'gsmadmin_internal', 'mdsys', 'outln',
    'xdb', 'sysaux', 'wmsys', 'ojvmsys', 'lbacsys', 'dvsys', 'audsys', 'appqossys',
}
DUCKDB_RELATIONS = """
    SELECT schema_name, table_name, 'table' FROM duckdb_tables()
    WHERE schema_name = ? AND database_name = current_database() AND NOT internal
    UNION ALL SELECT schema_name, view_name, 'view' FROM duckdb_views()
    WHERE schema_name = ? AND database_name = current_database() AND NOT internal ORDER BY 2"""
DUCKDB_COLUMNS = """
    SELECT table_name, column_name, data_type, is_nullable FROM duckdb_columns()
    WHERE schema_name = ? AND database_name = current_database() ORDER BY column_index"""
# Tables whose columns are searched.
MAX_SEARCHED = 20_000
# Time for which the names of tables are remembered for completion, in seconds.
REMEMBERED = 30


class Catalogue:
    """Reads names with one connection."""

    def __init__(self, connection):
        self._connection = connection
        self._inspector = None
        self._inspected = 0.0

    def _current(self):
        """Returns an inspector, which remembers what it has read."""
        if self._inspector is None or monotonic() - self._inspected > REMEMBERED:
            self._inspector = inspect(self._connection)
            self._inspected = monotonic()
        return self._inspector

    @property
    def _preparer(self):
        return self._connection.dialect.identifier_preparer

    def _default(self):
        dialect = self._connection.dialect.name
        if dialect in ('sqlite', 'duckdb'):
            return {'duckdb': 'main'}.get(dialect)
        return self._current().default_schema_name

    def _schemas(self):
        """Returns the schemas, the default one first. None is the one without a name."""
        if self._connection.dialect.name == 'sqlite':
            return [None]
        if self._is_duckdb:
            return self._select('SELECT DISTINCT schema_name FROM duckdb_columns() WHERE NOT internal '
                                'AND database_name = current_database() ORDER BY 1')
        default = self._default()
        try:
            names = self._current().get_schema_names()
        except NotImplementedError:
            names = []
        others = [name for name in names
                  if name and name != default and name.lower() not in SYSTEM_SCHEMAS]
        return [default] + sorted(others)

    @property
    def _is_duckdb(self):
        # Its dialect does not describe columns.
        return self._connection.dialect.name == 'duckdb'

    def _select(self, statement, *parameters):
        """Returns the rows of a statement; without the tuples if it has one column."""
        rows = self._connection.exec_driver_sql(statement, parameters).fetchall()
        return [row[0] if len(row) == 1 else tuple(row) for row in rows]

    def _relations(self, schema):
        if self._is_duckdb:
            return self._select(DUCKDB_RELATIONS, schema, schema)
        inspector = self._current()
        found = {name: 'table' for name in inspector.get_table_names(schema=schema)}
        for method in ('get_view_names', 'get_materialized_view_names'):
            try:
                found.update({name: 'view' for name in getattr(inspector, method)(schema=schema)})
            except NotImplementedError:
                pass
        return [(schema, name, found[name]) for name in sorted(found)]

    def _columns(self, schema, names):
        """Returns the columns by table. A table that can't be read has none."""
        if self._is_duckdb:
            found = {}
            for table_name, name, kind, nullable in self._select(DUCKDB_COLUMNS, schema):
                column = {'name': name, 'type': kind, 'nullable': nullable}
                found.setdefault(table_name, []).append(column)
            return {name: found.get(name, []) for name in names}
        inspector = self._current()
        try:
            found = inspector.get_multi_columns(
                schema=schema, filter_names=names, kind=ObjectKind.ANY)
            return {name: columns for (_, name), columns in found.items()}
        except Exception:
            pass
        found = {}
        for name in names:
            try:
                found[name] = inspector.get_columns(name, schema=schema)
            except Exception:
                found[name] = []
        return found

    def _reference(self, schema, name):
        default = schema is None or schema == self._default()
        quoted = self._preparer.quote(name)
        return quoted if default else f'{self._preparer.quote_schema(schema)}.{quoted}'

    def _type_text(self, kind):
        if isinstance(kind, str):
            return kind
        try:
            return kind.compile(dialect=self._connection.dialect)
        except Exception:
            return '' if kind is None or type(kind).__name__ == 'NullType' else str(kind)

    def relations(self, search, tables, columns):
        """Returns a row for each column: see DatabaseCatalogue.relations of the server."""
        self._inspector = None
        rows = []
        count = 0
        for schema in self._schemas():
            found = self._relations(schema)
            found = found[:MAX_SEARCHED if search else max(0, tables - count)]
            by_table = self._columns(schema, [name for _, name, _ in found]) if found else {}
            for _, name, kind in found:
                described = by_table.get(name, [])
                words = [schema or '', name] + [column['name'] for column in described]
                if search and not any(search in word.lower() for word in words):
                    continue
                count += 1
                head = [schema or '', name, self._reference(schema, name), kind, None]
                rows += [head + [column['name'], self._type_text(column.get('type')),
                                 '0' if column.get('nullable') is False else '1']
                         for column in described] or [head + [None, None, None]]
                if count >= tables or len(rows) >= columns:
                    return rows[:columns]
        return rows

    def tables(self):
        """Returns schema, name, kind and name in SQL of all tables, for completion."""
        return [[schema or '', name, kind, self._preparer.quote(name),
                 schema is None or schema == self._default()]
                for schema in self._schemas() for schema, name, kind in self._relations(schema)]

    def columns(self, names):
        """Returns the columns of tables whose names are in lower case, as they are in SQL."""
        found = set()
        for schema in self._schemas():
            wanted = [name for _, name, _ in self._relations(schema) if name.lower() in names]
            if wanted:
                for columns in self._columns(schema, wanted).values():
                    found.update(self._preparer.quote(column['name']) for column in columns)
        return sorted(found)

    def keywords(self):
        """Returns the reserved words of the dialect."""
        return sorted(word.upper() for word in self._preparer.reserved_words)

    def first_rows(self, schema, name, limit):
        """Returns the statement that selects the first rows of a table."""
        source = table(name, schema=schema or None)
        statement = select(text('*')).select_from(source).limit(limit)
        return str(statement.compile(
            dialect=self._connection.dialect, compile_kwargs={'literal_binds': True}))
