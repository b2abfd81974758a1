"""Prints the names that Python texts write and read, without running them.

Input: a list of texts as JSON. Output: for each, its names, or null if it can't be parsed.
"""
import ast
import json
import sys


class Scope:
    def __init__(self, kind, binds):
        self.kind, self.binds, self.loads = kind, set(binds), set()
        # Names that `global` and `nonlocal` declare.
        self.outside, self.outer = set(), set()


class Names(ast.NodeVisitor):
    def __init__(self):
        self.scopes = []
        self.writes, self.reads, self.later = set(), set(), set()
        self.tables = {'put': [], 'table': [], 'get': [], 'sql': []}

    def load(self, name):
        if self.scopes:
            self.scopes[-1].loads.add(name)
        elif name not in self.writes:
            self.reads.add(name)

    def bind(self, name, scope=None):
        scope = scope or (self.scopes[-1] if self.scopes else None)
        if scope is None or name in scope.outside:
            self.writes.add(name)
        elif name not in scope.outer:
            scope.binds.add(name)

    def inside(self, nodes, kind, arguments=()):
        scope = Scope(kind, arguments)
        self.scopes.append(scope)
        for node in nodes:
            self.visit(node)
        self.scopes.pop()
        # A function does not see the names of a class around it, and runs later.
        around = [each for each in self.scopes if each.kind != 'class']
        for name in scope.loads - scope.binds:
            if kind != 'function':
                self.load(name)
            elif around:
                around[-1].loads.add(name)
            else:
                self.later.add(name)

    def each(self, *nodes):
        for node in nodes:
            if node is not None:
                self.visit(node)

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load):
            self.load(node.id)
        else:
            self.bind(node.id)

    def visit_Attribute(self, node):
        self.visit(node.value)
        base = node
        while isinstance(base, (ast.Attribute, ast.Subscript)):
            base = base.value
        # `df.a = 1` and `df['a'] = 1` change what `df` names.
        if not isinstance(node.ctx, ast.Load) and isinstance(base, ast.Name) and not self.scopes:
            self.writes.add(base.id)

    def visit_Subscript(self, node):
        self.visit(node.slice)
        self.visit_Attribute(node)

    def visit_Assign(self, node):
        self.each(node.value, *node.targets)

    def visit_AugAssign(self, node):
        if isinstance(node.target, ast.Name):
            self.load(node.target.id)
        self.each(node.value, node.target)

    def visit_AnnAssign(self, node):
        if node.value is not None or not isinstance(node.target, ast.Name):
            self.each(node.annotation, node.value, node.target)

    def visit_For(self, node):
        self.each(node.iter, node.target, *node.body, *node.orelse)

    visit_AsyncFor = visit_For

    def visit_NamedExpr(self, node):
        self.visit(node.value)
        around = [each for each in self.scopes if each.kind != 'comprehension']
        if around:
            self.bind(node.target.id, around[-1])
        else:
            self.writes.add(node.target.id)

    def visit_ListComp(self, node):
        values = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        # The first source is evaluated outside.
        first = node.generators[0]
        self.visit(first.iter)
        parts = [first.target, *first.ifs]
        for each in node.generators[1:]:
            parts += [each.iter, each.target, *each.ifs]
        self.inside([*parts, *values], 'comprehension')

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp

    def visit_FunctionDef(self, node):
        given = node.args
        all_arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs]
        all_arguments += [each for each in (given.vararg, given.kwarg) if each]
        self.each(*given.defaults, *given.kw_defaults, *(each.annotation for each in all_arguments))
        body = [node.body]
        if not isinstance(node, ast.Lambda):
            self.each(*node.decorator_list, node.returns)
            self.bind(node.name)
            body = node.body
        self.inside(body, 'function', [each.arg for each in all_arguments])

    visit_AsyncFunctionDef = visit_Lambda = visit_FunctionDef

    def visit_ClassDef(self, node):
        self.each(*node.decorator_list, *node.bases, *node.keywords)
        self.inside(node.body, 'class')
        self.bind(node.name)

    def visit_Import(self, node):
        for each in node.names:
            if each.name != '*':
                self.bind(each.asname or each.name.split('.')[0])

    visit_ImportFrom = visit_Import

    def visit_Global(self, node):
        if self.scopes:
            self.scopes[-1].outside.update(node.names)

    def visit_Nonlocal(self, node):
        if self.scopes:
            self.scopes[-1].outer.update(node.names)

    def visit_ExceptHandler(self, node):
        known = node.name in self.writes
        if node.name:
            self.bind(node.name)
        self.each(node.type, *node.body)
        # The name is deleted at the end of the block.
        if not known:
            self.writes.discard(node.name)

    def visit_MatchAs(self, node):
        self.generic_visit(node)
        name = getattr(node, 'name', None) or getattr(node, 'rest', None)
        if name:
            self.bind(name)

    visit_MatchStar = visit_MatchMapping = visit_MatchAs

    def visit_Call(self, node):
        self.generic_visit(node)
        first = getattr(node.args[0], 'value', None) if node.args else None
        called = node.func
        if (
            isinstance(called, ast.Attribute)
            and getattr(called.value, 'id', '') == 'z'
            and called.attr in self.tables
            and isinstance(first, str)
        ):
            self.tables[called.attr].append(first)


def names_of(text):
    names = Names()
    try:
        names.visit(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    reads = names.reads | (names.later - names.writes)
    # `_` is the last result, and longer names of this kind replace magics.
    return {
        'writes': [name for name in names.writes if name.strip('_')],
        'reads': [name for name in reads if name.strip('_') and name != 'z'],
        'puts': names.tables['put'],
        'gets': names.tables['table'] + names.tables['get'],
        'queries': names.tables['sql'],
    }


json.dump([names_of(text) for text in json.load(sys.stdin)], sys.stdout)
