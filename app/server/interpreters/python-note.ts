/**
 * Python source that gives `z` what concerns the note: values shared with its pages, other runs. Needs `request` and `json` of the
 * bootstrap; defines the class `OfNote`.
 */
export const noteSource = `
    def ask(method, **values):
        return request('ask', method=method, values=values)

    def plain(method, value):
        """The value as JSON has it, with numbers and arrays of numpy, dates as text."""
        def other(part):
            if type(part).__module__.split('.')[0] == 'numpy' and hasattr(part, 'tolist'):
                return part.tolist()
            if hasattr(part, 'isoformat'):
                return part.isoformat()
            raise TypeError(f'Object of type {type(part).__name__} is not JSON serializable')
        try:
            return json.loads(json.dumps(value, default=other, allow_nan=False))
        except (TypeError, ValueError, RecursionError) as error:
            help = "; bind frame.to_dict('records')" if type(value).__name__ == 'DataFrame' else ''
            raise TypeError(f'z.{method}: this value is no JSON: {error}{help}') from None

    class Context:
        """Where the code runs."""

        def __init__(self, values):
            self.values = values

        def __repr__(self):
            return f"note {self.values['noteId']}, paragraph {self.values['paragraphId']}"

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

    class OfNote:
        def angularBind(self, name, value, paragraphId=None):
            """Shares a value with the templates of the note, or of one paragraph of it."""
            ask('angularBind', name=name, value=plain('angularBind', value), paragraphId=paragraphId)

        def angularBindGlobal(self, name, value):
            """Shares a value with the templates of all notes that use this interpreter."""
            ask('angularBindGlobal', name=name, value=plain('angularBindGlobal', value))

        def angular(self, name, paragraphId=None):
            """A shared value: of this paragraph, else of the note, else of all notes; None where there is none."""
            return ask('angular', name=name, paragraphId=paragraphId)

        def angularGlobal(self, name):
            return ask('angularGlobal', name=name)

        def angularUnbind(self, name, paragraphId=None):
            """Takes a shared value of the note, or of one paragraph of it, away."""
            ask('angularUnbind', name=name, paragraphId=paragraphId)

        def angularUnbindGlobal(self, name):
            ask('angularUnbindGlobal', name=name)

        def run(self, first, second=None):
            """Starts another paragraph and goes on: run(id or number), run(note_id, id)."""
            if second is None:
                ask('run', paragraph=first)
            else:
                ask('run', noteId=first, paragraph=second)

        def runNote(self, noteId):
            """Starts all paragraphs of a note, one after another, without this one."""
            ask('runNote', noteId=noteId)

        def runAll(self):
            """Starts all other paragraphs of this note, one after another."""
            ask('runAll')

        def getInterpreterContext(self):
            return Context(ask('getInterpreterContext'))
`;
