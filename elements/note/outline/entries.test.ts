import { same } from '../../result/test-support.tsx';
import { headings } from './entries.ts';

describe('Markdown headings', () => {
  const read = (text: string) => headings(text).map(({ level, title }) => `${level} ${title}`);
  it('are read without their markup', () =>
    same(
      read('# One\ntext\n###### Six ##\n####### seven\n#none\n  ## *Two* `code` [link](http://x)'),
      ['1 One', '6 Six', '2 Two code link'],
    ));
  it('are ignored inside code fences', () =>
    same(read('```sh\n# comment\n```\n# Real\n~~~\n# no\n```\n# no\n~~~\n# End'), [
      '1 Real',
      '1 End',
    ]));
});
