import { strictPage } from '../ui/testing/test-setup.ts';
import { imageSource } from './displays/image.tsx';
import { readTrace, splitTrace } from './errors/trace.ts';
import {
  displays,
  ErrorBox,
  registerVisualization,
  resultSheets,
  resultText,
  visualizations,
} from './index.ts';
import { output, Result, showResult, tableOf } from './test-outputs.tsx';
import { check, type Mounted, mount, same, waitUntil } from './test-support.tsx';
import { graphOf, normalizeHeight, patchResultEntry, resultEntryOf } from './view-settings.ts';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6o' +
  'AAAAAElFTkSuQmCC';
const python =
  `printed\nTraceback (most recent call last):\n  File "<a>", line 1, in <module>\n` +
  `    main()\n  File "<b>", line 3, in f\n    x['station']\n    ~^^^^^^^^^^^\n` +
  `KeyError: 'station'\n`;

describe('result', () => {
  strictPage();
  let shown: Mounted;

  it('shows all outputs in order, and nothing without outputs', async () => {
    shown = showResult(
      [
        output('TEXT', 'one\n'),
        output('NULL', 'x'),
        { type: 'TEXT', chunks: [], count: 0 },
        output('IMG', png),
        output('TEXT', 'two\n'),
      ],
      { title: 'Plot' },
    );
    const image = await waitUntil(() => shown.find<HTMLImageElement>('img'), 'image');
    same(
      [...shown.find('.result').children].map(({ className }) => className),
      ['result-text', 'image-view result-pad', 'result-text'],
    );
    await waitUntil(() => image.naturalWidth === 10, 'picture');
    same([image.alt, image.getBoundingClientRect().width], ['Plot, picture', 10]);
    shown.render(<Result outputs={[]} />);
    await waitUntil(() => !shown.root.querySelector('.result'), 'nothing');
  });

  it('names an unknown type and shows the other outputs', async () => {
    shown = showResult([output('HOLOGRAM', 'x'), output('TEXT', 'after\n')]);
    await waitUntil(
      () => shown.root.textContent!.includes('No view for output of type HOLOGRAM.'),
      'notice',
    );
    check(shown.find('.text-lines').textContent === 'after\n', 'the neighbour is missing');
  });

  it('isolates an output that fails', async () => {
    displays.push({
      types: ['BROKEN'],
      View: () => {
        throw new Error('no such luck');
      },
    });
    const silent = console.error;
    console.error = () => {};
    try {
      shown = showResult([output('BROKEN', 'x'), output('TEXT', 'after\n')]);
      const notice = await waitUntil(() => shown.find('[role=alert]'), 'notice');
      check(
        notice.textContent!.includes('no such luck') &&
          notice.textContent!.includes(resultText.failedHolds),
        notice.textContent!,
      );
      check(shown.find('.text-lines').textContent === 'after\n', 'the neighbour is missing');
    } finally {
      console.error = silent;
      displays.pop();
    }
  });

  it('shows a failed run as printed text and error', async () => {
    shown = showResult([output('TEXT', python)], { status: 'ERROR' });
    const box = await waitUntil(() => shown.find('.error-box'), 'error');
    same(shown.find('.text-lines').textContent, 'printed\n');
    same(
      [shown.find('.error-title').textContent, shown.find('.error-detail').textContent],
      ["KeyError: 'station'", `  File "<b>", line 3, in f\n    x['station']`],
    );
    const more = [...box.querySelectorAll('button')].find(
      ({ textContent }) => textContent === 'Full trace, 7 lines',
    )!;
    more.click();
    await waitUntil(
      () =>
        shown.find('.error-full').textContent!.startsWith('Traceback') &&
        more.getAttribute('aria-expanded') === 'true',
      'whole trace',
    );
  });

  it('shows network data as a table if that view was chosen', async () => {
    const network = JSON.stringify({
      nodes: [{ id: 1, label: 'User', data: { name: 'A' } }, { id: 2 }],
      edges: [{ source: 2, target: 1, label: 'HELPS' }],
    });
    shown = showResult([output('NETWORK', network)], { graph: { mode: 'table' } });
    await waitUntil(
      () =>
        shown
          .all('[role=columnheader]')
          .map(({ textContent }) =>
            textContent!.replace(/^\w+ (?:Text|Number) |^[A#]?(?:Text|Number) /, ''),
          ).length === 3,
      'columns',
    );
    await waitUntil(
      () => shown.all('[role=gridcell]').some(({ textContent }) => textContent === 'HELPS'),
      'edge',
    );
  });

  it('says that an image cannot be shown', async () => {
    shown = showResult([
      output('IMG', 'data:text/html;base64,PGI+'),
      output('IMG', btoa('no picture')),
    ]);
    await waitUntil(
      () =>
        shown
          .all('.result-notice')
          .filter(({ textContent }) => textContent === resultText.image.failed).length === 2,
      'notices',
    );
  });

  it('shows an SVG as an image, which runs no scripts', async () => {
    shown = showResult([
      output(
        'SVG',
        '<svg width="30" height="20"><script>top.hit=1</script>' +
          '<rect width="30" height="20"/></svg>',
      ),
    ]);
    await waitUntil(() => shown.find<HTMLImageElement>('img')?.naturalWidth === 30, 'picture');
    check(!('hit' in globalThis), 'a script ran');
  });

  it('shows a view registered with one call', async () => {
    const count = visualizations.length;
    registerVisualization({
      id: 'count',
      label: 'Count',
      icon: visualizations[0]!.icon,
      option: 'none',
      accepts: () => true,
      load: async () => ({
        default: ({ table }) => <p className="counted">{table.rows.length} rows</p>,
      }),
    });
    shown = showResult([tableOf('a\n1\n2\n')], {
      config: { results: [{ graph: { mode: 'count' } }] },
    });
    await waitUntil(() => shown.find('.counted').textContent === '2 rows', 'own view');
    visualizations.length = count;
  });

  it('has no toolbars in a report', async () => {
    shown = showResult([tableOf('a\n1\n')], { bare: true });
    await waitUntil(() => shown.root.querySelector('[role=grid]'), 'grid');
    check(!shown.root.querySelector('.result-bar, .resize-handle'), 'a bar or handle');
  });

  it('shows a short error without details', async () => {
    shown = mount(
      <ErrorBox
        text={'Catalog Error: Table with name flight does not exist\nDid you mean "flights"?'}
      />,
      resultSheets,
    );
    await waitUntil(
      () =>
        shown.find('.error-title').textContent ===
        'Catalog Error: Table with name flight does not exist',
      'title',
    );
    same(
      [shown.find('.error-detail').textContent, shown.all('button').length],
      ['Did you mean "flights"?', 1],
    );
  });
});

describe('settings of an output', () => {
  it('are read from an object and from an array', () => {
    const entry = { graph: { mode: 'pieChart', height: 120 } };
    for (const results of [{ 1: entry }, [null, entry]]) {
      const { mode, height, optionOpen, keys } = graphOf(resultEntryOf({ results }, 1));
      same([mode, height, optionOpen, keys ?? 'none'], ['pieChart', 120, false, 'none']);
    }
    for (const nothing of [
      undefined,
      {},
      { results: null },
      { results: [] },
      { results: { 0: 'x' } },
    ])
      same(graphOf(resultEntryOf(nothing, 0)).mode, 'table');
  });
  it('normalize heights: below 50 is 300, below 100 is 100 [D33 D73]', () =>
    same(
      [49, 50, 99, 250, 'x', NaN, undefined, '140'].map((height) => normalizeHeight(height)),
      [300, 100, 100, 250, 300, 300, 300, 140],
    ));
  it('preserve unknown fields', () =>
    same(patchResultEntry({ later: 1, graph: { mode: 'table', future: [2] } }, { height: 200 }), {
      later: 1,
      graph: {
        mode: 'table',
        future: [2],
        height: 200,
        optionOpen: false,
        setting: {},
        commonSetting: {},
      },
    }));
});

describe('images', () => {
  it('are accepted only in allowed formats', () => {
    same(imageSource('IMG', ' aGk=\n'), 'data:image/png;base64,aGk=');
    for (const kind of ['png', 'jpeg', 'gif', 'webp'])
      check(imageSource('IMG', `data:image/${kind};base64,aGk=`), kind);
    for (const bad of [
      'data:image/svg+xml;base64,aGk=',
      'data:text/html,x',
      'https://example.org/a.png',
      'javascript:1',
      '',
    ])
      same(imageSource('IMG', bad), null, bad);
    check(
      imageSource('SVG', '<svg viewBox="0 0 1 1"/>')!.includes(
        encodeURIComponent('xmlns="http://www.w3.org/2000/svg"'),
      ),
      'namespace',
    );
  });
});

describe('traces', () => {
  it('are separated from the text printed before them', () => {
    same(splitTrace(python).output, 'printed\n');
    same(splitTrace('only\noutput\n'), { output: '', trace: 'only\noutput' });
    same(splitTrace(`${'row\n'.repeat(20)}ExitValue: 1\n`).trace, 'ExitValue: 1');
    const ipython =
      `x\n\u001b[31m${'-'.repeat(75)}\u001b[39m\n` +
      `\u001b[31mKeyError\u001b[39m   Traceback (most recent call last)\nCell In[1]\n` +
      `KeyError: 'a'`;
    same(
      [splitTrace(ipython).output, readTrace(splitTrace(ipython).trace).title],
      ['x\n', "KeyError: 'a'"],
    );
  });
  it('have the first line of a Java exception as title', () => {
    const java =
      'org.apache.spark.sql.AnalysisException: Table not found: x; line 1 pos 14\n' +
      '\tat org.apache.A.b(A.scala:1)\n\tat org.apache.C.d(C.scala:2)\n\tat e';
    same(readTrace(java), {
      title: 'org.apache.spark.sql.AnalysisException: Table not found: x; line 1 pos 14',
      detail: ['\tat org.apache.A.b(A.scala:1)', '\tat org.apache.C.d(C.scala:2)'],
      lines: 4,
    });
  });
});
