def _tiding_setup(settings):
    """Defines `z` and shows DataFrames as tables.

    `settings` is JSON with `tableMime`, `requestPrefix` and limits in characters. The names of these
    functions start with `_tiding_`: the server removes their frames from tracebacks.

    `z` reaches the server through the kernel's input channel. It needs no port, and no files except
    the ones that exchange tables.
    """
    import datetime
    import json
    import os
    import re
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
    tables = _tiding_values()

    def request(operation, **values):
        with guard:
            answer = json.loads(
                prompt(request_prefix + json.dumps({'operation': operation, **values}))
            )
        if answer.get('error'):
            raise RuntimeError(answer['error'])
        return answer.get('value')

    def set_up_streams():
        """Makes streams send texts in order, and long ones in several messages.

        A long message would be lost.
        """
        piece = settings['pieceLength']
        stream_class = type(sys.stdout)
        # After this time in s, a line about it would be mixed into the output. On a busy machine, a
        # long text takes longer than the 10 s that are usual.
        stream_class.flush_timeout = 120
        flush_buffers = stream_class._flush_buffers

        def flush_pieces(stream):
            for parent, text in flush_buffers(stream):
                text = tables.encodable(text)
                for start in range(0, len(text), piece):
                    yield parent, text[start : start + piece]

        stream_class._flush_buffers = flush_pieces
        # IPython replaces `write` of the streams, which calls this.
        schedule_flush = stream_class._schedule_flush
        latest = [sys.stdout]

        def flush_in_order(stream):
            if stream is not latest[0]:
                # Each stream has a buffer: a progress bar would end after the next printed line.
                latest[0].flush()
                latest[0] = stream
            schedule_flush(stream)

        stream_class._schedule_flush = flush_in_order

    def check_displays():
        """Replaces displays and characters that a message can't have."""
        limit = settings['displayLength']
        send = kernel.session.send

        def send_checked(stream, message, *args, **kwargs):
            content = message.get('content') if isinstance(message, dict) else None
            data = content.get('data') if isinstance(content, dict) else None
            if isinstance(data, dict):
                data = {
                    kind: tables.encodable(value) if isinstance(value, str) else value
                    for kind, value in data.items()
                }
                length = sum(len(value) for value in data.values() if isinstance(value, str))
                if length > limit:
                    text = (
                        f'This output has {length:,} characters. At most {limit:,} can be '
                        'shown. Show a part of it, or write it to a file.'
                    )
                    data = {'text/plain': text}
                message = {**message, 'content': {**content, 'data': data}}
            return send(stream, message, *args, **kwargs)

        kernel.session.send = send_checked

    def show_display_errors():
        """Prints the error of a value that can't be displayed; it does not end the code."""
        report = shell._showtraceback
        format_value = shell.display_formatter.format

        def print_error(kind, error, lines):
            text = shell.InteractiveTB.stb2text(lines)
            print(re.sub(r'\x1b\[[\d;]*m', '', text), file=sys.stderr)

        def format_safely(*args, **kwargs):
            shell._showtraceback = print_error
            try:
                return format_value(*args, **kwargs)
            finally:
                shell._showtraceback = report

        shell.display_formatter.format = format_safely

    set_up_streams()
    check_displays()
    show_display_errors()

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

        if not all(tables.fits_parquet(field.type) for field in table.schema):
            return None
        try:
            # The file is read once and deleted. A dictionary of numbers takes longer to build
            # than it saves.
            texts = [
                field.name for field in table.schema if pyarrow.types.is_string(field.type)
            ]
            pyarrow.parquet.write_table(
                table,
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

    def arrow_table(names, columns):
        import pyarrow

        def metadata_of(meaning):
            if isinstance(meaning, list):
                return {'tiding.meaning': 'enum', 'tiding.order': json.dumps(meaning)}
            return meaning and {'tiding.meaning': meaning}

        fields = [
            pyarrow.field(name, column.type, metadata=metadata_of(meaning))
            for name, (column, meaning) in zip(names, columns)
        ]
        return pyarrow.Table.from_arrays(
            [column for column, _ in columns], schema=pyarrow.schema(fields)
        )

    def keep(room, names, columns):
        """Writes all rows to an Arrow stream in a file of the server."""
        file, kept = None, None
        try:
            import pyarrow

            table = arrow_table(list(distinct(names)), columns)
            file = room['file']
            if table.num_rows * table.num_columns > room['cells']:
                rows = keep_large(table.slice(0, room['rows']), file)
                if rows is not None:
                    kept = {'file': file, 'rows': rows}
                    return kept
            rows = 0
            with os.fdopen(
                os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), 'wb'
            ) as sink:
                with pyarrow.ipc.new_stream(sink, table.schema) as writer:
                    for batch in table.to_batches(max_chunksize=4096):
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

    def bundle(value, limit=default_limit):
        """Returns a table as text, and what the server must know about it.

        Supports data frames of pandas and polars, pyarrow tables and objects with to_arrow().
        """
        parts = tables.columns_of(value)
        names, columns = [name for name, _ in parts], [values for _, values in parts]
        total = len(columns[0]) if columns else 0
        room = None
        try:
            # Fails if the server does not store tables.
            room = request('keep') if columns else None
        except Exception:
            columns = [values[:limit] for values in columns]
        try:
            columns = [tables.arrow_column(values) for values in columns]
            heads = [column[:limit] for column, _ in columns]
        except ImportError:
            # A Python of the user without pyarrow.
            heads, room = [values[:limit] for values in columns], None
        lines = ['\t'.join(tables.clean(name) for name in names)]
        lines += ['\t'.join(row) or ' ' for row in zip(*map(tables.texts, heads))]
        kept = room and keep(room, names, columns)
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

    class TableFormatter(BaseFormatter):
        format_type = Unicode(mime)
        print_method = ObjectName('_repr_tiding_table_')

    formatter = TableFormatter(parent=shell.display_formatter)
    for module in ('pandas', 'pandas.core.frame'):
        formatter.for_type_by_name(module, 'DataFrame', bundle)
    formatter.for_type_by_name('pyarrow.lib', 'Table', bundle)
    for module in ('polars', 'polars.dataframe.frame'):
        formatter.for_type_by_name(module, 'DataFrame', bundle)
    shell.display_formatter.formatters[mime] = formatter

    def is_table(value, *names):
        """Says whether a value is one of these classes of pandas, polars or pyarrow."""
        kind = type(value)
        module = kind.__module__.split('.')[0]
        return module in ('pandas', 'polars', 'pyarrow') and kind.__name__ in names

    def to_table(value):
        import pandas

        if is_table(value, 'Series') and hasattr(value, 'to_frame'):
            return value.to_frame()
        if hasattr(value, 'to_arrow') or hasattr(value, 'column_names'):
            return value
        return value if isinstance(value, pandas.DataFrame) else pandas.DataFrame(value)

    def intervals(values):
        """Returns durations; texts if some have months, whose length is unknown."""
        import pandas

        parts = [value and tuple(value.values()) for value in values]
        if any(each and each[0] for each in parts):
            return [
                each and tables.interval_text((each[0], each[1], each[2] * 1000)) for each in parts
            ]
        return pandas.to_timedelta(
            [each and datetime.timedelta(days=each[1], microseconds=each[2]) for each in parts]
        )

    def read(file):
        import pandas
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
        frame = table.to_pandas(date_as_object=False)
        for position, column in enumerate(table.columns):
            if pyarrow.types.is_struct(column.type) and column.type[0].name == 'interval_months':
                frame.isetitem(position, intervals(column.to_pylist()))
            if column.null_count and pyarrow.types.is_integer(column.type):
                # pandas would make floats of them, which have 53 bits.
                name = str(column.type).replace('i', 'I').replace('uI', 'UI')
                frame.isetitem(position, pandas.array(column.to_pylist(), dtype=name))
        return frame

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
            import pyarrow.parquet

            parts = tables.columns_of(to_table(value))
            names = [name for name, _ in parts]
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(
                    'z.put: column names must be unique. Rename the duplicates: ' + ', '.join(twice)
                )
            columns = [tables.arrow_column(values) for _, values in parts]
            table = arrow_table(
                names, [(tables.for_parquet(column), None) for column, _ in columns]
            )
            file = request('file')
            os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            try:
                pyarrow.parquet.write_table(table, file)
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

            if is_table(value, 'DataFrame', 'Series', 'Table') and hasattr(value, '__len__'):
                data, about = bundle(to_table(value), limit)
                display({mime: data}, metadata={mime: about}, raw=True)
            else:
                display(value)

    z = Z()
    shell.user_ns['z'] = z
    shell.user_ns_hidden['z'] = z
    _tiding_pages()
