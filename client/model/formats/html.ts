/** A note as one HTML file, which needs neither a server nor the network. */
import type { Note, Paragraph, ResultMessage } from '../../protocol/objects.ts';
import { editorMode, splitMagic } from '../notes/magic.ts';
import { noteTitle } from '../notes/note-path.ts';
import { type AnsiSegment, parseAnsi } from '../text/ansi.ts';
import type { AnsiColor } from '../text/ansi-style.ts';
import {
  imageAddress,
  isMarkdownHtml,
  type NoteImages,
  noteImageName,
  replaceHtmlImages,
} from './note-images.ts';
import { escapeHtml, imageType, tableHtml } from './output-html.ts';

/** Reports the height of an output to the page. */
const FRAME_SCRIPT =
  'new ResizeObserver(()=>parent.postMessage({height:document.body.offsetHeight},"*"))' +
  '.observe(document.body)';
/** Gives each frame the height that it reports. */
const PAGE_SCRIPT =
  'addEventListener("message",({source,data})=>{for(const frame of ' +
  'document.querySelectorAll("iframe"))if(frame.contentWindow===source)' +
  'frame.style.height=Math.min(data.height,20000)+"px"})';
/**
 * Allows the two scripts above, and nothing from the network. Frames inherit the policy, so scripts
 * in outputs don't run. The hashes are SHA-256 of the scripts in base64; the test compares them.
 */
const SCRIPTS = [
  "'sha256-jjRh08/jiTE9RqRRDMPmss4nF8fGDniougiQ60iIoNc='",
  "'sha256-oExVLTHiVRItD6XCNYAL5YbHq9Sn7z7Dp6EfxvMJ5EY='",
].join(' ');
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; " +
  `media-src data:; script-src ${SCRIPTS}`;

/** The 16 terminal colors, readable on light and on dark. */
const PALETTE = (
  '#5f6b7a #d1373f #2b8a3e #b07900 #2f6fd6 #a347ba #0c8599 #8a94a3 ' +
  '#6c7787 #e5484d #37a34d #c98a00 #4a86e8 #b65ccc #1597ad #9aa3b0'
).split(' ');

const STYLE = `:root{color-scheme:light dark}
body{margin:0;font:15px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
pre,code{font:13px/1.55 ui-monospace,"SF Mono",Menlo,Consolas,monospace}
pre{margin:0;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}
table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}
th,td{padding:4px 10px;border:1px solid light-dark(#dfe3e8,#3a414b);text-align:start}
th{background:light-dark(#f4f6f8,#262b33)}
td.number{text-align:end}
img,svg{max-width:100%}
a{color:light-dark(#1d5fd0,#7fb0ff)}`;

const PAGE_STYLE = `main{max-width:1080px;margin:0 auto;padding:32px 20px;display:grid;
grid-template-columns:repeat(12,minmax(0,1fr));gap:20px 24px;align-items:start}
h1{grid-column:1/-1;margin:0;font-size:26px;line-height:1.3}
section{grid-column:span var(--columns,12);min-width:0;display:grid;gap:10px}
h2{margin:0;font-size:16px}
.code{padding:10px 14px;border-radius:6px;background:light-dark(#f4f6f8,#20242b)}
.error{padding:10px 14px;border-inline-start:3px solid #d1373f}
.table{overflow-x:auto}
iframe{display:block;width:100%;height:0;border:0;color-scheme:light dark}
@media (max-width:720px){section{grid-column:1/-1}}
@media print{main{max-width:none;padding:0}section{break-inside:avoid-page}}`;

const FRAME_STYLE = `body{display:flow-root}
h1,h2,h3{line-height:1.3}
pre,code{border-radius:4px;background:light-dark(#f4f6f8,#20242b)}
pre{padding:10px 14px}code{padding:1px 4px}pre code{padding:0}
blockquote{margin-inline:0;padding-inline-start:14px;border-inline-start:3px solid
light-dark(#dfe3e8,#3a414b)}`;

const colorOf = (color: AnsiColor | 'canvas' | 'canvastext'): string =>
  typeof color === 'number' ? PALETTE[color]! : color;

