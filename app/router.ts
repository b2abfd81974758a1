/** Hash routing: parses and matches the URL. */
import { type Route, type RouteParams, routes } from './routes.ts';

/** The parsed hash. */
export interface Location {
  /** Path and query of the hash, as used in `ref`. */
  readonly full: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

interface Match {
  readonly route: Route;
  readonly params: RouteParams;
}

/** Parses a hash such as `#/notebook/1?asIframe`. */
export function readHash(hash: string): Location {
  const full = hash.replace(/^#/, '') || '/';
  const at = full.indexOf('?');
  const path = (at < 0 ? full : full.slice(0, at)).replace(/\/+$/, '') || '/';
  return {
    full,
    path: path.startsWith('/') ? path : `/${path}`,
    query: new URLSearchParams(at < 0 ? '' : full.slice(at + 1)),
  };
}

/** Returns the route of a path, or `undefined` if there is none. */
export function matchRoute(path: string, table: readonly Route[] = routes): Match | undefined {
  const parts = path.split('/');
  for (const route of table) {
    const pattern = route.path.split('/');
    if (pattern.length !== parts.length) continue;
    const params: Record<string, string> = {};
    const fits = pattern.every((part, index) => {
      const value = parts[index] ?? '';
      if (!part.startsWith(':')) return part === value;
      try {
        params[part.slice(1)] = decodeURIComponent(value);
      } catch {
        // A percent sign that was typed into the address.
        params[part.slice(1)] = value;
      }
      return value !== '';
    });
    if (fits) return { route, params };
  }
  return undefined;
}

/** Returns a `ref` only if it leads to a page of this app. */
export function safeRef(ref: string | null): string | undefined {
  return ref !== null && /^\/(?![/\\])/.test(ref) ? ref : undefined;
}
