/** A page inside a host's iframe: its token by message, its height to the host. */

/** A page around that is not listening yet is asked again after this, in ms. */
const ASK_AGAIN_MS = 1_000;

/** Asks the page around for a token, each time one is wanted: those of embedding pages live for minutes. The answer is taken only from it. */
export function frameToken(): () => Promise<string> {
  let asking: Promise<string> | undefined;
  return () =>
    (asking ??= new Promise<string>((resolve) => {
      // Only pages that the server lists can frame this one (frame-ancestors); the request carries nothing.
      const ask = () => window.parent.postMessage('tiding-token-wanted', '*');
      const again = setInterval(ask, ASK_AGAIN_MS);
      window.addEventListener('message', function listen(event: MessageEvent) {
        const data = event.data as { type?: unknown; token?: unknown } | null;
        if (
          event.source !== window.parent ||
          data?.type !== 'tiding-token' ||
          typeof data.token !== 'string'
        )
          return;
        window.removeEventListener('message', listen);
        clearInterval(again);
        asking = undefined;
        resolve(data.token);
      });
      ask();
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
