/*
 * Page in which packages run: views of tables, and spells. It has an opaque origin and a policy
 * that allows only its own scripts and workers. It receives a MessagePort from the host page.
 */
import angular from 'angular';
import { blockWebRtc } from '../frame-page/block-webrtc.ts';
import type { FrameTheme } from '../frame-page/protocol.ts';
import { query } from './jquery-subset.ts';
import sheet from './package.css';
import { showView } from './package-view-page.ts';
import type { FromPackage, ToPackage } from './protocol.ts';
import { drawElement, errorMessageOf, runSpellInWorker, terminateSpell } from './spell.ts';

blockWebRtc();
// Globals that packages expect from Zeppelin's page.
Object.assign(window, { angular, $: query, jQuery: query });

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

function serve(port: MessagePort): void {
  const send = port.postMessage.bind(port) as (message: FromPackage) => void;
  const fail = (error: unknown): void =>
    send({ type: 'error', message: errorMessageOf(error).slice(0, 500) });
  let view: ((message: ToPackage) => void) | undefined;
  const style = document.head.appendChild(document.createElement('style'));
  style.textContent = sheet;
  window.addEventListener('error', (event) => event.message && fail(event.error ?? event.message));
  window.addEventListener('unhandledrejection', (event) => fail(event.reason));
  window.addEventListener('click', (event) => followLink(event, send), true);
  port.onmessage = ({ data }: MessageEvent<ToPackage>) => {
    try {
      if ('theme' in data) applyTheme(data.theme);
      if (data.type === 'show') view = showView(data, send);
      else if (data.type === 'interpret') runSpellInWorker(data, send);
      else if (data.type === 'stop') terminateSpell(data.run);
      else if (data.type === 'element') drawElement(data, send).catch(fail);
      else view?.(data);
    } catch (error) {
      fail(error);
    }
  };
}

function applyTheme({ colorScheme, vars }: FrameTheme): void {
  const { style } = document.documentElement;
  style.colorScheme = colorScheme;
  for (const [name, value] of Object.entries(vars))
    if (name.startsWith('--_')) style.setProperty(name, value);
}

/** Web links are opened by the host page, which asks the user first. */
function followLink(event: MouseEvent, send: (message: FromPackage) => void): void {
  const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
  const href = link?.getAttribute('href');
  if (!link || !href || href.startsWith('#') || /^\s*javascript:/i.test(href)) return;
  event.preventDefault();
  if (/^https?:$/.test(link.protocol)) send({ type: 'open-link', href: link.href });
}
