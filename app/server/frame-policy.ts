/** What foreign HTML may do in its frame: run and draw; nothing of the page, the server or the network is in reach. */
import { createHash } from 'node:crypto';

/**
 * Reads the host of a library that outputs may load from, as `https://cdn.plot.ly`: a whole host with its scheme, a port where
 * it is not 443, and nothing that would widen or end the rule. Throws a sentence for people.
 */
export function frameSource(text: string): string {
  const source = text.trim();
  const refuse = (): never => {
    throw new Error(`'${source}' is no host of libraries: it looks like https://cdn.plot.ly`);
  };
  // Whatever means something in a policy (`;`, `,`, `*`, quotes, blanks) is in no host.
  if (
    !/^https:\/\/[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?\/?$/i.test(source) ||
    !URL.canParse(source)
  )
    return refuse();
  const { origin, hostname } = new URL(source);
  return hostname.includes('.') ? origin : refuse();
}

/** The policy of the frame. `sources`: hosts that scripts, styles and pictures may come from, which therefore hear what an output asks them for. */
export function framePolicy(sources: readonly string[] = []): string {
  const more = sources.map((source) => ` ${source}`).join('');
  return (
    `sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'${more}; style-src 'unsafe-inline'${more}; ` +
    `img-src data: blob:${more}; font-src data:; media-src data: blob:; connect-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors *`
  );
}

/** The same for a note that its reader does not trust: the frame's own script runs, what is written into it does not, and nothing is loaded. */
export function stillPolicy(html: Buffer): string {
  const own = [...html.toString('utf8').matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return framePolicy().replace(
    "script-src 'unsafe-inline' 'unsafe-eval'",
    `script-src ${own.join(' ') || "'none'"}`,
  );
}

/** What a package may do in its frame: as other foreign code, and workers of its own for spells, which have this policy too. Nothing is loaded. */
export const packagePolicy = (): string =>
  framePolicy().replace('style-src', 'worker-src blob:; style-src');
