def _tiding_figures(shell):
    """Returns a class with the settings of figures, and with SQL over the frames of the process."""
    import importlib

    defaults = {'width': 600, 'height': 400, 'dpi': 72, 'fontsize': 10, 'fmt': 'png'}
    switches = {'interactive': True, 'close': True}
    known = {**defaults, **switches, 'angular': False, 'context': None}
    current = dict(defaults)
    state = {}

    class FigureMethods:
        def configure_mpl(self, **options):
            """Sets width and height (in pixels), dpi, fontsize and fmt ('png' or 'svg') of figures.

            interactive=False shows figures only at plt.show(); close=False keeps them open.
            """
            unknown = sorted(set(options) - set(known))
            if unknown:
                raise TypeError(
                    f'z.configure_mpl: unknown option {unknown[0]}. Options: {", ".join(known)}'
                )
            if options.get('fmt', 'png') not in ('png', 'svg'):
                raise ValueError(f"z.configure_mpl: fmt is 'png' or 'svg', not {options['fmt']!r}")
            import matplotlib
            from matplotlib_inline.backend_inline import set_matplotlib_formats
            from matplotlib_inline.config import InlineBackend

            current.update({name: options[name] for name in defaults if name in options})
            dpi = float(current['dpi'])
            matplotlib.rcParams['figure.dpi'] = dpi
            matplotlib.rcParams['figure.figsize'] = (
                float(current['width']) / dpi,
                float(current['height']) / dpi,
            )
            matplotlib.rcParams['font.size'] = float(current['fontsize'])
            matplotlib.rcParams['savefig.format'] = current['fmt']
            set_matplotlib_formats(current['fmt'])
            if 'interactive' in options:
                matplotlib.interactive(bool(options['interactive']))
            if 'close' in options:
                InlineBackend.instance(parent=shell).close_figures = bool(options['close'])
            if options.get('angular'):
                print('z.configure_mpl: angular is not available; figures are shown as images.')

    class SqlError(Exception):
        def _render_traceback_(self):
            """The stack consists of frames of DuckDB and of this program."""
            return [str(self)]

    def run_sql(query):
        importlib.invalidate_caches()
        import duckdb

        if 'connection' not in state:
            state['connection'] = duckdb.connect()
        # DuckDB finds frames among the variables of the code that calls it.
        call = compile('connection.sql(query)', '<sql>', 'eval')
        values = {'connection': state['connection'], 'query': query}
        try:
            relation = eval(call, shell.user_ns, values)
            return None if relation is None else relation.to_arrow_table()
        except duckdb.Error as error:
            raise SqlError(str(error)) from None

    return FigureMethods, run_sql
