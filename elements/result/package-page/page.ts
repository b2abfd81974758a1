/*
 * Page in which packages run: views of tables, and spells. It has an opaque origin and a policy
 * that allows only its own scripts and workers. It receives a MessagePort from the host page.
 */
import angular from 'angular';
import $ from 'jquery';
import { applyTheme, followLink, receivePort } from '../frame-page/page-port.ts';
import type { FromPackage } from '../packages/package-messages.ts';
import { errorMessageOf } from './bundle.ts';
import sheet from './package.css';
import { showView } from './package-view-page.ts';
import type { ToPackage } from './protocol.ts';
import { drawElement, runSpellInWorker } from './spell.ts';

// Globals that packages expect from Zeppelin's page.
Object.assign(window, { angular, $, jQuery: $ });

receivePort(serve);

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
      else if (data.type === 'element') drawElement(data, send).catch(fail);
      else view?.(data);
    } catch (error) {
      fail(error);
    }
  };
}
