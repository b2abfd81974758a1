/**
 * Runs the view of a package with the lifecycle of Zeppelin's page: creation, data and settings,
 * and its settings template.
 */
import angular from 'angular';
import $ from 'jquery';
import type { FromPackage } from '../packages/package-messages.ts';
import { loadBundle } from './bundle.ts';
import { requestedPanel, type TransformationSetting } from './panel.ts';
import type { PackageJson, PackageSettings, PackageTable, ToPackage } from './protocol.ts';

type Show = Extract<ToPackage, { type: 'show' }>;

/**
 * Members that base classes of packages expect on objects that render settings and report changes.
 */
interface Owner {
  _emitter?: (config: unknown) => void;
  _templateRequest?: (address: string) => PromiseLike<string>;
  _compile?: angular.ICompileService;
  _createNewScope?: () => angular.IScope;
  getSetting?(): TransformationSetting | undefined;
  setConfig?(config: object): void;
  renderSetting?(target: unknown): void;
}

interface Transformation extends Owner {
  transform?(table: PackageTable): unknown;
}

interface Visualization extends Owner {
  getTransformation?(): Transformation | undefined;
  render?(data: unknown): void;
  activate?(): void;
  deactivate?(): void;
  resize?(): void;
  destroy?(): void;
}

/** Converts a package's settings to JSON; functions and similar values are dropped. */
const jsonOf = (value: unknown): PackageSettings =>
  JSON.parse(
    JSON.stringify(value ?? {}, (key, each: PackageJson) =>
      key.startsWith('$$') ? undefined : each,
    ),
  ) as PackageSettings;

/**
 * Creates and draws a view. Returns a handler for further messages. Throws if creating the view
 * fails.
 */
export function showView(
  start: Show,
  send: (message: FromPackage) => void,
): (message: ToPackage) => void {
  const injector = angular.injector(['ng']);
  const root = injector.get<angular.IRootScopeService>('$rootScope');
  const settings = document.body.appendChild(document.createElement('div'));
  settings.className = 'package-settings';
  const place = document.body.appendChild(document.createElement('div'));
  place.className = 'package-view';
  // Some packages look up this element by its id.
  place.id = `p${Date.now()}_graph`;
  place.style.height = `${start.height}px`;

  let config = jsonOf(start.config);
  /** JSON of the settings that both sides know. */
  let known = JSON.stringify(config);
  let { table, open } = start;
  let drawn = false;
  let drawing = false;

  const own = <Made extends Owner>(made: Made): Made =>
    Object.assign(made, {
      _emitter: (next: unknown) => take(jsonOf(next), true),
      // Template files belong to Zeppelin; their panels are rendered by the host page instead.
      _templateRequest: () => Promise.resolve(''),
      _compile: injector.get('$compile'),
      _createNewScope: () => root.$new(true),
    });
  const make = loadBundle(start.script).class as unknown as new (
    target: unknown,
    config: object,
  ) => Visualization;
  // A package may keep and modify this object, so it must belong to this page.
  const view = own(new make($(place), config));
  const given = view.getTransformation?.();
  const transformation = given ? own(given) : undefined;

  const draw = (): void => {
    // Settings reported during drawing take effect in that same drawing.
    if (drawing) return;
    drawing = true;
    try {
      const data = transformation?.transform ? transformation.transform(table) : table;
      drawSettings();
      if (data !== undefined) view.render?.(data);
      view.activate?.();
    } finally {
      drawing = false;
    }
    if (!drawn) send({ type: 'drawn' });
    drawn = true;
  };
  /** Elements for settings templates that belong to the package and are rendered here. */
  const owners = new Map<Owner, HTMLElement>();
  const drawSettings = (): void => {
    const setting = transformation?.getSetting?.();
    const panel = requestedPanel(setting, config);
    const shown = [...(panel === undefined && transformation ? [transformation] : []), view].filter(
      (owner) => owner.getSetting?.()?.template,
    );
    send({ type: 'panel', panel: panel ?? { kind: 'none' } });
    settings.hidden = !open;
    for (const owner of open ? shown : []) {
      let target = owners.get(owner);
      if (!target)
        owners.set(owner, (target = settings.appendChild(document.createElement('div'))));
      const fill = (): void => {
        owner.renderSetting?.(angular.element(target));
        if (!root.$$phase) root.$digest();
        measure();
      };
      // A button of a template reports changes during a digest cycle; render again after it.
      if (root.$$phase) setTimeout(fill);
      else fill();
    }
    queueMicrotask(measure);
  };
  let height = -1;
  const measure = (): void => {
    const next = open ? settings.offsetHeight : 0;
    if (next !== height) send({ type: 'resize', height: (height = next) });
  };
  new ResizeObserver(measure).observe(settings);
  let width = place.clientWidth;
  new ResizeObserver(() => {
    if (place.clientWidth === width || !drawn) return;
    width = place.clientWidth;
    view.resize?.();
  }).observe(place);

  /**
   * Applies new settings from the package (then reported to the host page) or from the host page.
   */
  const take = (next: PackageSettings, tell: boolean): void => {
    const text = JSON.stringify(next);
    if (text === known) return;
    known = text;
    config = next;
    if (tell) send({ type: 'config', config });
    // Both share and modify the same object, as in Zeppelin.
    transformation?.setConfig?.(config);
    view.setConfig?.(config);
    draw();
  };
  document.addEventListener('visibilitychange', () =>
    document.hidden ? view.deactivate?.() : view.activate?.(),
  );
  window.addEventListener('pagehide', () => view.destroy?.());
  draw();

  return (message) => {
    if (message.type === 'config') take(jsonOf(message.config), false);
    else if (message.type === 'table') {
      table = message.table;
      draw();
    } else if (message.type === 'place') {
      const isOther =
        message.height !== start.height || place.style.height !== `${message.height}px`;
      place.style.height = `${message.height}px`;
      if (open !== message.open) {
        open = message.open;
        drawSettings();
      }
      if (isOther) view.resize?.();
    }
  };
}
