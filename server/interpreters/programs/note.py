def _tiding_note(request):
    """Returns the base class of `z` with its methods for shared values and for running notes.

    `request` sends a request to the server and returns the answer.
    """
    import json

    def ask(method, **values):
        return request('ask', method=method, values=values)

    def plain(method, value):
        """Converts to JSON types: NumPy values become numbers and lists, dates become text."""

        def other(part):
            if type(part).__module__.split('.')[0] == 'numpy' and hasattr(part, 'tolist'):
                return part.tolist()
            if hasattr(part, 'isoformat'):
                return part.isoformat()
            raise TypeError(f'Object of type {type(part).__name__} is not JSON serializable')

        try:
            return json.loads(json.dumps(value, default=other, allow_nan=False))
        except (TypeError, ValueError, RecursionError) as error:
            help = (
                ". Use frame.to_dict('records')"
                if type(value).__name__ == 'DataFrame'
                else ''
            )
            raise TypeError(
                f'z.{method}: this value cannot be represented in JSON: {error}{help}'
            ) from None

    class Context:
        """The note and the paragraph in which the code runs."""

        def __init__(self, values):
            self.values = values

        def __repr__(self):
            return f'note {self.values["noteId"]}, paragraph {self.values["paragraphId"]}'

        def getNoteId(self):
            return self.values['noteId']

        def getNoteName(self):
            return self.values['noteName']

        def getParagraphId(self):
            return self.values['paragraphId']

        def getParagraphTitle(self):
            return self.values['paragraphTitle']

        def getParagraphText(self):
            return self.values['paragraphText']

    def form(method, name, default=None, options=None, note_wide=False):
        values = {'name': str(name), 'noteWide': note_wide}
        if default is not None:
            values['defaultValue'] = plain(method, default)
        if options is not None:
            values['options'] = [
                {'value': plain(method, value), 'displayName': str(label)}
                for value, label in (
                    option if isinstance(option, (list, tuple)) else (option, option)
                    for option in options
                )
            ]
        return ask(method, **values)

    class NoteMethods:
        def input(self, name, defaultValue=''):
            """Shows a text box above the result and returns its text."""
            return form('input', name, defaultValue)

        textbox = input

        def noteInput(self, name, defaultValue=''):
            """Like `input`, for a form of the whole note."""
            return form('input', name, defaultValue, note_wide=True)

        noteTextbox = noteInput

        def password(self, name):
            """Shows a password field and returns its text."""
            return form('password', name, '')

        def notePassword(self, name):
            """Like `password`, for a form of the whole note."""
            return form('password', name, '', note_wide=True)

        def select(self, name, options, defaultValue=None):
            """Shows a list and returns the chosen value; None if nothing is chosen.

            An option is a value, or a pair of a value and its label.
            """
            return form('select', name, defaultValue, options)

        def noteSelect(self, name, options, defaultValue=None):
            """Like `select`, for a form of the whole note."""
            return form('select', name, defaultValue, options, True)

        def checkbox(self, name, options, defaultChecked=()):
            """Shows check boxes and returns the list of the checked values."""
            return form('checkbox', name, list(defaultChecked), options)

        def noteCheckbox(self, name, options, defaultChecked=()):
            """Like `checkbox`, for a form of the whole note."""
            return form('checkbox', name, list(defaultChecked), options, True)

        def angularBind(self, name, value, paragraphId=None):
            """Shares a value with the templates of this note, or of one of its paragraphs."""
            ask(
                'angularBind', name=name, value=plain('angularBind', value), paragraphId=paragraphId
            )

        def angularBindGlobal(self, name, value):
            """Shares a value with the templates of all notes that use this interpreter."""
            ask('angularBindGlobal', name=name, value=plain('angularBindGlobal', value))

        def angular(self, name, paragraphId=None):
            """Returns a shared value of the paragraph, else of the note, else of all notes.

            Returns None if there is none.
            """
            return ask('angular', name=name, paragraphId=paragraphId)

        def angularGlobal(self, name):
            """Returns a value shared with all notes; None if there is none."""
            return ask('angularGlobal', name=name)

        def angularUnbind(self, name, paragraphId=None):
            """Removes a shared value of this note, or of one of its paragraphs."""
            ask('angularUnbind', name=name, paragraphId=paragraphId)

        def angularUnbindGlobal(self, name):
            """Removes a value shared with all notes."""
            ask('angularUnbindGlobal', name=name)

        def run(self, first, second=None):
            """Starts another paragraph without waiting: run(id or number), run(note_id, id)."""
            if second is None:
                ask('run', paragraph=first)
            else:
                ask('run', noteId=first, paragraph=second)

        def runNote(self, noteId):
            """Starts all paragraphs of a note except this one, one after another."""
            ask('runNote', noteId=noteId)

        def runAll(self):
            """Starts all other paragraphs of this note, one after another."""
            ask('runAll')

        def getInterpreterContext(self):
            """Returns the names, ids and text of the note and the paragraph that run."""
            return Context(ask('getInterpreterContext'))

    return NoteMethods
