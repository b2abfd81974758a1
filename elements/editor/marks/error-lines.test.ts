import { same } from '../../result/test-support.tsx';
import { carryErrors, errorLines } from './error-lines.ts';

/**
 * Recorded outputs of interpreters. Line numbers refer to the paragraph, with its magic on the
 * first line.
 */
const recorded: readonly [
  name: string,
  text: string,
  output: string,
  line: number | null,
  message: string,
][] = [
  [
    'DuckDB, a name',
    '%sql\nselect 1;\nselect\n  nope\nfrom range(3)',
    'Binder Error: Referenced column "nope" not found in FROM clause!\n' +
      'Candidate bindings: "range"\n\nLINE 3:   nope\n          ^\n(statement 2 of 2)',
    4,
    'Binder Error: Referenced column "nope" not found in FROM clause!',
  ],
  [
    'DuckDB, syntax, blank lines under the magic',
    '%sql(limit=5)\n\n\nselect\n  1 +\nfrom where x',
    'Failed to extract statements: Parser Error: syntax error at or near "from"\n\n' +
      'LINE 3: from where x\n        ^',
    6,
    'Failed to extract statements: Parser Error: syntax error at or near "from"',
  ],
  [
    'DuckDB, a form in the line',
    '%sql\nselect\n  nope + ${n=5,5|10}\nfrom range(3)',
    'Binder Error: Referenced column "nope" not found in FROM clause!\n\nLINE 2:   nope + 5\n' +
      '          ^',
    3,
    'Binder Error: Referenced column "nope" not found in FROM clause!',
  ],
  [
    'DuckDB, code behind the magic',
    "%sql create table t as select 'x' v; select v::int from t",
    "Conversion Error: Could not convert string 'x' to INT32 when casting from source column " +
      "v\n\nLINE 1: ...le t as select 'x' v; select v::int from t\n                ^\n" +
      '(statement 2 of 2)',
    1,
    "Conversion Error: Could not convert string 'x' to INT32 when casting from source column v",
  ],
  [
    'Spark SQL',
    '%spark.sql\nselect 1\nfrm x',
    "\nmismatched input 'x' expecting <EOF>(line 2, pos 4)\n\n== SQL ==\nselect 1\nfrm x\n" +
      '----^^^\n',
    3,
    "mismatched input 'x' expecting <EOF>(line 2, pos 4)",
  ],
  [
    'IPython',
    '%python\nx = 1\ny = 0\nx / y',
    '---------------------------------------------------------------------------\n' +
      'ZeroDivisionError                         Traceback (most recent call last)\n' +
      'Cell In[1], line 3\n      1 x = 1\n      2 y = 0\n----> 3 x / y\n\n' +
      'ZeroDivisionError: division by zero',
    4,
    'ZeroDivisionError: division by zero',
  ],
  [
    'IPython, in a function of the cell',
    '%python\ndef f(a):\n    return a / 0\n\nprint(1)\nf(2)',
    '---------------------------------------------------------------------------\n' +
      'ZeroDivisionError                         Traceback (most recent call last)\n' +
      'Cell In[2], line 5\n      1 def f(a):\n      2     return a / 0\n      3 \n' +
      '      4 print(1)\n----> 5 f(2)\n\nCell In[2], line 2, in f(a)\n      1 def f(a):\n' +
      '----> 2     return a / 0\n\nZeroDivisionError: division by zero',
    3,
    'ZeroDivisionError: division by zero',
  ],
  [
    'IPython, in a function of another cell',
    '%python\ndef g():\n  f(3)\n\ng()',
    '---------------------------------------------------------------------------\n' +
      'ZeroDivisionError                         Traceback (most recent call last)\n' +
      'Cell In[5], line 4\n      1 def g():\n      2   f(3)\n      3 \n----> 4 g()\n\n' +
      'Cell In[5], line 2, in g()\n      1 def g():\n----> 2   f(3)\n\n' +
      'Cell In[2], line 2, in f(a)\n      1 def f(a):\n----> 2     return a / 0\n\n' +
      'ZeroDivisionError: division by zero',
    3,
    'ZeroDivisionError: division by zero',
  ],
  [
    'IPython, syntax',
    '%python\nx = 1\nif x\n    y',
    "  Cell In[3], line 2\n    if x\n        ^\nSyntaxError: expected ':'",
    3,
    "SyntaxError: expected ':'",
  ],
  [
    'IPython, in a library',
    '%python\nimport json\n\njson.loads("{")',
    '---------------------------------------------------------------------------\n' +
      'JSONDecodeError                           Traceback (most recent call last)\n' +
      'Cell In[4], line 3\n      1 import json\n      2 \n----> 3 json.loads("{")\n\n' +
      'File ~/lib/python3.11/json/__init__.py:346, in loads(s, cls, **kw)\n' +
      '    341     s = s.decode()\n--> 346     return _default_decoder.decode(s)\n\n' +
      'JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 ' +
      '(char 1)',
    4,
    'JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)',
  ],
  [
    'IPython, coloured',
    '%ipython\n1/0',
    '\u001b[0;31m' +
      '---------------------------------------------------------------------------' +
      '\u001b[0m\n' +
      '\u001b[0;31mZeroDivisionError\u001b[0m' +
      '                         Traceback (most recent call last)\n' +
      '\u001b[0;32m/tmp/ipykernel_1/4250728812.py\u001b[0m in ' +
      '\u001b[0;36m<cell line: 0>\u001b[0;34m()\u001b[0m\n' +
      '\u001b[0;32m----> 1\u001b[0;31m ' +
      '\u001b[0;36m1\u001b[0m\u001b[0;34m/\u001b[0m\u001b[0;36m0\u001b[0m' +
      '\u001b[0;34m\u001b[0m\u001b[0;34m\u001b[0m\u001b[0m\n\u001b[0m\n' +
      '\u001b[0;31mZeroDivisionError\u001b[0m: division by zero',
    2,
    'ZeroDivisionError: division by zero',
  ],
  [
    'Python without IPython',
    '%python\nprint("a")\nprint("b")\n1/0',
    'Fail to execute line 3: 1/0\nTraceback (most recent call last):\n' +
      '  File "/tmp/zeppelin_python.py", line 167, in <module>\n' +
      '    exec(code, _zcUserQueryNameSpace)\n  File "<stdin>", line 3, in <module>\n' +
      'ZeroDivisionError: division by zero\n',
    4,
    'ZeroDivisionError: division by zero',
  ],
  [
    'JavaScript',
    '%js\nconst a = 1;\nfoo();',
    'ReferenceError: foo is not defined\n    at paragraph:2:1',
    3,
    'ReferenceError: foo is not defined',
  ],
  [
    'JavaScript, in a function',
    '%js\nfunction f() {\n  throw new Error("no");\n}\nf();',
    'Error: no\n    at f (paragraph:2:9)\n    at paragraph:4:1',
    3,
    'Error: no',
  ],
  [
    'JavaScript, syntax',
    '%js\nconst b = ;\n',
    "paragraph:1\nconst b = ;\n          ^\n\nSyntaxError: Unexpected token ';'",
    2,
    "SyntaxError: Unexpected token ';'",
  ],
  [
    'Scala, numbered by the shell',
    '%spark\nval a = 1\nval b = nope + a',
    '<console>:26: error: not found: value nope\n       val b = nope + a\n               ^\n',
    3,
    'not found: value nope',
  ],
  [
    'Scala, its own lines',
    '%spark\nval a = 1\nval b = nope + a',
    'cell.scala:2: error: not found: value nope\nval b = nope + a\n        ^\n',
    3,
    'not found: value nope',
  ],
  [
    'Scala 2.13',
    '%spark\nval a = 1\nval b: Int =\n  "a"',
    '  "a"\n  ^\nOn line 3: error: type mismatch;\n found   : String("a")\n required: Int',
    4,
    'type mismatch;',
  ],
  [
    'R',
    '%r\nx <- 1\ny <- (2',
    'Error in parse(text = x, srcfile = src): <text>:2:3: unexpected end of input',
    3,
    'unexpected end of input',
  ],
  [
    'a shell',
    '%sh\necho a\nnope',
    'bash: line 2: nope: command not found',
    3,
    'nope: command not found',
  ],
  [
    'a line that is not there',
    '%spark\nval a = 1',
    '<console>:26: error: not found: value nope\n       val b = nope + a\n               ^\n',
    null,
    '',
  ],
  ['an error without a place', '%sql\nselect 1', 'The connection was lost.', null, ''],
];

