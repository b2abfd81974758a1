"""Prints the names in a JSON list of Python texts as JSON; null for what can't be parsed."""
import ast
import json
import re
import symtable
import sys


class FirstUses(ast.NodeVisitor):
    """Whether each name of the module is read before it is written, in the order of a run."""

    def __init__(self):
        self.read_first = {}
        self.changed = set()
        self.tables = {'put': [], 'table': [], 'get': [], 'sql': []}
        self.depth = 0

    def use(self, name, is_read):
        if self.depth == 0:
            self.read_first.setdefault(name, is_read)

    def visit_Name(self, node):
        self.use(node.id, isinstance(node.ctx, ast.Load))

    def visit_named(self, node):
        name = getattr(node, 'asname', None) or getattr(node, 'name', getattr(node, 'rest', None))
        if name:
            self.use(name.split('.')[0], False)
        self.generic_visit(node)

    visit_alias = visit_ClassDef = visit_ExceptHandler = visit_named
    visit_MatchAs = visit_MatchStar = visit_MatchMapping = visit_named

    def visit_FunctionDef(self, node):
        # It runs later.
        self.use(getattr(node, 'name', None), False)
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1

    visit_AsyncFunctionDef = visit_Lambda = visit_FunctionDef

    def visit_in_order(self, node):
        """Visits the parts that are evaluated before those that are bound."""
        if isinstance(node, ast.AugAssign):
            self.use(getattr(node.target, 'id', None), True)
        first = {'value', 'iter', 'annotation', 'generators'}
        for name in sorted(node._fields, key=lambda name: name not in first):
            part = getattr(node, name)
            for each in part if isinstance(part, list) else [part]:
                if isinstance(each, ast.AST):
                    self.visit(each)

    visit_Assign = visit_AugAssign = visit_AnnAssign = visit_NamedExpr = visit_in_order
    visit_For = visit_AsyncFor = visit_comprehension = visit_in_order
    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_in_order

    def visit_Attribute(self, node):
        self.generic_visit(node)
        base = node
        while isinstance(base, (ast.Attribute, ast.Subscript)):
            base = base.value
        # `df.a = 1` and `df['a'] = 1` change what `df` names.
        if not isinstance(node.ctx, ast.Load) and isinstance(base, ast.Name) and self.depth == 0:
            self.changed.add(base.id)

    visit_Subscript = visit_Attribute

    def visit_Call(self, node):
        self.generic_visit(node)
        first = getattr(node.args[0], 'value', None) if node.args else None
        if getattr(getattr(node.func, 'value', None), 'id', '') == 'z' and isinstance(first, str):
            self.tables.get(getattr(node.func, 'attr', ''), []).append(first)


def all_in(table):
    yield table
    for child in table.get_children():
        yield from all_in(child)


def names_of(text):
    # The parser of scopes refuses these outside of functions.
    text = re.sub(r'\b(?:await|async(?= +(?:for|with)))\b *', '', text)
    uses = FirstUses()
    try:
        uses.visit(ast.parse(text))
        module = symtable.symtable(text, 'paragraph', 'exec')
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    writes, reads = set(), set()
    for table in all_in(module):
        for symbol in table.get_symbols():
            if table is module or symbol.is_global():
                if symbol.is_assigned() or symbol.is_imported():
                    writes.add(symbol.get_name())
                if symbol.is_referenced():
                    reads.add(symbol.get_name())
    reads = (reads - writes) | {name for name in writes if uses.read_first.get(name)}
    # `_` is the last result, and longer names of this kind replace magics.
    return {
        'writes': [name for name in writes | uses.changed if name.strip('_')],
        'reads': [name for name in reads if name.strip('_') and name != 'z'],
        'puts': uses.tables['put'],
        'gets': uses.tables['table'] + uses.tables['get'],
        'queries': uses.tables['sql'],
    }


json.dump([names_of(text) for text in json.load(sys.stdin.buffer)], sys.stdout)
