/** The documentation for language models: `llms.txt` lists the pages, `llms-full.txt` has them. */
import { outline } from './pages.mjs';

/** Address of a page below the site. */
const addressOf = ({ path }) => `/docs/${path.replace(/(?:index)?\.md$/, '')}`;

/** Pages that only point to other pages, or that tools read in another form. */
const isReference = ({ path }) => /^reference\/(?:api|rest|live-channel)\//.test(path);

/** Text of a page without front matter. */
const textOf = ({ text }) => text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, '').trim();

const ALL = 'All pages in one file: [llms-full.txt](/docs/llms-full.txt).';
const fileOf = (parts) => `${parts.join('\n\n')}\n`;

/** Both files by name. `pages` is what `readPages` returns. */
export function llmsTexts(pages) {
  const head =
    '# Tiding\n\n> A notebook for SQL, Python and Spark that you can run as an app, embed in any ' +
    'web page, and drive from TypeScript.';
  const parts = outline(pages);
  const list = parts.map(({ title, description, pages: own }) =>
    [
      `## ${title}`,
      description,
      own
        .map((page) => {
          const about = page.description ? `: ${page.description}` : '';
          return `- [${page.title}](${addressOf(page)})${about}`;
        })
        .join('\n'),
    ].join('\n\n'),
  );
  const whole = parts.flatMap(({ pages: own }) =>
    own
      .filter((page) => !isReference(page))
      .map((page) => `<!-- ${addressOf(page)} -->\n\n${textOf(page)}`),
  );
  return {
    'llms.txt': fileOf([head, ALL, ...list]),
    'llms-full.txt': fileOf([head, ...whole]),
  };
}