function segmentHtml({ text, fg, bg, inverse, ...style }: AnsiSegment): string {
  const front = inverse ? (bg ?? 'canvas') : fg;
  const back = inverse ? (fg ?? 'canvastext') : bg;
  const css = [
    front === undefined ? '' : `color:${colorOf(front)}`,
    back === undefined ? '' : `background:${colorOf(back)}`,
    style.bold ? 'font-weight:600' : '',
    style.dim ? 'opacity:.7' : '',
    style.italic ? 'font-style:italic' : '',
    style.underline ? 'text-decoration:underline' : '',
  ].filter(Boolean);
  const html = escapeHtml(text);
  return css.length === 0 ? html : `<span style="${css.join(';')}">${html}</span>`;
}

/** Puts HTML of a program into a frame without access to the page. */
function frameHtml(data: string, title: string): string {
  const source =
    `<!doctype html><base target="_blank"><style>${STYLE}${FRAME_STYLE}</style>` +
    `<body>${data}<script>${FRAME_SCRIPT}</script>`;
  return (
    '<iframe sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox" ' +
    `title="${escapeHtml(title)}" srcdoc="${escapeHtml(source)}"></iframe>`
  );
}

/** Puts the images of the note into the HTML of its Markdown. */
const withImages = (html: string, images: NoteImages): string =>
  isMarkdownHtml(html)
    ? replaceHtmlImages(html, (address) => {
        const name = noteImageName(address);
        const data = name !== undefined && Object.hasOwn(images, name) ? images[name] : undefined;
        return data === undefined ? undefined : imageAddress(name!, data);
      })
    : html;

function messageHtml({ type, data }: ResultMessage, title: string, images: NoteImages): string {
  if (data.trim() === '') return '';
  switch (type) {
    case 'HTML':
    case 'ANGULAR':
      return data.includes('<tiding-widget>')
        ? '<p>This result can only be shown in Tiding.</p>'
        : frameHtml(withImages(data, images), title);
    case 'TABLE':
      return `<div class="table">${tableHtml(data, ' class="number"')}</div>`;
    case 'IMG': {
      const base64 = data.replace(/^data:[^,]*,/, '').trim();
      const source = `data:${imageType(data)};base64,${base64}`;
      return `<img alt="${escapeHtml(title)}" src="${escapeHtml(source)}">`;
    }
    case 'SVG':
      return frameHtml(data, title);
    default:
      return `<pre>${parseAnsi(data).map(segmentHtml).join('')}</pre>`;
  }
}

function paragraphHtml(
  { text = '', title = '', ...rest }: Paragraph,
  code: boolean,
  images: NoteImages,
): string {
  const { config = {}, results, status } = rest;
  const { script } = splitMagic(text);
  const messages = config.tableHide === true ? [] : (results?.msg ?? []);
  const outputs = messages.map((message) => messageHtml(message, title, images)).filter(Boolean);
  const isMarkdown = editorMode(text) === 'markdown';
  const hasCode = isMarkdown ? outputs.length === 0 : code && config.editorHide !== true;
  const parts = [
    title.trim() === '' || config.title === false ? '' : `<h2>${escapeHtml(title)}</h2>`,
    hasCode && script !== ''
      ? `<pre${isMarkdown ? '' : ' class="code"'}>${escapeHtml(script)}</pre>`
      : '',
    ...outputs.map((each, at) =>
      status === 'ERROR' && at === outputs.length - 1 ? `<div class="error">${each}</div>` : each,
    ),
  ].filter(Boolean);
  if (parts.length === 0) return '';
  const width = Number(config.colWidth);
  const style = width >= 1 && width < 12 ? ` style="--columns:${width}"` : '';
  return `<section${style}>\n${parts.join('\n')}\n</section>`;
}

/**
 * Converts a note to one HTML file with its results. Scripts in results don't run, and results of
 * programs can't reach the page. Tables have the rows that the note has.
 *
 * @param code whether code is shown too
 * @param images images of the note that its Markdown shows
 */
export function toHtml(
  note: Note,
  { code = true, images = {} }: { code?: boolean; images?: NoteImages } = {},
): string {
  const title = escapeHtml(noteTitle(note));
  const sections = (note.paragraphs ?? []).map((each) => paragraphHtml(each, code, images));
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}${PAGE_STYLE}</style>
</head>
<body>
<script>${PAGE_SCRIPT}</script>
<main>
<h1>${title}</h1>
${sections.filter(Boolean).join('\n')}
</main>
</body>
</html>
`;
}
