/** Pages inside a host's iframe: receive a token by message and report their height to the host. */

/** Interval of requests to a host page that is not listening yet, in ms. */
const REQUEST_INTERVAL_MS = 1_000;

/**
 * Requests a token from the host page each time one is needed, because embedding tokens expire
 * within minutes. Accepts an answer only from that page.
 */
export function frameToken(): () => Promise<string> {
  let pending: Promise<string> | undefined;
  return () =>
    (pending ??= new Promise<string>((resolve) => {
      // Only origins listed by the server can frame this page (frame-ancestors), and the request
      // contains no data.
      const request = () => window.parent.postMessage('tiding-token-wanted', '*');
      const timer = setInterval(request, REQUEST_INTERVAL_MS);
      window.addEventListener('message', function listen(event: MessageEvent) {
        const data = event.data as { type?: unknown; token?: unknown } | null;
        if (
          event.source !== window.parent ||
          data?.type !== 'tiding-token' ||
          typeof data.token !== 'string'
        )
          return;
        window.removeEventListener('message', listen);
        clearInterval(timer);
        pending = undefined;
        resolve(data.token);
      });
      request();
    }));
}

/**
 * Posts the content height to the host page as JSON text `{height, url}` whenever it changes (the
 * format Zeppelin uses). While there is no content, such as between the sign-in and the paragraph,
 * the frame keeps its height.
 */
export function reportHeight(content: HTMLElement): void {
  if (window.parent === window) return;
  let last = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(content.getBoundingClientRect().height);
    if (height === 0 || height === last) return;
    last = height;
    window.parent.postMessage(JSON.stringify({ height, url: location.href }), '*');
  }).observe(content);
}
