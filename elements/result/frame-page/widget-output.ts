/** The Output widget: shows what code has printed into it. The server collects the outputs. */
import { DOMWidgetModel, DOMWidgetView } from '@jupyter-widgets/base';
import { Widget } from '@lumino/widgets';
import type { WidgetManager } from './widget-manager.ts';

const VIEW = 'application/vnd.jupyter.widget-view+json';
const TABLE = 'application/vnd.tiding.table';
const images = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

type Bundle = Readonly<Record<string, unknown>>;

const joined = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join('') : typeof value === 'string' ? value : '';

/** Removes colours, and the part of each line that a carriage return has overwritten. */
const plain = (text: string): string =>
  text
    .replace(/\x1b\[[\d;?]*[A-Za-z]/g, '')
    .replace(/\r\n/g, '\n')
    .replace(/[^\n]*\r(?=[^\n])/g, '');

function textNode(text: string, className = ''): HTMLElement {
  const node = document.createElement('pre');
  node.className = className;
  node.textContent = plain(text).replace(/\n$/, '');
  return node;
}

function tableNode(text: string): HTMLElement {
  const table = document.createElement('table');
  for (const [at, line] of text.replace(/\n+$/, '').split('\n').entries()) {
    const row = table.insertRow();
    for (const cell of line.split('\t')) {
      const node = document.createElement(at === 0 ? 'th' : 'td');
      node.textContent = cell;
      row.append(node);
    }
  }
  return table;
}

/** Nodes of HTML, whose scripts run when it is inserted: the frame isolates it. */
function htmlNode(html: string): HTMLElement {
  const node = document.createElement('div');
  node.append(document.createRange().createContextualFragment(html));
  return node;
}

function imageNode(source: string): HTMLElement {
  const node = document.createElement('img');
  node.alt = '';
  node.src = source;
  return node;
}

/** The richest form of a bundle that can be shown in a frame. */
async function bundleNode(data: Bundle, manager: WidgetManager): Promise<HTMLElement> {
  const view = data[VIEW] as { model_id?: string } | undefined;
  if (view?.model_id) {
    const node = document.createElement('div');
    const model = await manager.get_model(view.model_id);
    const { luminoWidget } = await manager.create_view(model);
    // It is attached when the node is in the page.
    attachments.set(node, luminoWidget);
    return node;
  }
  if (data[TABLE] !== undefined) return tableNode(joined(data[TABLE]));
  if (data['text/html'] !== undefined) return htmlNode(joined(data['text/html']));
  if (data['image/svg+xml'] !== undefined) return htmlNode(joined(data['image/svg+xml']));
  for (const type of images) {
    const image = joined(data[type]).replace(/\s/g, '');
    if (image !== '') return imageNode(`data:${type};base64,${image}`);
  }
  if (data['application/json'] !== undefined)
    return textNode(JSON.stringify(data['application/json'], null, 2));
  return textNode(joined(data['text/plain']));
}
const attachments = new WeakMap<Node, Widget>();

function outputNode(output: Bundle, manager: WidgetManager): Promise<HTMLElement> | HTMLElement {
  if (output['output_type'] === 'stream')
    return textNode(joined(output['text']), output['name'] === 'stderr' ? 'stderr' : '');
  if (output['output_type'] === 'error') {
    const trace = Array.isArray(output['traceback']) ? output['traceback'].map(String) : [];
    return textNode(
      trace.length > 0 ? trace.join('\n') : `${output['ename']}: ${output['evalue']}`,
      'stderr',
    );
  }
  return bundleNode((output['data'] ?? {}) as Bundle, manager);
}

export class OutputModel extends DOMWidgetModel {
  override defaults() {
    return {
      ...super.defaults(),
      _model_name: 'OutputModel',
      _view_name: 'OutputView',
      _model_module: '@jupyter-widgets/output',
      _view_module: '@jupyter-widgets/output',
      msg_id: '',
      outputs: [],
    };
  }
}

export class OutputView extends DOMWidgetView {
  /** Number of the newest drawing; an older one that is still loading is dropped. */
  #drawing = 0;

  override render(): void {
    super.render();
    this.el.classList.add('output-widget');
    this.listenTo(this.model, 'change:outputs', () => void this.#draw());
    void this.#draw();
  }

  /** Shows all outputs at once when their images are ready, so that a plot doesn't flicker. */
  async #draw(): Promise<void> {
    this.#drawing += 1;
    const drawing = this.#drawing;
    const manager = this.model.widget_manager as unknown as WidgetManager;
    const outputs = (this.model.get('outputs') ?? []) as readonly Bundle[];
    const nodes = await Promise.all(
      outputs.map(async (output) => {
        try {
          return await outputNode(output, manager);
        } catch (error) {
          return textNode(String((error as Error)?.message ?? error), 'stderr');
        }
      }),
    );
    await Promise.all(
      nodes.map((node) => (node instanceof HTMLImageElement ? node.decode().catch(() => {}) : {})),
    );
    if (drawing !== this.#drawing) return;
    this.el.replaceChildren(...nodes);
    for (const node of nodes) {
      const widget = attachments.get(node);
      if (widget) Widget.attach(widget, node);
    }
  }
}
