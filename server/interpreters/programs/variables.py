def _tiding_variables(mime, limit):
    """Displays the user's variables as JSON: name, type, shape, size in bytes and a preview.

    Works in any kernel that is based on ipykernel. It calls no code of the user's own classes.
    """
    import reprlib
    import sys
    import types

    from IPython import get_ipython
    from IPython.display import display

    class Short(reprlib.Repr):
        def repr_instance(self, value, level):
            if type(value).__module__ in ('builtins', 'datetime', 'decimal', 'fractions'):
                return super().repr_instance(value, level)
            return f'<{type(value).__name__}>'

    short = Short()
    short.maxstring = short.maxother = short.maxlong = 80
    known = ('numpy', 'pandas', 'polars', 'pyarrow', 'torch', 'tensorflow', 'scipy', 'geopandas')
    sized = (str, bytes, bytearray, list, tuple, dict, set, frozenset, range)
    skipped = (
        types.ModuleType,
        types.FunctionType,
        types.BuiltinFunctionType,
        types.MethodType,
        type,
    )

    def first(test):
        try:
            return test()
        except Exception:
            return None

    def facts(name, value):
        kind = type(value)
        root = kind.__module__.split('.')[0]
        fact = {'name': name, 'type': kind.__name__}
        if root in known:
            shape = first(lambda: tuple(int(part) for part in value.shape))
            if shape is not None:
                fact['shape'] = ' × '.join(map(str, shape)) or 'scalar'
            for size in (
                lambda: int(value.memory_usage(deep=False).sum()),
                lambda: int(value.memory_usage(deep=False)),
                lambda: int(value.estimated_size()),
                lambda: int(value.nbytes),
            ):
                fact.setdefault('size', first(size))
                if fact['size'] is not None:
                    break
                del fact['size']
            fact['isTable'] = kind.__name__ in ('DataFrame', 'GeoDataFrame', 'Series', 'Table')
            columns = first(lambda: value.column_names) if root == 'pyarrow' else first(
                lambda: value.columns
            )
            if columns is not None:
                names = [str(each) for each in list(columns)[:20]]
                fact['preview'] = ', '.join(names) + (', …' if len(columns) > 20 else '')
            else:
                start = first(lambda: value[:6].tolist()) or first(lambda: value[:6].to_list())
                fact['preview'] = first(lambda: short.repr(start)) if start else ''
        else:
            if kind.__module__ == 'builtins':
                if isinstance(value, sized):
                    fact['shape'] = f'{len(value)}'
                fact['size'] = sys.getsizeof(value)
            fact['preview'] = short.repr(value)
        fact['preview'] = (fact.get('preview') or '')[:200]
        return fact

    shell = get_ipython()
    own = shell.user_ns_hidden
    names = [
        name
        for name, value in shell.user_ns.items()
        if not name.startswith('_')
        and own.get(name, own) is not value
        and not isinstance(value, skipped)
    ]
    listed = [first(lambda name=name: facts(name, shell.user_ns[name])) for name in names[:limit]]
    display({mime: {'variables': [each for each in listed if each], 'total': len(names)}}, raw=True)
