"""Texts of the values of a result, and the kinds of its columns, as the server expects them."""
import json
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from uuid import UUID

# Rows that decide the kinds of columns whose type the driver does not tell.
FIRST_ROWS = 200
# Kinds by the type codes of PostgreSQL, its OIDs.
POSTGRES_KINDS = {
    16: 'boolean', 21: 'int16', 23: 'int32', 20: 'int64', 26: 'uint32', 700: 'float32',
    701: 'float64',
    1700: {}, 1082: 'date', 1083: 'time', 1114: 'timestamp', 1184: 'instant', 17: 'bytes',
}
POSTGRES_DIALECTS = ('postgresql', 'cockroachdb', 'redshift')


# OIDs of json, jsonb and their arrays, which SQLAlchemy registers for a connection.
JSON_TYPES = (114, 3802, 199, 3807)
# The type code of TIME in MySQL's protocol.
MYSQL_TIME = 11


def keep_texts(cursor):
    """Lets a driver of PostgreSQL return each value as the database writes it. Python's types lack
    dates before Christ, infinite times, months of intervals and digits of JSON."""
    driver = type(cursor).__module__.partition('.')[0]
    if driver == 'psycopg':
        from psycopg import adapters
        from psycopg.types.string import TextLoader
        for info in adapters.types:
            for oid in (info.oid, info.array_oid):
                if oid:
                    cursor.adapters.register_loader(oid, TextLoader)
    elif driver == 'psycopg2':
        from psycopg2 import extensions
        kind = extensions.new_type(tuple({*extensions.string_types, *JSON_TYPES}),
                                   'TEXT_OF_DATABASE', lambda value, _: value)
        extensions.register_type(kind, cursor)


def keep_times(driver):
    """Lets PyMySQL return TIME as the database writes it."""
    decoders = getattr(driver, 'decoders', None)
    if isinstance(decoders, dict):
        decoders.pop(MYSQL_TIME, None)


def _duration_text(value):
    """Writes a duration as MySQL writes TIME: hours may exceed a day, and the sign comes first."""
    microseconds = value // timedelta(microseconds=1)
    seconds, fraction = divmod(abs(microseconds), 1_000_000)
    sign = '-' if microseconds < 0 else ''
    clock = f'{sign}{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}'
    return f'{clock}.{fraction:06}' if fraction else clock


def text_of(value):
    """Returns the text of a value; None is a missing value."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return 'true' if value else 'false'
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return {'nan': 'NaN', 'inf': 'Infinity', '-inf': '-Infinity'}.get(repr(value), repr(value))
    if isinstance(value, Decimal):
        # Without an exponent.
        return format(value, 'f') if value.is_finite() else str(value)
    if isinstance(value, datetime):
        return value.isoformat(' ')
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, timedelta):
        return _duration_text(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return '\\x' + bytes(value).hex()
    if isinstance(value, (dict, list, tuple)):
        return json.dumps(value, ensure_ascii=False, default=text_of)
    if isinstance(value, (set, frozenset)):
        return json.dumps(sorted(value, key=str), ensure_ascii=False, default=text_of)
    # Large objects of Oracle.
    if callable(getattr(value, 'read', None)):
        return text_of(value.read())
    return str(value)


def _kind_of_values(values):
    some = [value for value in values if value is not None]

    def are(*types):
        return bool(some) and all(isinstance(value, types) for value in some)

    if are(bool):
        return 'boolean'
    if are(int) and not any(isinstance(value, bool) for value in some):
        return 'int64' if all(-2**63 <= value < 2**63 for value in some) else {}
    if are(int, float):
        return 'float64'
    if are(int, Decimal):
        return {}
    if are(datetime):
        aware = [value.tzinfo is not None for value in some]
        return 'instant' if all(aware) else 'text' if any(aware) else 'timestamp'
    if are(date) and not any(isinstance(value, datetime) for value in some):
        return 'date'
    if are(time) and all(value.tzinfo is None for value in some):
        return 'time'
    if are(bytes, bytearray, memoryview):
        return 'bytes'
    return 'text'


def _decimal_of(column, kind):
    """Adds precision and scale, if the driver tells them."""
    precision, scale = column[4], column[5]
    if isinstance(precision, int) and isinstance(scale, int) and 0 <= scale <= precision <= 38:
        if precision > 0:
            return {'precision': precision, 'scale': scale}
    return kind


def kinds_of(description, rows, dialect):
    """Returns the kinds of columns by their types, or else by the first rows."""
    kinds = []
    for at, column in enumerate(description):
        kind = POSTGRES_KINDS.get(column[1]) if dialect in POSTGRES_DIALECTS else None
        values = [row[at] for row in rows]
        if kind is None:
            kind = _kind_of_values(values)
        is_decimal = any(isinstance(value, Decimal) for value in values)
        if kind == {} and (is_decimal or dialect in POSTGRES_DIALECTS) and len(column) > 5:
            kind = _decimal_of(column, kind)
        kinds.append(kind)
    return kinds


def row_of(row):
    """Returns the texts of a row."""
    return [value if type(value) is str else text_of(value) for value in row]
