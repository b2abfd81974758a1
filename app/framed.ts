/** A page inside a host's iframe: its token by message, its height to the host. */

/** Asks the page around for a token; the answer is taken only from it. */
export function frameToken(): () => Promise<string> {
  let token: Promise<string> | undefined;
  return () => (token ??= new Promise((resolve) => {
    const listen = (event: MessageEvent) => {
      const data = event.data as { type?: unknown; token?: unknown } | null;
      if (event.source !== window.parent || data?.type !== 'tiding-token' || typeof data.token !== 'string') return;
      window.removeEventListener('message', listen);
      resolve(data.token);
    };
    window.addEventListener('message', listen);
    // Only pages that the server lists can frame this one (frame-ancestors); the request carries nothing.
    window.parent.postMessage('tiding-token-wanted', '*');
  }));
}

/** Tells the page around how high the content is, as JSON text `{height, url}` each time that changes (upstream's message). */
export function reportHeight(content: HTMLElement): void {
  if (window.parent === window) return;
  let last = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(content.getBoundingClientRect().height);
    if (height === last) return;
    last = height;
    window.parent.postMessage(JSON.stringify({ height, url: location.href }), '*');
  }).observe(content);
}
