import { textRowsOf } from '@tiding/client/model';
import { check, same } from '../../result/test-support.tsx';
import { textOfHtml } from './output-text.ts';
import {
  compile,
  expressionError,
  type FindQuery,
  replaceAll,
  replaceOne,
  searchCode,
  searchResults,
} from './search.ts';
import { searchedTable } from './searched-table.ts';

const query = (find: string, rest: Partial<FindQuery> = {}): FindQuery => ({
  find,
  matchCase: false,
  wholeWord: false,
  regex: false,
  ...rest,
});
const search = (find: string, rest: Partial<FindQuery> = {}) => compile(query(find, rest))!;
/** Runs a generator to its end and returns its result. */
function end<Answer>(steps: Generator<void, Answer, undefined>): Answer {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
const places = (find: string, text: string, rest: Partial<FindQuery> = {}) =>
  end(searchCode(search(find, rest), text)).map(({ from, to }) => [from, to]);
const output = (type: string, ...chunks: string[]) => ({ type, chunks, count: chunks.length });
const hits = (find: string, ...outputs: ReturnType<typeof output>[]) =>
  end(searchResults(search(find), outputs, tablesOf(outputs)));
const tablesOf = (outputs: ReturnType<typeof output>[]) =>
  new Map(
    outputs.flatMap((each, index) =>
      each.type === 'TABLE' ? [[index, searchedTable(textRowsOf(each), undefined)] as const] : [],
    ),
  );

describe('the search in a note', () => {
  it('finds plain text regardless of case, and nothing for an empty query', () => {
    same(places('ab', 'xAB ab aB'), [
      [1, 3],
      [4, 6],
      [7, 9],
    ]);
    same(places('a.c(', 'abc( a.c('), [[5, 9]]);
    same(compile(query('')), undefined);
    same(
      places(' ', 'a b '),
      [
        [1, 2],
        [3, 4],
      ],
      'blanks are not trimmed',
    );
  });

  it('matches case, whole words and line ends if requested', () => {
    same(places('ab', 'xAB ab', { matchCase: true }), [[4, 6]]);
    same(places('sum', 'sum sums x_sum (sum)', { wholeWord: true }), [
      [0, 3],
      [16, 19],
    ]);
    same(
      places('größe', 'größer größe', { wholeWord: true }),
      [[7, 12]],
      'letters beyond ASCII are letters',
    );
    same(places('^b', 'a\nb\nb', { regex: true }), [
      [2, 3],
      [4, 5],
    ]);
  });

  it('supports regular expressions, including non-strict ones, and skips empty matches', () => {
    same(places('x*', 'axxbx', { regex: true }), [
      [1, 3],
      [4, 5],
    ]);
    same(places(String.raw`a\-b|{`, 'a-b {', { regex: true }), [
      [0, 3],
      [4, 5],
    ]);
    same(places('.', '😀', { regex: true }), [[0, 2]], 'an astral character counts as one');
  });

  it('reports a readable message for an invalid expression', () => {
    for (const [bad, words] of [
      ['(', 'Unterminated group'],
      ['[', 'class'],
      ['*', 'Nothing to repeat'],
      ['a)(?:b', 'Unmatched'],
    ] as const) {
      for (const wholeWord of [false, true]) {
        let message = '';
        try {
          compile(query(bad, { regex: true, wholeWord }));
        } catch (error) {
          message = expressionError(error);
        }
        check(
          message.includes(words) && !message.includes('/'),
          `${bad} is reported as ${JSON.stringify(message)}`,
        );
      }
    }
  });

  it('replaces one match, unless the text has changed', () => {
    same(replaceOne(search('b'), 'abab', { from: 1, to: 2 }, 'XX'), { text: 'aXXab', end: 3 });
    same(replaceOne(search('b'), 'aaab', { from: 1, to: 2 }, 'X'), undefined);
    same(
      replaceOne(search('(?<=a)b', { regex: true }), 'cb ab', { from: 4, to: 5 }, 'X'),
      { text: 'cb aX', end: 5 },
      'the context is seen',
    );
  });

  it('replaces every match, with groups for regular expressions and literally otherwise', () => {
    same(replaceAll(search('b'), 'abBc', '$&$1'), { text: 'a$&$1$&$1c', count: 2 });
    same(
      replaceAll(
        search(String.raw`(\w+)=(?<value>\w+)`, { regex: true }),
        'a=1, b=2',
        '$<value>:$1 $$ $& $3',
      ),
      { text: '1:a $ a=1 $3, 2:b $ b=2 $3', count: 2 },
    );
    same(replaceAll(search('(a)', { regex: true }), 'a', '$12'), { text: 'a2', count: 1 });
    same(
      replaceAll(search('a'), 'aaa', 'aa'),
      { text: 'aaaaaa', count: 3 },
      'replacements are not searched',
    );
  });

  it('finds text without its ANSI sequences, also across chunks', () => {
    same(hits('red text', output('TEXT', 'a \u001b[31mred', '\u001b[0m text\nred TEXT')), [
      { output: 0, nth: 0 },
      { output: 0, nth: 1 },
    ]);
    const link = '\u001b]8;;https://a.example\u001b\\the page\u001b]8;;\u001b\\';
    same(hits('page', output('TEXT', link)).length, 1);
    same(hits('example', output('TEXT', link)).length, 0);
    const long = Array.from({ length: 40_000 }, (_, n) => `line ${n} needle\n`);
    same(hits('needle', output('TEXT', ...long)).length, 40_000);
  });

  it('finds table cells by position, with the header above the first row', () => {
    same(hits('a', output('NULL'), output('TABLE', 'name\tn\nbar', '\t1\nx\tAa\n')), [
      { output: 1, nth: 0, cell: { row: -1, column: 0 } },
      { output: 1, nth: 1, cell: { row: 0, column: 0 } },
      { output: 1, nth: 2, cell: { row: 1, column: 1 } },
      { output: 1, nth: 3, cell: { row: 1, column: 1 } },
    ]);
    const numbers = output('TABLE', 'n\tt\n28414\tnull');
    same(hits('28414', numbers).length, 1, 'a number as it is stored');
    same(hits('28,4', numbers).length, 1, 'a number as it is shown');
    same(hits('null', numbers).length, 1, 'a missing value');
  });

  it('finds the text of HTML and none of its markup', () => {
    const html =
      '<style>p{}</style><p title="a>p">One &amp; t<b>wo</b></p><!-- p --><script>var p = "' +
      '</p>"</script>1 < 2 &#x41;&#66;&eacute;';
    same(end(textOfHtml(html)), '\nOne & two\n1 < 2 AB&eacute;');
    same(hits('one & two', output('HTML', html)).length, 1);
    same(hits('title', output('HTML', html)).length, 0);
  });

  it('stops counting at the limit', () => {
    same(end(searchCode(search('a'), 'aaaa', 2)).length, 2);
    same(end(searchResults(search('a'), [output('TEXT', 'aaaa')], new Map(), 3)).length, 3);
  });
});
