/*
 * Page inside frames of Jupyter widgets: draws the view with the models that the host page sends,
 * and exchanges messages with the kernel through it.
 */
import luminoSheet from '@jupyter-widgets/controls/css/lumino.css';
import sliderSheet from '@jupyter-widgets/controls/css/nouislider.css';
import controlsSheet from '@jupyter-widgets/controls/css/widgets-base.css';
import { Widget } from '@lumino/widgets';
import type { CommRequest } from '@tiding/client';
import type { FromFrame } from '../frames/frame-messages.ts';
import { failureOf, startFramePage } from './frame-page.ts';
import sheet from './jupyter.css';
import { COMM_INTERVAL_MS, MAX_COMMS_PER_MESSAGE } from './protocol.ts';
import { WidgetManager } from './widget-manager.ts';

const imported = (text: string): string => text.replace(/@import[^;]+;/g, '');

let send: (message: FromFrame) => void = () => {};
let isReadOnly = false;
let isShown = false;
let waiting: CommRequest[] = [];
let isScheduled = false;

function post(request: CommRequest): void {
  if (isReadOnly) return;
  waiting.push(request);
  if (!isScheduled) setTimeout(flush, 0);
  isScheduled = true;
}

/** Sends messages together: a slider that is dragged must not reach the limit of the host page. */
function flush(): void {
  const requests = waiting.slice(0, MAX_COMMS_PER_MESSAGE);
  waiting = waiting.slice(requests.length);
  isScheduled = requests.length > 0;
  if (!isScheduled) return;
  setTimeout(flush, COMM_INTERVAL_MS);
  send({ type: 'comms', requests });
}

const manager = new WidgetManager(post);

/** Shows the models, but lets nothing be changed. */
function setReadOnly(now: boolean): void {
  isReadOnly = now;
  document.body.inert = now;
}

/** Shows the last state of a kernel that has ended. */
function end(): void {
  setReadOnly(true);
  document.body.classList.add('ended');
}

async function show(model: string): Promise<void> {
  const carrier = document.querySelector('tiding-jupyter-widget');
  if (!carrier) return;
  const view = await manager.create_view(await manager.get_model(model));
  const box = document.createElement('div');
  carrier.replaceChildren(box);
  Widget.attach(view.luminoWidget, box);
}

startFramePage({
  sheet: [luminoSheet, sliderSheet, controlsSheet].map(imported).join('') + sheet,
  ready(_values, sends) {
    send = sends;
  },
  widget({ models, model, isReadOnly: now, hasEnded }) {
    setReadOnly(now);
    if (hasEnded) end();
    manager.load(models);
    if (models.length > 0 && !isShown) {
      isShown = true;
      show(model).catch((error: unknown) => send(failureOf(error)));
    }
  },
  comms(events) {
    for (const event of events) {
      if (event.type === 'ended') end();
      else manager.receive(event);
    }
  },
});
