def _tiding_pages():
    """Makes chart libraries produce outputs that need no network.

    Each output is shown in a separate frame without network access, so a library that an earlier
    output loaded, or that comes from a CDN, is missing there. A library is set up when it is
    imported, unless the user's own settings choose a renderer.
    """
    import importlib.abc
    import importlib.util
    import os
    import sys

    def page(html):
        from IPython.display import display

        display({'text/html': html, 'text/plain': ''}, raw=True)

    def for_plotly(module):
        # For fig and fig.show(). By default a separate output or a CDN provides plotly.js; the
        # frame of a chart has it.
        if not os.environ.get('PLOTLY_RENDERER'):
            module.renderers.default = 'plotly_mimetype'

    def for_bokeh(module):
        # For output_notebook() and show(). By default the library, the container and the script are
        # separate outputs.
        from bokeh.io.notebook import install_notebook_hook

        def load(*args, **kwargs):
            pass

        def show_doc(obj, state, notebook_handle=None):
            from bokeh.embed import file_html
            from bokeh.resources import INLINE

            page(file_html(obj, INLINE, title=''))

        def show_app(*args, **kwargs):
            raise RuntimeError(
                'Bokeh applications need a Bokeh server, which is not available here. '
                'Show a figure or a layout instead.'
            )

        install_notebook_hook('jupyter', load, show_doc, show_app, overwrite=True)
        try:
            from bokeh.io import output_notebook

            output_notebook(hide_banner=True)
        except Exception:
            pass

    def for_altair(module):
        # The default page loads the library from a CDN; the frame of a chart has it.
        module.renderers.enable('mimetype')

    setups = {'plotly.io._renderers': for_plotly, 'bokeh.io': for_bokeh, 'altair': for_altair}

    class Setup(importlib.abc.MetaPathFinder):
        looking = False

        def find_spec(self, name, path=None, target=None):
            # importlib.util.find_spec below calls this finder again for the same name.
            if self.looking or name not in setups:
                return None
            self.looking = True
            try:
                spec = importlib.util.find_spec(name)
            finally:
                self.looking = False
            if spec is None or spec.loader is None:
                return None
            execute = spec.loader.exec_module

            def exec_module(module):
                execute(module)
                try:
                    setups.pop(name)(module)
                except Exception:
                    # An unsupported version of the library keeps its own renderer.
                    pass

            spec.loader.exec_module = exec_module
            return spec

    sys.meta_path.insert(0, Setup())
