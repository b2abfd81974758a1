"""A session of a database: requests are lines of JSON in descriptor 3, answers in descriptor 4."""
import json
import os
import queue
import sqlite3
import threading
import time as clock
from urllib.parse import quote

from sqlalchemy import create_engine, event, exc, literal, select
from sqlalchemy.dialects.sqlite.base import SQLiteDialect
from sqlalchemy.engine import URL
from sqlalchemy.pool import NullPool

# Interval at which the memory of the process is checked, in seconds.
MEMORY_CHECK = 0.2
# Exit code of a process that needed too much memory.
TOO_LARGE = 77
TITLES = {
    'postgresql': 'PostgreSQL', 'mysql': 'MySQL', 'mariadb': 'MariaDB', 'sqlite': 'SQLite',
    'mssql': 'SQL Server', 'oracle': 'Oracle', 'duckdb': 'DuckDB', 'snowflake': 'Snowflake',
    'bigquery': 'BigQuery', 'trino': 'Trino', 'databricks': 'Databricks',
    'clickhouse': 'ClickHouse', 'clickhousedb': 'ClickHouse', 'redshift': 'Redshift',
    'cockroachdb': 'CockroachDB',
}
# Options with which drivers do not send files of this machine to a server that asks for them.
NO_LOCAL_FILES = {
    'pymysql': {'local_infile': False},
    'mysqldb': {'local_infile': 0},
    'mysqlconnector': {'allow_local_infile': False},
    'mariadbconnector': {'local_infile': False},
    'vertica_python': {'disable_copy_local': True},
}
READ_ONLY = {
    'postgresql': 'SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY',
    'cockroachdb': 'SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY',
    'mysql': 'SET SESSION TRANSACTION READ ONLY',
    'mariadb': 'SET SESSION TRANSACTION READ ONLY',
}
# SQLite pragmas that name folders or load code.
FORBIDDEN_PRAGMAS = {'temp_store_directory', 'data_store_directory', 'writable_schema'}


class Refused(Exception):
    """A connection that is not opened. `kind` tells the server why."""

    def __init__(self, kind, **more):
        super().__init__(kind)
        self.more = {'kind': kind, **more}


def open_sqlite(file, read_only):
    """Opens a file. Statements can't open others or load code."""
    mode = 'ro' if read_only else 'rw'
    connection = sqlite3.connect(
        f'file:{quote(file)}?mode={mode}', uri=True, timeout=5, check_same_thread=False)

    def authorize(action, first, second, _database, _trigger):
        is_forbidden = action == sqlite3.SQLITE_ATTACH or (
            action == sqlite3.SQLITE_PRAGMA and str(first).lower() in FORBIDDEN_PRAGMAS) or (
            action == sqlite3.SQLITE_FUNCTION and str(second).lower() == 'load_extension')
        return sqlite3.SQLITE_DENY if is_forbidden else sqlite3.SQLITE_OK

    connection.set_authorizer(authorize)
    return connection


