/**
 * Content security policies of the frames that display untrusted HTML. Untrusted code may run and
 * draw, but it can't reach the page, the server or the network.
 */
import { createHash } from 'node:crypto';

/**
 * Parses a host that outputs may load libraries from, such as `https://cdn.plot.ly`: a complete
 * host with its scheme, with a port unless it is 443, and without any character that would widen or
 * end the policy. Throws an error with a user-readable message.
 */
export function frameSource(text: string): string {
  const source = text.trim();
  const reject = (): never => {
    throw new Error(`'${source}' is not a library host. Use the form https://cdn.plot.ly`);
  };
  // The pattern excludes all characters with a meaning in a policy: `;`, `,`, `*`, quotes, spaces.
  if (
    !/^https:\/\/[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?\/?$/i.test(source) ||
    !URL.canParse(source)
  )
    return reject();
  const { origin, hostname } = new URL(source);
  return hostname.includes('.') ? origin : reject();
}

/**
 * Returns the policy of an output frame. `sources` are the hosts that scripts, styles and images
 * may be loaded from; these hosts see what an output requests.
 */
export function framePolicy(sources: readonly string[] = []): string {
  const hosts = sources.map((source) => ` ${source}`).join('');
  return (
    "sandbox allow-scripts; default-src 'none'; " +
    `script-src 'unsafe-inline' 'unsafe-eval'${hosts}; style-src 'unsafe-inline'${hosts}; ` +
    `img-src data: blob:${hosts}; font-src data:; media-src data: blob:; connect-src 'none'; ` +
    "form-action 'none'; base-uri 'none'; frame-ancestors *"
  );
}

/**
 * Returns the policy for a note that its reader does not trust: the frame's own script runs,
 * scripts in the output don't, and nothing is loaded.
 */
export function stillPolicy(html: Buffer): string {
  const hashes = [...html.toString('utf8').matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return framePolicy().replace(
    "script-src 'unsafe-inline' 'unsafe-eval'",
    `script-src ${hashes.join(' ') || "'none'"}`,
  );
}

/**
 * Returns the policy of a package's frame: the policy of an output frame, plus workers for
 * spells. Workers inherit the policy. Nothing is loaded.
 */
export const packagePolicy = (): string =>
  framePolicy().replace('style-src', 'worker-src blob:; style-src');
