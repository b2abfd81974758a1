/** What is run in a Python kernel before the first paragraph. */
import { pagesSource } from './python-pages.ts';

/** Requests to the server start with this; the rest of the prompt is JSON. */
export const requestPrefix = '\u0001tiding:';
/** MIME type of a table as tab-separated text, header first; its metadata may hold `notice`. */
export const tableMime = 'application/vnd.tiding.table';
/** Name of the function that holds all of it; frames of a traceback that name it are not the user's. */
export const bootstrapName = '_tiding_setup';

/**
 * Python source that defines `z`, shows DataFrames as tables, and makes `input()` fail at once.
 *
 * `z` reaches the server through the kernel's own channel for input: no port, no file but the Parquet files of the exchange.
 */
export const pythonBootstrap = `
def ${bootstrapName}():
    import json, os, threading
    from IPython import get_ipython
    from IPython.core.error import StdinNotImplementedError
    from IPython.core.formatters import BaseFormatter
    from traitlets import ObjectName, Unicode

    shell = get_ipython()
    kernel = shell.kernel
    # The static analyser takes seconds for a name and blocks the kernel meanwhile; looking at the live objects takes milliseconds.
    shell.Completer.use_jedi = False
    ask = kernel.raw_input
    guard = threading.RLock()
    mime = ${JSON.stringify(tableMime)}
    default_limit = 10000

    def refuse(*args, **kwargs):
        raise StdinNotImplementedError(
            'input() is not available in a notebook: use a form such as \${name=value}, or assign the value in the code.')

    kernel.raw_input = refuse
    kernel.getpass = refuse

    def request(operation, **values):
        with guard:
            answer = json.loads(ask(${JSON.stringify(requestPrefix)} + json.dumps({'operation': operation, **values})))
        if answer.get('error'):
            raise RuntimeError(answer['error'])
        return answer.get('value', answer.get('file'))

    def clean(text):
        return text.replace('\\r\\n', ' ').replace('\\t', ' ').replace('\\n', ' ').replace('\\r', ' ')

    def cell(value):
        import numpy, pandas
        if isinstance(value, str):
            return clean(value)
        if isinstance(value, (bool, numpy.bool_)):
            return 'true' if value else 'false'
        if isinstance(value, numpy.ndarray):
            value = value.tolist()
        if isinstance(value, (list, tuple, dict)):
            return clean(json.dumps(value, default=str, ensure_ascii=False))
        try:
            if value is None or pandas.isna(value) is True:
                return 'null'
        except (TypeError, ValueError):
            pass
        return clean(str(value))

    def column_name(name):
        if isinstance(name, tuple):
            return '.'.join(str(part) for part in name if str(part) != '')
        return str(name)

    def index_columns(frame):
        """(name, values) of the index, where it says more than the row number."""
        import pandas
        index = frame.index
        if isinstance(index, pandas.RangeIndex) and index.name is None:
            return []
        if index.nlevels == 1:
            return [('index' if index.name is None else column_name(index.name), index)]
        return [(f'level_{level}' if name is None else column_name(name), index.get_level_values(level))
                for level, name in enumerate(index.names)]

    def table_bundle(frame, limit=default_limit):
        total = len(frame)
        head = frame.head(limit)
        parts = index_columns(head) + [(column_name(name), head.iloc[:, place]) for place, name in enumerate(head.columns)]
        lines = ['\\t'.join(clean(name) for name, _ in parts)]
        texts = [[cell(value) for value in values] for _, values in parts]
        lines += ['\\t'.join(row) or ' ' for row in zip(*texts)]
        notice = {}
        if total > limit:
            notice = {'notice': f'Showing the first {limit:,} of {total:,} rows. For more rows use z.show(frame, limit={total}).'}
        return '\\n'.join(lines) + '\\n', notice

    class TableFormatter(BaseFormatter):
        format_type = Unicode(mime)
        print_method = ObjectName('_repr_tiding_table_')

    formatter = TableFormatter(parent=shell.display_formatter)
    for module in ('pandas', 'pandas.core.frame'):
        formatter.for_type_by_name(module, 'DataFrame', table_bundle)
    shell.display_formatter.formatters[mime] = formatter

    def to_frame(value):
        import pandas
        if isinstance(value, pandas.DataFrame):
            return value
        if isinstance(value, pandas.Series):
            return value.to_frame()
        if type(value).__module__.split('.')[0] in ('pyarrow', 'polars') and hasattr(value, 'to_pandas'):
            return value.to_pandas()
        return pandas.DataFrame(value)

    def read(file):
        import pyarrow, pyarrow.parquet
        try:
            table = pyarrow.parquet.read_table(file, memory_map=False)
        finally:
            os.unlink(file)
        for place, field in enumerate(table.schema):
            if pyarrow.types.is_decimal(field.type):
                table = table.set_column(place, field.name, table.column(place).cast(pyarrow.float64()))
        return table.to_pandas(date_as_object=False)

    class Z:
        """Tables shared with the other interpreters."""

        def table(self, name):
            """A DataFrame of a table that %sql knows, by its name."""
            return read(request('table', name=str(name)))

        def sql(self, query):
            """A DataFrame of the answer of a SELECT."""
            return read(request('sql', query=str(query)))

        def put(self, name, value):
            """Makes a DataFrame (or what pandas.DataFrame takes) a table in %sql, replacing one of that name."""
            frame = to_frame(value)
            names = [name for name, _ in index_columns(frame)] + [column_name(name) for name in frame.columns]
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError('z.put: column names must differ, but there are several: ' + ', '.join(twice))
            plain = frame.reset_index(drop=not index_columns(frame))
            plain.columns = names
            file = request('file')
            os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            try:
                plain.to_parquet(file, engine='pyarrow', index=False, coerce_timestamps='us', allow_truncated_timestamps=True)
                request('put', name=str(name), file=file)
            finally:
                if os.path.exists(file):
                    os.unlink(file)

        put_table = put

        def credential(self, entity):
            """Your login for a data source, as {'username': …, 'password': …}; only in a Python process of your own."""
            return request('credential', entity=str(entity))

        def show(self, value, limit=default_limit):
            """Shows a value; tables with up to limit rows."""
            from IPython.display import display
            kind = type(value)
            if kind.__name__ in ('DataFrame', 'Series') and kind.__module__.split('.')[0] == 'pandas':
                data, notice = table_bundle(to_frame(value), limit)
                display({mime: data}, metadata={mime: notice}, raw=True)
            else:
                display(value)

    z = Z()
    shell.user_ns['z'] = z
    shell.user_ns_hidden['z'] = z
${pagesSource}
${bootstrapName}()
del ${bootstrapName}
`;