describe('error lines', () => {
  for (const [name, text, output, line, message] of recorded) {
    it(`finds the line: ${name}`, () =>
      same(errorLines(text, output), line === null ? [] : [{ line, message }]));
  }

  it('moves with the text, and disappears when its line is edited', () => {
    const text = 'one\ntwo\nthree';
    const at = (line: number) => [{ line, message: 'm' }];
    for (const [what, line, to, after] of [
      ['a letter above', 2, 'onex\ntwo\nthree', 2],
      ['a line above', 2, 'one\nnew\ntwo\nthree', 3],
      ['a line above, by Enter at the end of the one before', 2, 'one\n\ntwo\nthree', 3],
      ['a line taken away', 3, 'two\nthree', 2],
      ['below', 2, 'one\ntwo\nthreex', 2],
      ['a line below', 2, 'one\ntwo\n\nthree', 2],
      ['in it', 2, 'one\ntwxo\nthree', null],
      ['at its end', 2, 'one\ntwo;\nthree', null],
      ['parted', 2, 'one\nt\nwo\nthree', null],
      ['all', 2, '', null],
    ] as const)
      same(carryErrors(at(line), text, to), after === null ? [] : at(after), what);
  });

  it('parses long and adversarial output quickly', () => {
    for (const output of [
      'File "<stdin>", line '.repeat(100_000),
      `${' '.repeat(100_000)}at (`,
      'a:1: error'.repeat(50_000),
    ])
      errorLines('%python\nx', output);
  });
});
