/**
 * Python source that makes libraries of charts put out pages that stand alone. Each output is shown in a frame of its own
 * without a network, so a library that was loaded by an earlier output, or that is fetched from elsewhere, is not there.
 *
 * Done when a library is imported, and only where its own settings say nothing else.
 */
export const pagesSource = `
    import importlib.abc, importlib.util, sys

    def page(html):
        from IPython.display import display
        display({'text/html': html, 'text/plain': ''}, raw=True)

    def for_plotly(module):
        # fig and fig.show(): the default would load plotly.js by an output of its own, or from a CDN.
        if os.environ.get('PLOTLY_RENDERER'):
            return
        from plotly.io._base_renderers import ExternalRenderer

        class Page(ExternalRenderer):
            def render(self, fig_dict):
                import plotly.io
                page(plotly.io.to_html(fig_dict, include_plotlyjs=True, full_html=False, validate=False))

        module.renderers['tiding'] = Page()
        module.renderers.default = 'tiding'

    def for_bokeh(module):
        # output_notebook() and show(): the default puts library, place and script out apart.
        from bokeh.io.notebook import install_notebook_hook

        def load(*args, **kwargs):
            pass

        def show_doc(obj, state, notebook_handle=None):
            from bokeh.embed import file_html
            from bokeh.resources import INLINE
            page(file_html(obj, INLINE, title=''))

        def show_app(*args, **kwargs):
            raise RuntimeError('Bokeh applications need a server of their own; show a figure or a layout.')

        install_notebook_hook('jupyter', load, show_doc, show_app, overwrite=True)
        try:
            from bokeh.io import output_notebook
            output_notebook(hide_banner=True)
        except Exception:
            pass

    def for_altair(module):
        # Needs vl-convert-python, which has the library; else the page loads it from a CDN.
        if importlib.util.find_spec('vl_convert') is None:
            return

        def render(spec, **metadata):
            import vl_convert
            return {'text/html': vl_convert.vegalite_to_html(spec, bundle=True), 'text/plain': ''}

        module.renderers.register('tiding', render)
        module.renderers.enable('tiding')

    setups = {'plotly.io._renderers': for_plotly, 'bokeh.io': for_bokeh, 'altair': for_altair}

    class Setup(importlib.abc.MetaPathFinder):
        looking = False

        def find_spec(self, name, path=None, target=None):
            # Asked for the same name below, by itself.
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
                    # A version that has it otherwise shows what it shows.
                    pass

            spec.loader.exec_module = exec_module
            return spec

    sys.meta_path.insert(0, Setup())
`;
