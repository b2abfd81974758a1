/** Code that shows a note or a paragraph in a page of another origin. */
import { escapeHtml } from '@tiding/client/model';

/** What is embedded, and the server that has it. */
export interface EmbedTarget {
  readonly server: string;
  readonly noteId: string;
  /** Without it, the whole note. */
  readonly paragraphId?: string | undefined;
}

/** Kinds of code, in the order in which they are offered. */
export const EMBED_CODES = ['tag', 'frame', 'react', 'token'] as const;
export type EmbedCode = (typeof EMBED_CODES)[number];

/** Path on the site of the page that answers with a token. The code for `token` serves it. */
const TOKEN_PATH = '/tiding-token';
const FETCH_TOKEN = `() => fetch('${TOKEN_PATH}').then((response) => response.text())`;

/** Ids come from imported files, which may contain anything. */
const attributes = ({ noteId, paragraphId }: EmbedTarget): string =>
  `note="${escapeHtml(noteId)}"` +
  (paragraphId === undefined ? '' : ` paragraph="${escapeHtml(paragraphId)}"`);

const html = (tag: string, more: string, target: EmbedTarget): string => `\
<script type="module" src="${target.server}/tiding.js"></script>
<${tag} server="${target.server}" ${attributes(target)}${more}></${tag}>
<script type="module">
  document.querySelector('${tag}').token =
    ${FETCH_TOKEN};
</script>
`;

const react = (target: EmbedTarget): string => {
  const component = target.paragraphId === undefined ? 'Notebook' : 'Paragraph';
  return `\
import { ${component}, TidingProvider } from '@tiding/elements/react';

export const Report = () => (
  <TidingProvider
    server="${target.server}"
    fetchToken={${FETCH_TOKEN}}
  >
    <${component} ${attributes(target)} look="${look(target)}" />
  </TidingProvider>
);
`;
};

/** A whole note has no layout for embedding of its own. */
const look = ({ paragraphId }: EmbedTarget): string =>
  paragraphId === undefined ? 'report' : 'embed';

const endpoint = ({ server, noteId, paragraphId }: EmbedTarget): string => `\
// Answer ${TOKEN_PATH} with the result, as text. Check first that the visitor may see the report.
// TIDING_TOKEN is an access token of yours. It must stay on your server.
export async function createVisitorToken() {
  const response = await fetch('${server}/api/magpie/embed-token', {
    method: 'POST',
    headers: {
      Authorization: \`Bearer \${process.env.TIDING_TOKEN}\`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(${JSON.stringify({ noteId, paragraphId, scope: 'run' })}),
  });
  if (!response.ok) throw new Error(\`No token: \${response.status} \${await response.text()}\`);
  return (await response.json()).token;
}
`;

/** Whether a kind of code can show the target: the frame has one paragraph. */
export const canEmbed = (code: EmbedCode, { paragraphId }: EmbedTarget): boolean =>
  code !== 'frame' || paragraphId !== undefined;

/** Returns the code of a kind, ready to paste. */
export function embedCode(code: EmbedCode, target: EmbedTarget): string {
  if (code === 'react') return react(target);
  if (code === 'token') return endpoint(target);
  if (code === 'frame') return html('tiding-paragraph-frame', '', target);
  const tag = target.paragraphId === undefined ? 'tiding-notebook' : 'tiding-paragraph';
  return html(tag, ` look="${look(target)}"`, target);
}
