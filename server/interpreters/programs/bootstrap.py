def _tiding_setup(settings):
    """Defines `z` and shows DataFrames as tables.

    `settings` is JSON with `tableMime`, `requestPrefix` and limits in characters. The names of these
    functions start with `_tiding_`: the server removes their frames from tracebacks.

    `z` reaches the server through the kernel's input channel. It needs no port, and no files except
    the ones that exchange tables.
    """
    import json
    import os
    import sys
    import threading

    from IPython import get_ipython
    from IPython.core.formatters import BaseFormatter
    from traitlets import ObjectName, Unicode

    shell = get_ipython()
    kernel = shell.kernel
    # Jedi takes seconds for a name and blocks the kernel. Inspecting live objects takes
    # milliseconds.
    shell.Completer.use_jedi = False
    prompt = kernel.raw_input
    guard = threading.RLock()
    settings = json.loads(settings)
    mime = settings['tableMime']
    request_prefix = settings['requestPrefix']
    default_limit = 10000

    def request(operation, **values):
        with guard:
            answer = json.loads(
                prompt(request_prefix + json.dumps({'operation': operation, **values}))
            )
        if answer.get('error'):
            raise RuntimeError(answer['error'])
        return answer.get('value', answer.get('file'))

    def print_in_pieces():
        """Makes streams send long texts in several messages: a long one would be lost."""
        piece = settings['pieceLength']
        stream_class = type(sys.stdout)
        # After this time in s, a line about it would be mixed into the output. On a busy machine, a
        # long text takes longer than the 10 s that are usual.
        stream_class.flush_timeout = 120
        flush_buffers = stream_class._flush_buffers

        def flush_pieces(stream):
            for parent, text in flush_buffers(stream):
                for start in range(0, len(text), piece):
                    yield parent, text[start : start + piece]

        stream_class._flush_buffers = flush_pieces

    def drop_large_displays():
        """Replaces displays that are larger than a message can be with a sentence."""
        limit = settings['displayLength']
        send = kernel.session.send

        def send_checked(stream, message, *args, **kwargs):
            content = message.get('content') if isinstance(message, dict) else None
            data = content.get('data') if isinstance(content, dict) else None
            if isinstance(data, dict):
                length = sum(len(value) for value in data.values() if isinstance(value, str))
                if length > limit:
                    text = (
                        f'This output has {length:,} characters. At most {limit:,} can be '
                        'shown. Show a part of it, or write it to a file.'
                    )
                    message = {**message, 'content': {**content, 'data': {'text/plain': text}}}
            return send(stream, message, *args, **kwargs)

        kernel.session.send = send_checked

    print_in_pieces()
    drop_large_displays()

    def clean(text):
        return (
            text.replace('\r\n', ' ')
            .replace('\t', ' ')
            .replace('\n', ' ')
            .replace('\r', ' ')
        )

    def is_missing(value):
        import pandas

        try:
            return value is None or pandas.isna(value) is True
        except (TypeError, ValueError):
            return False

    def cell(value):
        import numpy

        if isinstance(value, str):
            return clean(value)
        if isinstance(value, (bool, numpy.bool_)):
            return 'true' if value else 'false'
        if isinstance(value, numpy.ndarray):
            value = value.tolist()
        if isinstance(value, (list, tuple, dict)):
            return clean(json.dumps(value, default=str, ensure_ascii=False))
        return 'null' if is_missing(value) else clean(str(value))

    def cells(values):
        """Returns the texts of many values: of plain numbers without a look at each."""
        import numpy

        kind = getattr(values, 'dtype', None)
        if isinstance(kind, numpy.dtype) and kind.kind in 'iu':
            return [str(value) for value in values.tolist()]
        if kind == numpy.float64:
            return ['null' if value != value else str(value) for value in values.tolist()]
        return [cell(value) for value in values]

    def column_name(name):
        if isinstance(name, tuple):
            return '.'.join(str(part) for part in name if str(part) != '')
        return str(name)

    def index_columns(frame):
        """Returns (name, values) of each index level; nothing for plain row numbers."""
        import pandas

        index = frame.index
        if isinstance(index, pandas.RangeIndex) and index.name is None:
            return []
        if index.nlevels == 1:
            return [('index' if index.name is None else column_name(index.name), index)]
        return [
            (f'level_{level}' if name is None else column_name(name), index.get_level_values(level))
            for level, name in enumerate(index.names)
        ]

    def plain_type(kind):
        """Returns the closest type that every Arrow reader supports; None if there is none."""
        import pyarrow

        types = pyarrow.types
        view = lambda name: getattr(types, name, lambda _: False)(kind)
        if types.is_dictionary(kind):
            return plain_type(kind.value_type)
        if isinstance(kind, pyarrow.BaseExtensionType):
            return plain_type(kind.storage_type)
        if types.is_string(kind) or types.is_large_string(kind) or view('is_string_view'):
            return pyarrow.string()
        if types.is_binary(kind) or types.is_large_binary(kind) or view('is_binary_view'):
            return pyarrow.binary()
        if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
            value = plain_type(kind.value_type)
            return value and pyarrow.list_(value)
        if types.is_struct(kind):
            fields = [(field.name, plain_type(field.type)) for field in kind]
            return None if any(inner is None for _, inner in fields) else pyarrow.struct(fields)
        if types.is_map(kind):
            key, item = plain_type(kind.key_type), plain_type(kind.item_type)
            return key and item and pyarrow.map_(key, item)
        if types.is_float16(kind):
            return pyarrow.float32()
        simple = (
            types.is_boolean,
            types.is_integer,
            types.is_floating,
            types.is_decimal128,
            types.is_date,
            types.is_time,
            types.is_timestamp,
            types.is_duration,
            types.is_null,
        )
        return kind if any(test(kind) for test in simple) else None

    def arrow_column(values):
        """Returns an Arrow column; a column of text if the values have no common type."""
        import pyarrow

        try:
            column = (
                values
                if isinstance(values, (pyarrow.Array, pyarrow.ChunkedArray))
                else pyarrow.array(values, from_pandas=True)
            )
            kind = plain_type(column.type)
            if kind is not None:
                return column if kind == column.type else column.cast(kind)
        except Exception:
            pass
        plain = (
            values.to_pylist()
            if isinstance(values, (pyarrow.Array, pyarrow.ChunkedArray))
            else values
        )
        return pyarrow.array(
            [None if is_missing(value) else cell(value) for value in plain], pyarrow.string()
        )

    def distinct(names):
        taken, seen = set(names), set()
        for name in names:
            free, count = name, 2
            while free in seen or (free != name and free in taken):
                free, count = f'{name}_{count}', count + 1
            seen.add(free)
            yield free

    def keep_large(table, file):
        """Writes a large table to a Parquet file, which the server turns into a database.

        Returns None if Parquet has not all of its types.
        """
        import pyarrow
        import pyarrow.parquet

        if any(pyarrow.types.is_duration(field.type) for field in table.schema):
            return None
        try:
            # The file is read once and deleted. A dictionary of numbers takes longer to build
            # than it saves.
            texts = [
                field.name for field in table.schema if pyarrow.types.is_string(field.type)
            ]
            pyarrow.parquet.write_table(
                table.replace_schema_metadata(),
                file,
                row_group_size=122_880,
                use_dictionary=texts,
                write_statistics=False,
            )
        except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError):
            os.unlink(file) if os.path.exists(file) else None
            return None
        os.chmod(file, 0o600)
        return table.num_rows

    def keep(names, columns):
        """Writes all rows to an Arrow stream in a file of the server.

        Returns None if the server does not store tables.
        """
        if not names:
            return None
        file, kept = None, None
        try:
            import pyarrow

            room = request('keep')
            table = pyarrow.Table.from_arrays(
                [arrow_column(values) for values in columns], names=list(distinct(names))
            )
            file, rows = room['file'], 0
            if table.num_rows * table.num_columns > room['cells']:
                rows = keep_large(table.slice(0, room['rows']), file)
                if rows is not None:
                    kept = {'file': file, 'rows': rows}
                    return kept
                rows = 0
            with os.fdopen(
                os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), 'wb'
            ) as sink:
                with pyarrow.ipc.new_stream(sink, table.schema.remove_metadata()) as writer:
                    for batch in table.replace_schema_metadata().to_batches(max_chunksize=4096):
                        if rows + batch.num_rows > room['rows'] or sink.tell() > room['bytes']:
                            break
                        writer.write_batch(batch)
                        rows += batch.num_rows
            kept = {'file': file, 'rows': rows}
        except Exception:
            pass
        finally:
            if kept is None and file is not None and os.path.exists(file):
                os.unlink(file)
        return kept

    def bundle(names, columns, heads, total, limit):
        lines = ['\t'.join(clean(name) for name in names)]
        texts = [cells(values) for values in heads]
        lines += ['\t'.join(row) or ' ' for row in zip(*texts)]
        kept = keep(names, columns)
        about = {'file': kept['file']} if kept else {}
        if total > limit:
            rows = f'the first {limit:,} of {total:,} rows'
            others = 'the table view, downloads and scripts'
            if kept and kept['rows'] >= total:
                about['notice'] = f'The note has {rows}; {others} have all of them.'
            elif kept and kept['rows'] > limit:
                stored = f'{kept["rows"]:,}'
                about['notice'] = f'The note has {rows}; {others} have the first {stored}.'
            else:
                about['notice'] = f'Showing {rows}. For more rows use z.show(frame, limit={total}).'
        return '\n'.join(lines) + '\n', about

    def table_bundle(frame, limit=default_limit):
        parts = index_columns(frame) + [
            (column_name(name), frame.iloc[:, position])
            for position, name in enumerate(frame.columns)
        ]
        return bundle(
            [name for name, _ in parts],
            [values for _, values in parts],
            [values[:limit] for _, values in parts],
            len(frame),
            limit,
        )

    def arrow_bundle(table, limit=default_limit):
        """Shows a pyarrow table, or an object with to_arrow()."""
        table = table if hasattr(table, 'column_names') else table.to_arrow()
        return bundle(
            [str(name) for name in table.column_names],
            table.columns,
            [column.slice(0, limit).to_pylist() for column in table.columns],
            table.num_rows,
            limit,
        )

    class TableFormatter(BaseFormatter):
        format_type = Unicode(mime)
        print_method = ObjectName('_repr_tiding_table_')

    formatter = TableFormatter(parent=shell.display_formatter)
    for module in ('pandas', 'pandas.core.frame'):
        formatter.for_type_by_name(module, 'DataFrame', table_bundle)
    formatter.for_type_by_name('pyarrow.lib', 'Table', arrow_bundle)
    for module in ('polars', 'polars.dataframe.frame'):
        formatter.for_type_by_name(module, 'DataFrame', arrow_bundle)
    shell.display_formatter.formatters[mime] = formatter

    def to_frame(value):
        import pandas

        if isinstance(value, pandas.DataFrame):
            return value
        if isinstance(value, pandas.Series):
            return value.to_frame()
        if type(value).__module__.split('.')[0] in ('pyarrow', 'polars') and hasattr(
            value, 'to_pandas'
        ):
            return value.to_pandas()
        return pandas.DataFrame(value)

    def read(file):
        import pyarrow
        import pyarrow.parquet

        try:
            table = pyarrow.parquet.read_table(file, memory_map=False)
        finally:
            os.unlink(file)
        for position, field in enumerate(table.schema):
            if pyarrow.types.is_decimal(field.type):
                table = table.set_column(
                    position, field.name, table.column(position).cast(pyarrow.float64())
                )
        return table.to_pandas(date_as_object=False)

    NoteMethods = _tiding_note(request)

    FigureMethods, run_sql = _tiding_figures(shell)
    # `%python.sql` calls it.
    shell.user_ns_hidden['_tiding_sql'] = shell.user_ns['_tiding_sql'] = run_sql

    class Z(NoteMethods, FigureMethods):
        """Exchanges tables with other interpreters, shares values and runs paragraphs."""

        def table(self, name):
            """Returns a table of %sql as a DataFrame."""
            return read(request('table', name=str(name)))

        def sql(self, query):
            """Runs a SELECT in %sql and returns its result as a DataFrame."""
            return read(request('sql', query=str(query)))

        def put(self, name, value):
            """Creates or replaces a table in %sql.

            `value` is a DataFrame, or anything that pandas.DataFrame accepts.
            """
            frame = to_frame(value)
            names = [name for name, _ in index_columns(frame)] + [
                column_name(name) for name in frame.columns
            ]
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(
                    'z.put: column names must be unique. Rename the duplicates: ' + ', '.join(twice)
                )
            plain = frame.reset_index(drop=not index_columns(frame))
            plain.columns = names
            file = request('file')
            os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            try:
                plain.to_parquet(
                    file,
                    engine='pyarrow',
                    index=False,
                    coerce_timestamps='us',
                    allow_truncated_timestamps=True,
                )
                request('put', name=str(name), file=file)
            finally:
                if os.path.exists(file):
                    os.unlink(file)

        put_table = put
        get = table

        def credential(self, entity):
            """Returns your login for a data source, as {'username': …, 'password': …}.

            Only available if the interpreter starts a separate process for each user.
            """
            return request('credential', entity=str(entity))

        def show(self, value, limit=default_limit):
            """Shows a value; a table with at most `limit` rows."""
            from IPython.display import display

            kind = type(value)
            if (
                kind.__name__ in ('DataFrame', 'Series')
                and kind.__module__.split('.')[0] == 'pandas'
            ):
                data, about = table_bundle(to_frame(value), limit)
                display({mime: data}, metadata={mime: about}, raw=True)
            elif (kind.__module__.split('.')[0], kind.__name__) in (
                ('pyarrow', 'Table'),
                ('polars', 'DataFrame'),
            ):
                data, about = arrow_bundle(value, limit)
                display({mime: data}, metadata={mime: about}, raw=True)
            else:
                display(value)

    z = Z()
    shell.user_ns['z'] = z
    shell.user_ns_hidden['z'] = z
    _tiding_pages()
