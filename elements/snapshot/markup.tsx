/** Static markup with the style sheets that it uses. */
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import editorSheet from '../editor/editor.css';
import markSheet from '../editor/marks/marks.css';
import noteLooksSheet from '../note/looks.css';
import notebookSheet from '../note/notebook.css';
import formsSheet from '../note/paragraph/forms.css';
import looksSheet from '../note/paragraph/looks.css';
import paragraphSheet from '../note/paragraph/paragraph.css';
import printSheet from '../note/print.css';
import outputSheet from '../output/output.css';
import proseSheet from '../result/styles/prose.css';
import { resultSheets } from '../result/styles/result-sheets.ts';
import { tableSheets } from '../result/styles/table-sheets.ts';
import { baseSheet, tokenSheet } from '../theme/index.ts';
import snapshotSheet from './snapshot.css';
import { classesIn, usedCss } from './used-css.ts';

const elementSheets = [
  tokenSheet,
  baseSheet,
  paragraphSheet,
  formsSheet,
  looksSheet,
  ...resultSheets,
];
const paragraphSheets = [...elementSheets, ...tableSheets, proseSheet, outputSheet];
/** Those of a paragraph in an element, which has the sheets of every element. */
const viewSheets = [...paragraphSheets.slice(2), editorSheet, markSheet];
const noteSheets = [
  ...elementSheets,
  notebookSheet,
  noteLooksSheet,
  printSheet,
  ...tableSheets,
  proseSheet,
];

const sheetsOf = { note: noteSheets, paragraph: paragraphSheets, view: viewSheets };

/** Rules for sizes in class names: a strict policy of the page blocks style attributes. */
const sizesIn = (classes: ReadonlySet<string>): string =>
  [...classes]
    .flatMap((name) => {
      const [, property, size] = /^((?:max-)?height|span)-(\d+)$/.exec(name) ?? [];
      if (property === undefined) return [];
      return property === 'span'
        ? `.${name}{grid-column-end:span ${size}}`
        : `.${name}{${property}:${size}px}`;
    })
    .join('\n');

/** Static markup, and its style sheet. */
export interface Markup {
  readonly html: string;
  readonly css: string;
}

/** Renders the static view of a note or paragraph. `more`: style rules besides the element's. */
export function renderMarkup(view: ReactElement, of: keyof typeof sheetsOf, more = ''): Markup {
  const html = `<div class="snapshot">${renderToStaticMarkup(view)}</div>`;
  const sheets = sheetsOf[of];
  const classes = classesIn(html);
  const added = '<i class="snapshot-note snapshot-page"></i>';
  const css = usedCss([...sheets, snapshotSheet, sizesIn(classes), more], html + added);
  return { html, css: css.replaceAll('</', '<\\/') };
}
