/** What the pages in frames share: the port to the host page, its theme, and links. */
import { blockWebRtc } from './block-webrtc.ts';
import type { FrameTheme } from './protocol.ts';

/** Announces that the page is ready, and waits for the port to the host page. */
export function receivePort(serve: (port: MessagePort) => void): void {
  blockWebRtc();
  window.addEventListener('message', function receive(event) {
    const port = event.ports[0];
    if (
      event.source !== window.parent ||
      (event.data as { type?: unknown } | null)?.type !== 'port' ||
      !port
    )
      return;
    window.removeEventListener('message', receive);
    serve(port);
  });
  window.parent.postMessage({ type: 'ready' }, '*');
}

/** Applies the theme of the host page. */
export function applyTheme({ colorScheme, vars }: FrameTheme): void {
  const { style } = document.documentElement;
  style.colorScheme = colorScheme;
  for (const [name, value] of Object.entries(vars))
    if (name.startsWith('--_')) style.setProperty(name, value);
}

/**
 * Web links are opened by the host page, which asks the user first. Links within the output work
 * normally.
 */
export function followLink(
  event: MouseEvent,
  send: (message: { type: 'open-link'; href: string }) => void,
): void {
  const link = event
    .composedPath()
    .find((target) => target instanceof HTMLAnchorElement || target instanceof HTMLAreaElement);
  const href = link?.getAttribute('href');
  if (!link || !href || href.startsWith('#') || /^\s*javascript:/i.test(href)) return;
  event.preventDefault();
  if (/^https?:$/.test(link.protocol)) send({ type: 'open-link', href: link.href });
}