class Session:
    """One connection, and the statement that runs on it."""

    def __init__(self):
        self._connection = None
        self._catalogue = None
        self._result = None
        self._first = []
        self._is_over = True
        self._is_wrapped = False
        self._streams = False
        # Whether the statement is one whose rows are shown, not one about the catalogue.
        self._shows = False
        self._commits = False
        self._thread_id = None
        self._notices = []
        # Characters before the statement in what the driver sends.
        self.prefix = 0

    def open(self, url, file, read_only):
        """Connects. `file` is the path of a database file that may be opened."""
        address = URL.create(**{**url, 'query': {
            key: values if len(values) > 1 else values[0] for key, values in url['query'].items()}})
        try:
            dialect = address.get_dialect()
        except exc.NoSuchModuleError:
            raise Refused('dialect', name=address.drivername) from None
        if getattr(dialect, 'is_async', False):
            raise Refused('async', name=address.drivername)
        is_sqlite = issubclass(dialect, SQLiteDialect)
        if (is_sqlite and (file is None or dialect.driver != 'pysqlite')) or (
                dialect.name == 'duckdb' and file is None):
            raise Refused('file', name=address.drivername)
        options = {'poolclass': NullPool}
        if is_sqlite:
            options['creator'] = lambda: open_sqlite(file, read_only)
        elif dialect.name == 'duckdb':
            address = address.set(database=file)
            options['connect_args'] = {'read_only': read_only, 'config': {
                'memory_limit': '2GB', 'autoinstall_known_extensions': 'false',
                'autoload_known_extensions': 'false',
                'allow_community_extensions': 'false'}}
        else:
            options['connect_args'] = dict(NO_LOCAL_FILES.get(dialect.driver, {}))
        self._engine = create_engine(address, **options)
        event.listen(self._engine, 'before_cursor_execute', self._remember)
        connection = self._engine.connect()
        try:
            connection = connection.execution_options(isolation_level='AUTOCOMMIT')
        except Exception:
            self._commits = True
        self._connection = connection
        self._catalogue = Catalogue(connection)
        name = connection.dialect.name
        if name == 'duckdb':
            self._run('SET enable_external_access=false')
            self._run('SET lock_configuration=true')
        if name in ('mysql', 'mariadb'):
            self._thread_id = self._run('SELECT CONNECTION_ID()').scalar()
        driver = getattr(connection.connection, 'driver_connection', None)
        keep_times(driver)
        if hasattr(driver, 'add_notice_handler'):
            driver.add_notice_handler(self._notice)
        self._settle()
        return {'guards': name not in READ_ONLY and file is None}

    def _remember(self, _connection, cursor, *_):
        if self._shows:
            keep_texts(cursor)
        # A cursor of PostgreSQL has a prefix, which positions of errors count.
        name = getattr(cursor, 'name', None) if self._streams else None
        hold = ' WITHOUT HOLD' if self._engine.dialect.driver == 'psycopg2' else ''
        self.prefix = 0 if name is None else len(f'DECLARE "{name}" CURSOR{hold} FOR ')

    def _notice(self, diagnostic):
        severity, message = diagnostic.severity, diagnostic.message_primary
        self._notices.append(f'{severity}: {message}')

    def _run(self, statement, **options):
        # Without parameters, a driver leaves % in the statement as it is.
        return self._connection.exec_driver_sql(
            statement, execution_options={'no_parameters': True, **options})

    def _transact(self, statement):
        """Begins or ends the transaction of a cursor. psycopg2 counts only its own ones."""
        if self._connection.dialect.driver != 'psycopg2':
            self._run(statement)
            return
        driver = self._connection.connection.driver_connection
        if statement != 'BEGIN':
            getattr(driver, statement.lower())()
        driver.autocommit = statement != 'BEGIN'

    def _settle(self):
        if self._commits:
            self._connection.commit()

    def prepare(self, read_only):
        """Repeats what the setting demands, because a run may have changed it."""
        statement = READ_ONLY.get(self._connection.dialect.name)
        if read_only and statement:
            self._run(statement)
            self._settle()

    def execute(self, sql, stream, begins):
        """Starts a statement. `begins`: no transaction is open, as a cursor needs it."""
        self.skip()
        self._notices = []
        is_postgres = self._connection.dialect.name in POSTGRES_DIALECTS
        # Without an own transaction, psycopg2 has no cursor that streams.
        self._streams = (stream and self._connection.dialect.supports_server_side_cursors
                         and (begins or self._connection.dialect.driver != 'psycopg2'))
        self._is_wrapped = bool(self._streams and is_postgres and begins)
        try:
            if self._is_wrapped:
                self._transact('BEGIN')
            self._shows = True
            try:
                result = self._run(sql, stream_results=self._streams, max_row_buffer=FIRST_ROWS)
            finally:
                self._shows = False
            if not result.returns_rows:
                count = result.rowcount
                result.close()
                self._end()
                return {'count': count if isinstance(count, int) and count >= 0 else None,
                        'notices': self._notices}
            self._result = result
            self._is_over = False
            self._first = self._fetch(FIRST_ROWS)
        except BaseException:
            self._abandon()
            raise
        description = result.cursor.description if result.cursor else self._description
        kinds = kinds_of(description, self._first, self._connection.dialect.name)
        columns = [{'name': str(column[0]), 'kind': kind}
                   for column, kind in zip(description, kinds)]
        return {'columns': columns, 'notices': self._notices}

    def _fetch(self, count):
        if self._is_over:
            return []
        if self._result.cursor is not None:
            self._description = self._result.cursor.description
        rows = self._result.fetchmany(count)
        if len(rows) < count:
            self._is_over = True
            self._result.close()
            self._end()
        return rows

    def _end(self):
        if self._is_wrapped:
            self._is_wrapped = False
            self._transact('COMMIT')
        self._settle()

    def _abandon(self):
        """Ends what a failed statement has left."""
        self._result = None
        self._is_over = True
        is_wrapped, self._is_wrapped = self._is_wrapped, False
        try:
            if is_wrapped:
                self._transact('ROLLBACK')
            if self._commits:
                self._connection.rollback()
        except Exception:
            pass

    def read(self, count):
        """Returns the next rows; fewer than `count` are the last ones."""
        rows, self._first = self._first[:count], self._first[count:]
        try:
            if len(rows) < count:
                rows = list(rows) + list(self._fetch(count - len(rows)))
        except BaseException:
            self._abandon()
            raise
        return [row_of(row) for row in rows]

    def skip(self):
        """Ends the statement without its remaining rows."""
        self._first = []
        if self._is_over:
            self._result = None
            return
        # A driver of MySQL would read all remaining rows.
        if self._thread_id is not None:
            self.cancel()
        try:
            self._result.close()
            self._result = None
            self._is_over = True
            self._end()
        except Exception:
            self._abandon()

    def cancel(self):
        """Asks the database to stop the statement; another thread may run it."""
        if self._connection is None:
            return
        if self._thread_id is not None:
            other = self._engine.raw_connection()
            try:
                other.cursor().execute(f'KILL QUERY {int(self._thread_id)}')
            finally:
                other.close()
            return
        driver = self._connection.connection.driver_connection
        for target in (driver, getattr(self._result, 'cursor', None)):
            for name in ('cancel', 'interrupt'):
                method = getattr(target, name, None)
                if callable(method):
                    method()
                    return

    def version(self):
        """Asks a question that every database answers, and returns its name and version."""
        dialect = self._connection.dialect
        self._run(str(select(literal(1)).compile(
            dialect=dialect, compile_kwargs={'literal_binds': True}))).fetchall()
        self._settle()
        name = 'mariadb' if getattr(dialect, 'is_mariadb', False) else dialect.name
        parts = getattr(dialect, 'server_version_info', None)
        if name == 'sqlite':
            parts = sqlite3.sqlite_version_info
        elif name == 'duckdb':
            parts = self._run('SELECT version()').scalar().lstrip('v').split('.')
        numbers = [str(part) for part in parts or () if str(part).isdigit()]
        return ' '.join([TITLES.get(name, name), '.'.join(numbers[:3])]).strip()

    def preview(self, schema, table, limit):
        """Starts a statement that reads the first rows of a table."""
        return self.execute(self._catalogue.first_rows(schema, table, limit), False, False)

    def relations(self, search, tables, columns):
        """See Catalogue.relations."""
        try:
            return self._catalogue.relations(search, tables, columns)
        finally:
            self._settle()

    def names(self, of=None):
        """Returns names for completion: the columns of tables, or all tables and keywords."""
        try:
            if of is not None:
                return {'columns': self._catalogue.columns(set(of))}
            return {'tables': self._catalogue.tables(), 'keywords': self._catalogue.keywords()}
        finally:
            self._settle()

    def close(self):
        """Ends the connection."""
        self.skip()
        if self._connection is not None:
            self._connection.close()


