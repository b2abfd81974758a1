def _tiding_values():
    """Returns functions that convert the columns of tables to Arrow and to text.

    The typed rows beside a note and the text in it are made from the same Arrow columns, so both
    have the same values. A type without an equal in Arrow becomes text.
    """
    import base64
    import datetime
    import decimal
    import itertools
    import json
    import math
    import sys
    import types

    # Categories whose order is kept; with more, texts are sorted as text.
    most_categories = 1_000
    nanoseconds = {'s': 10**9, 'ms': 10**6, 'us': 10**3, 'ns': 1}

    def clean(text):
        return text.replace('\r\n', ' ').replace('\t', ' ').replace('\n', ' ').replace('\r', ' ')

    def encodable(text):
        """Replaces halves of surrogate pairs, which no file can have."""
        return text.encode('utf-8', 'backslashreplace').decode()

    def is_missing(value):
        if value is None:
            return True
        pandas = sys.modules.get('pandas')
        try:
            return pandas is not None and pandas.isna(value) is True
        except (TypeError, ValueError):
            return False

    def is_arrow(values):
        pyarrow = sys.modules.get('pyarrow')
        return pyarrow is not None and isinstance(values, (pyarrow.Array, pyarrow.ChunkedArray))

    def duration_text(count):
        """Formats nanoseconds as the table view formats durations."""
        seconds, fraction = divmod(abs(count), 10**9)
        digits = f'.{fraction:09}'.rstrip('0') if fraction else ''
        clock = f'{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{digits}'
        return f'-{clock}' if count < 0 else clock

    def interval_text(value):
        """Formats months, days and nanoseconds as the SQL engine does."""
        months, days, count = value
        sign = -1 if months < 0 else 1
        units = ((months * sign // 12 * sign, 'year'), (months * sign % 12 * sign, 'month'))
        parts = [
            f'{number} {unit}{"" if abs(number) == 1 else "s"}'
            for number, unit in (*units, (days, 'day'))
            if number
        ]
        return ' '.join(parts + ([duration_text(count)] if count or not parts else []))

    def binary_text(value):
        return ''.join(
            chr(byte) if 32 <= byte < 127 and byte != 92 else f'\\x{byte:02X}'
            for byte in bytes(value)
        )

    def text(value):
        """Returns the text of a value that is not missing."""
        import numpy

        if isinstance(value, str):
            return encodable(str(value))
        if isinstance(value, (bool, numpy.bool_)):
            return 'true' if value else 'false'
        if isinstance(value, (float, numpy.floating)):
            return 'NaN' if value != value else str(value)
        if isinstance(value, decimal.Decimal):
            return format(value, 'f')
        if isinstance(value, (bytes, bytearray, memoryview)):
            return binary_text(value)
        if isinstance(value, datetime.timedelta):
            count = (value.days * 86_400 + value.seconds) * 10**6 + value.microseconds
            return duration_text(count * 1000 + getattr(value, 'nanoseconds', 0))
        is_nested = isinstance(value, (list, tuple, dict, numpy.ndarray))
        try:
            return json_text(value) if is_nested else encodable(str(value))
        except Exception:
            # It contains itself, is too deep, or has no text.
            name = f'<{type(value).__name__}>'
            return quoted(name) if is_nested else name

    def json_text(value):
        """Returns a value as JSON in which numbers keep all digits."""
        import numpy

        if isinstance(value, str):
            return quoted(text(value))
        if type(value) is float:
            # JSON has no other numbers.
            if math.isfinite(value):
                return str(value)
            return 'null' if value != value else '"-Infinity"' if value < 0 else '"Infinity"'
        if type(value) is int:
            return str(value)
        if isinstance(value, dict):
            pairs = (f'{quoted(text(key))}:{json_text(item)}' for key, item in value.items())
            return f'{{{",".join(pairs)}}}'
        if isinstance(value, numpy.ndarray):
            value = value.tolist()
        if isinstance(value, numpy.floating):
            return json_text(float(str(value)))
        if isinstance(value, numpy.integer):
            return str(value)
        if isinstance(value, (list, tuple)):
            return f'[{",".join(map(json_text, value))}]'
        if is_missing(value):
            return 'null'
        if isinstance(value, (bool, numpy.bool_)):
            return text(value)
        if isinstance(value, decimal.Decimal):
            return text(value) if value.is_finite() else quoted(text(value))
        if isinstance(value, (bytes, bytearray, memoryview)):
            return quoted(base64.b64encode(bytes(value)).decode())
        if isinstance(value, datetime.datetime):
            return quoted(value.isoformat())
        return quoted(text(value))

    def quoted(value):
        return json.dumps(value, ensure_ascii=False)

    def raw_texts(values):
        """Returns the text of each value of a column; None if the value is missing."""
        import numpy

        if not is_arrow(values):
            return [None if is_missing(value) else text(value) for value in values]
        import pyarrow

        kind, write = values.type, text
        types = pyarrow.types
        if types.is_integer(kind):
            write = str
        elif types.is_float32(kind):
            write = lambda value: text(float(str(numpy.float32(value))))
        elif types.is_nested(kind):
            write = json_writer(kind)
        elif types.is_duration(kind):
            write = lambda value: duration_text(value * nanoseconds[kind.unit])
            values = values.cast(pyarrow.int64())
        elif types.is_interval(kind):
            write = interval_text
        try:
            # Python drops the nanoseconds of a time, and does not have all dates.
            known = None if kind == pyarrow.time64('ns') else values.to_pylist()
        except (OverflowError, ValueError):
            known = None
        if known is None:
            known = values.cast(pyarrow.string()).to_pylist()
            write = lambda value: value.rstrip('0').rstrip('.') if '.' in value else value
        return [None if value is None else write(value) for value in known]

    def texts(values):
        """Returns the cells of a column in the text of a table."""
        return ['null' if value is None else clean(value) for value in raw_texts(values)]

    def as_text(values):
        import pyarrow

        return pyarrow.array(raw_texts(values), pyarrow.string())

    def json_writer(kind):
        """Returns a function that writes the Python value of an Arrow type as JSON."""
        import pyarrow

        types = pyarrow.types
        if types.is_map(kind):
            item = json_writer(kind.item_type)
            return lambda value: 'null' if value is None else (
                f'{{{",".join(f"{quoted(text(key))}:{item(each)}" for key, each in value)}}}'
            )
        if types.is_list(kind):
            item = json_writer(kind.value_type)
            return lambda value: 'null' if value is None else f'[{",".join(map(item, value))}]'
        if types.is_struct(kind):
            items = [
                (field.name, f'{quoted(field.name)}:', json_writer(field.type)) for field in kind
            ]
            return lambda value: 'null' if value is None else (
                f'{{{",".join(f"{start}{item(value[name])}" for name, start, item in items)}}}'
            )
        return json_text

    def plain_type(kind):
        """Returns the closest type that every Arrow reader supports; None if there is none."""
        import pyarrow

        types = pyarrow.types
        # Older versions of Arrow lack some types.
        is_one = lambda *names: any(
            getattr(types, f'is_{name}', lambda _: False)(kind) for name in names
        )
        if types.is_dictionary(kind):
            return plain_type(kind.value_type)
        if isinstance(kind, pyarrow.BaseExtensionType):
            known = ('arrow.uuid', 'pandas.period', 'pandas.interval', 'arrow.bool8')
            return None if kind.extension_name in known else plain_type(kind.storage_type)
        if is_one('string', 'large_string', 'string_view'):
            return pyarrow.string()
        if is_one('binary', 'large_binary', 'fixed_size_binary', 'binary_view'):
            return pyarrow.binary()
        if is_one('list', 'large_list', 'fixed_size_list', 'list_view', 'large_list_view'):
            value = plain_type(kind.value_type)
            return value and pyarrow.list_(value)
        if types.is_struct(kind):
            fields = [(field.name, plain_type(field.type)) for field in kind]
            names = {name for name, _ in fields}
            is_plain = fields and len(names) == len(fields) and all(inner for _, inner in fields)
            return pyarrow.struct(fields) if is_plain else None
        if types.is_map(kind):
            key, item = plain_type(kind.key_type), plain_type(kind.item_type)
            return key and item and pyarrow.map_(key, item)
        if types.is_float16(kind):
            return pyarrow.float32()
        if types.is_decimal(kind):
            return pyarrow.decimal128(kind.precision, kind.scale) if kind.precision < 39 else None
        is_simple = is_one('boolean', 'integer', 'floating', 'null') or is_one(
            'date', 'time', 'timestamp', 'duration', 'interval'
        )
        return kind if is_simple else None

    def has_one_type(values):
        """Says whether Arrow has a type for all of these Python values, each of them unchanged.

        `values` returns an iterator. Dictionaries must have the same keys: Arrow would add the
        keys of all rows to each row.
        """
        import numpy

        kinds = set(map(type, values())) - {type(None)}
        if not kinds:
            return True
        present = lambda: (value for value in values() if value is not None)
        if kinds == {dict}:
            keys = next(present()).keys()
            return (
                len(keys) > 0
                and all(type(key) is str for key in keys)
                and all(value.keys() == keys for value in present())
                and all(has_one_type(lambda: (value[key] for value in present())) for key in keys)
            )
        if kinds == {numpy.ndarray}:
            dtypes = {value.dtype for value in present()}
            if len(dtypes) == 1 and dtypes.pop().kind in 'biuf':
                return True
        if kinds <= {list, tuple, numpy.ndarray}:
            return has_one_type(lambda: itertools.chain.from_iterable(present()))
        if kinds in ({datetime.datetime}, {datetime.time}):
            return all(value.tzinfo is None for value in present())
        groups = (
            {int, float, *(numpy.dtype(code).type for code in 'bBhHiIlLqQefd')},
            {bool, numpy.bool_},
            {str},
            {bytes, bytearray, memoryview},
            {decimal.Decimal},
            {datetime.date},
        )
        return any(kinds <= group for group in groups)

    def from_objects(values):
        """Converts Python objects. Those without a common type in Arrow become text."""
        import numpy
        import pandas
        import pyarrow

        series = pandas.Series(values, dtype=object).reset_index(drop=True)
        present = series[series.notna()]
        kinds = set(map(type, present))
        every = lambda *classes: bool(kinds) and all(issubclass(kind, classes) for kind in kinds)
        if every(datetime.datetime, datetime.timedelta, numpy.datetime64, numpy.timedelta64):
            found = series.infer_objects()
            if found.dtype != object:
                return convert(found)
        try:
            if has_one_type(lambda: iter(present)):
                column = pyarrow.array(series, from_pandas=True)
                if plain_type(column.type) is not None:
                    return from_arrow(column)
        except Exception:
            # For example an integer of more than 64 bits.
            pass
        meaning = (
            'period'
            if every(pandas.Period)
            else 'json' if every(dict, list, tuple, numpy.ndarray) else None
        )
        return as_text(series), meaning

    def from_arrow(column):
        import pyarrow
        import pyarrow.compute

        kind = column.type
        if getattr(pyarrow.types, 'is_run_end_encoded', lambda _: False)(kind):
            return from_arrow(pyarrow.compute.run_end_decode(column))
        name = getattr(kind, 'extension_name', '')
        if name.startswith('pandas.'):
            return convert(column.to_pandas())
        plain = plain_type(kind)
        if plain is None:
            return as_text(column), 'json' if pyarrow.types.is_nested(kind) else None
        meaning = 'json' if name == 'arrow.json' else None
        if pyarrow.types.is_dictionary(kind) and kind.ordered and len(column):
            chunks = column.chunks if hasattr(column, 'chunks') else [column]
            whole = pyarrow.chunked_array(chunks).unify_dictionaries()
            meaning = order_of(whole.chunk(0).dictionary)
        return column if kind == plain else column.cast(plain), meaning

    def order_of(categories):
        """Returns the meaning of texts that are sorted in the order of their categories."""
        import pyarrow

        kind = categories.type
        is_text = pyarrow.types.is_string(kind) or pyarrow.types.is_large_string(kind)
        return categories.to_pylist() if is_text and len(categories) <= most_categories else None

    def convert(values):
        if is_arrow(values):
            return from_arrow(values)
        import numpy
        import pandas
        import pyarrow

        dtype = getattr(values, 'dtype', None)
        if isinstance(dtype, pandas.CategoricalDtype):
            categories, meaning = convert(dtype.categories)
            codes = numpy.asarray(pandas.Categorical(values).codes)
            texts = categories.take(pyarrow.array(codes, mask=codes < 0))
            return texts, meaning or order_of(categories)
        if isinstance(dtype, numpy.dtype):
            has_twin = dtype.kind in 'biufmM'
        else:
            # Types of other packages may have a form for storage only, such as geometries.
            has_twin = type(dtype).__module__.split('.')[0] == 'pandas' and not isinstance(
                dtype, (pandas.PeriodDtype, pandas.IntervalDtype, pandas.SparseDtype)
            )
        if not has_twin:
            return from_objects(values)
        return from_arrow(pyarrow.array(values, from_pandas=True))

    def arrow_column(values):
        """Returns an Arrow column and the meaning of its text, if it is not plain text.

        `values` is a column of pandas, an Arrow column or a list. The meaning of categories is a
        list: their order.
        """
        try:
            return convert(values)
        except Exception:
            return as_text(values), None

    def fits_parquet(kind):
        """Says whether Parquet has a type, and the SQL engine reads its values unchanged."""
        import pyarrow

        types = pyarrow.types
        if types.is_struct(kind):
            return all(fits_parquet(field.type) for field in kind)
        if types.is_map(kind):
            return fits_parquet(kind.key_type) and fits_parquet(kind.item_type)
        if types.is_list(kind):
            return fits_parquet(kind.value_type)
        if types.is_timestamp(kind):
            return kind.unit != 'ns' or kind.tz is None
        return not (types.is_duration(kind) or types.is_interval(kind))

    def for_parquet(column):
        """Returns a column with a type of the SQL engine: an interval for a duration, else text."""
        import pyarrow

        kind = column.type
        if fits_parquet(kind):
            return column
        try:
            # Fails if a value has nanoseconds, which the SQL engine does not have here.
            if pyarrow.types.is_duration(kind):
                return column.cast(pyarrow.duration('us'))
            if pyarrow.types.is_timestamp(kind):
                return column.cast(pyarrow.timestamp('us', kind.tz))
        except pyarrow.ArrowInvalid:
            pass
        return as_text(column)

    def from_polars(column):
        """Returns an Arrow column; a list of types that polars can't convert, such as objects."""
        try:
            if str(column.dtype) != 'Object':
                return column.to_arrow()
        except Exception:
            pass
        return column.to_list()

    def column_name(name):
        if isinstance(name, tuple):
            return '.'.join(column_name(part) for part in name if str(part) != '')
        return encodable(str(name))

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

    def columns_of(value):
        """Returns (name, values) of each column of a pandas, polars or Arrow table."""
        if hasattr(value, 'iloc'):
            return index_columns(value) + [
                (column_name(name), value.iloc[:, position])
                for position, name in enumerate(value.columns)
            ]
        if hasattr(value, 'get_columns'):
            return [(column.name, from_polars(column)) for column in value.get_columns()]
        table = value if hasattr(value, 'column_names') else value.to_arrow()
        return list(zip(table.column_names, table.columns))

    return types.SimpleNamespace(
        arrow_column=arrow_column,
        clean=clean,
        columns_of=columns_of,
        encodable=encodable,
        fits_parquet=fits_parquet,
        for_parquet=for_parquet,
        interval_text=interval_text,
        texts=texts,
    )
