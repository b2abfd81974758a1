/** A view of a package: made, given data and settings, asked for its own settings; its life as upstream's page leads it. */
import angular from 'angular';
import { bundleOf } from './bundle.ts';
import { panelOf, type Setting } from './panel.ts';
import type { FromPackage, Json, PackageTable, Settings, ToPackage } from './protocol.ts';
import { query } from './query.ts';

type Show = Extract<ToPackage, { type: 'show' }>;

/** What draws settings, and tells of their change: base classes of packages look for these. */
interface Owner {
  _emitter?: (config: unknown) => void;
  _templateRequest?: (address: string) => PromiseLike<string>;
  _compile?: angular.ICompileService;
  _createNewScope?: () => angular.IScope;
  getSetting?(): Setting | undefined;
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

/** JSON of whatever a package calls its settings; functions and the like are left out. */
const jsonOf = (value: unknown): Settings =>
  JSON.parse(
    JSON.stringify(value ?? {}, (key, each: Json) => (key.startsWith('$$') ? undefined : each)),
  ) as Settings;

/** Draws a view, and answers what takes further messages. Throws what the package throws while it is made. */
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
  // Packages look for it by its id.
  place.id = `p${Date.now()}_graph`;
  place.style.height = `${start.height}px`;

  let config = jsonOf(start.config);
  /** Settings that both sides know. */
  let known = JSON.stringify(config);
  let { table, open } = start;
  let drawn = false;
  let drawing = false;

  const own = <Made extends Owner>(made: Made): Made =>
    Object.assign(made, {
      _emitter: (next: unknown) => take(jsonOf(next), true),
      // Files of templates are upstream's own; what they show is drawn by the page around.
      _templateRequest: () => Promise.resolve(''),
      _compile: injector.get('$compile'),
      _createNewScope: () => root.$new(true),
    });
  const make = bundleOf(start.script).class as unknown as new (
    target: unknown,
    config: object,
  ) => Visualization;
  // A package may keep its settings and write in them: they are of this page.
  const view = own(new make(query(place), config));
  const given = view.getTransformation?.();
  const transformation = given ? own(given) : undefined;

  const draw = (): void => {
    // Settings that a package tells while it draws are drawn by that.
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
  /** What this page shows itself: templates of the package's own. */
  const owners = new Map<Owner, HTMLElement>();
  const drawSettings = (): void => {
    const setting = transformation?.getSetting?.();
    const panel = panelOf(setting, config);
    const shown = [...(panel === undefined && transformation ? [transformation] : []), view].filter(
      (owner) => owner.getSetting?.()?.template,
    );
    send({ type: 'panel', panel: panel ?? { kind: 'none' }, own: shown.length > 0 });
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
      // A button of a template tells while its scope is being looked through; it is drawn anew after that.
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

  /** Other settings, of a package (then told) or of the page. */
  const take = (next: Settings, tell: boolean): void => {
    const text = JSON.stringify(next);
    if (text === known) return;
    known = text;
    config = next;
    if (tell) send({ type: 'config', config });
    // Both keep and write in the same object, as upstream's do.
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