def describe_error(error, prefix):
    """Returns an error as the server expects it."""
    if isinstance(error, Refused):
        return {'message': str(error), **error.more}
    if isinstance(error, ImportError):
        return {'kind': 'driver', 'name': getattr(error, 'name', None) or '',
                'message': str(error)}
    answer = {'lost': bool(getattr(error, 'connection_invalidated', False))}
    cause = getattr(error, 'orig', None) or error
    arguments = getattr(cause, 'args', ())
    message, code = str(cause), getattr(cause, 'sqlstate', None) or getattr(cause, 'pgcode', None)
    if len(arguments) > 1 and isinstance(arguments[0], int) and isinstance(arguments[1], str):
        code, message = arguments[0], arguments[1]
    diagnostic = getattr(cause, 'diag', None)
    if getattr(diagnostic, 'message_primary', None):
        message = diagnostic.message_primary
        answer['details'] = [f'{label}: {text}' for label, text in (
            ('DETAIL', diagnostic.message_detail), ('HINT', diagnostic.message_hint)) if text]
        if (getattr(diagnostic, 'statement_position', None) or '').isdigit():
            answer['position'] = int(diagnostic.statement_position) - 1 - prefix
    return {**answer, 'message': message or type(cause).__name__,
            'code': None if code is None else str(code), 'type': type(cause).__name__}


def serve(memory):
    """Answers requests until the server closes its end."""
    session = Session()
    waiting = queue.Queue()
    requests = os.fdopen(3, 'r', encoding='utf-8')
    answers = os.fdopen(4, 'w', encoding='utf-8')

    def listen():
        for line in requests:
            request = json.loads(line)
            if request['call'] != 'cancel':
                waiting.put(request)
                continue
            try:
                session.cancel()
            except Exception:
                # The server ends the process if the statement does not stop.
                pass
        os._exit(0)

    def watch():
        page = os.sysconf('SC_PAGE_SIZE')
        while os.path.exists('/proc/self/statm'):
            with open('/proc/self/statm', encoding='ascii') as file:
                if int(file.read().split()[1]) * page > memory * 2**20:
                    os._exit(TOO_LARGE)
            clock.sleep(MEMORY_CHECK)

    for work in (listen, watch):
        threading.Thread(target=work, daemon=True).start()
    while True:
        request = waiting.get()
        answer = {'id': request.pop('id')}
        try:
            answer['value'] = getattr(session, request.pop('call'))(**request)
        except Exception as error:
            answer['error'] = describe_error(error, session.prefix)
        answers.write(json.dumps(answer) + '\n')
        answers.flush()
