import {
  type Cell,
  exportFileName,
  type NetworkData,
  type NetworkGraph,
} from '@tiding/client/model';
import { ImageDown, Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useEvent } from '../../../runtime/hooks.ts';
import { Button } from '../../../ui/button.tsx';
import { formatInteger } from '../../parts/numbers.ts';
import { usePrinting } from '../../parts/use-printing.ts';
import { useThemeChange } from '../../parts/use-theme-change.ts';
import type { BuiltInVisualizationProps } from '../contract.ts';
import { networkColours } from './colours.ts';
import { dataText, NetworkDetails } from './details.tsx';
import type { IndexedNetwork } from './indexed-network.ts';
import { networkSummary } from './network-table.ts';
import { NetworkOutline } from './outline.tsx';
import { createScene, type Entity, type Scene, type SceneMemory, zoomStep } from './scene.ts';
import type { NetworkSettings } from './settings.ts';
import { networkTexts as uiText } from './texts.ts';

interface StageProps extends BuiltInVisualizationProps {
  network: NetworkData;
  shape: IndexedNetwork;
  settings: NetworkSettings;
  /** Returns the displayed name of a node. */
  nameOf: (number: number) => string;
}

/** Layout of each network when it was last drawn. */
const memories = new WeakMap<
  NetworkGraph,
  { readonly memory: SceneMemory; readonly force: string }
>();
const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/**
 * The drawn network with its tools, details of the selection, and an outline for screen readers.
 */
export function NetworkStage({
  network,
  shape,
  settings,
  nameOf,
  title,
  height,
  fill,
  onSelect,
  download,
}: StageProps) {
  const stage = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const scene = useRef<Scene>(null);
  const theme = useThemeChange(stage);
  const printing = usePrinting();
  const [ready, setReady] = useState(false);
  const [chosen, setChosen] = useState<Entity | null>(null);
  const [said, setSaid] = useState('');
  const hint = useId();
  const { graph } = network;
  const { timeout, charge, linkDistance } = settings;

  const choose = useEvent((entity: Entity | null): void => {
    if (entity === null && chosen === null) return;
    setChosen(entity);
    onSelect(
      entity === null
        ? null
        : {
            values: valuesOf(shape, entity),
            label:
              'node' in entity ? nameOf(entity.node) : (shape.edges[entity.edge]!.edge.label ?? ''),
          },
    );
  });
  useLayoutEffect(() => {
    const force = JSON.stringify([charge, linkDistance]);
    const known = memories.get(graph);
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const made = createScene(canvas.current!, {
      shape,
      force: { timeout, charge, linkDistance },
      still,
      memory: known && (known.force === force ? known.memory : { ...known.memory, rested: false }),
      onChoose: choose,
      onReady: () => setReady(true),
    });
    scene.current = made;
    if (known) setReady(true);
    return () => {
      scene.current = null;
      memories.set(graph, { memory: made.memory, force });
      made.end();
    };
  }, [graph, shape, timeout, charge, linkDistance, choose]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours a new scene or theme
  useLayoutEffect(() => {
    if (stage.current)
      scene.current?.setAppearance(networkColours(stage.current, graph.labels, printing), settings);
  }, [graph, shape, settings, theme, printing]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: these make a new scene
  useEffect(() => {
    scene.current?.choose(chosen);
  }, [chosen, graph, shape, timeout, charge, linkDistance]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a choice belongs to its shape
  useEffect(() => {
    setChosen(null);
  }, [shape]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const made = scene.current;
    if (
      !made ||
      event.target !== event.currentTarget ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    )
      return;
    const way = arrows[event.key];
    if (way || event.key === 'Home') {
      const at = made.walk(...(way ?? ([0, 0] as const)));
      if (at >= 0) setSaid(sentence(shape, at, nameOf));
    } else if ((event.key === 'Enter' || event.key === ' ') && made.focused >= 0)
      choose({ node: made.focused });
    else if (event.key === 'Escape' && chosen) choose(null);
    else if (event.key === '+' || event.key === '=') made.zoomBy(zoomStep);
    else if (event.key === '-' || event.key === '\u2212') made.zoomBy(1 / zoomStep);
    else if (event.key === '0') made.fit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const save = async (): Promise<void> => {
    const blob = await scene.current?.picture();
    if (blob)
      download({
        name: exportFileName(title, undefined, 'png'),
        type: 'image/png',
        data: new Uint8Array(await blob.arrayBuffer()),
      });
  };
  const summary = networkSummary(network);
  return (
    <>
      <div className="network-frame" style={fill ? undefined : { height }}>
        <div
          ref={stage}
          className="network-stage"
          tabIndex={0}
          role="application"
          aria-roledescription={uiText.role}
          aria-label={uiText.label(title, summary)}
          aria-describedby={hint}
          onKeyDown={onKeyDown}
          onFocus={() => scene.current?.mark(stage.current!.matches(':focus-visible'))}
          onBlur={() => scene.current?.mark(false)}
        >
          <canvas ref={canvas} />
        </div>
        {!ready && (
          <p className="network-wait" role="status">
            {uiText.layingOut}
          </p>
        )}
        <div className="network-tools">
          <Button
            size="sm"
            icon={ZoomIn}
            label={uiText.zoomIn}
            onClick={() => scene.current?.zoomBy(zoomStep)}
          />
          <Button
            size="sm"
            icon={ZoomOut}
            label={uiText.zoomOut}
            onClick={() => scene.current?.zoomBy(1 / zoomStep)}
          />
          <Button
            size="sm"
            icon={Maximize}
            label={uiText.fit}
            onClick={() => scene.current?.fit()}
          />
          <Button size="sm" icon={ImageDown} label={uiText.picture} onClick={() => void save()} />
        </div>
        <p className="visually-hidden" role="status">
          {said}
        </p>
      </div>
      <p id={hint} className="network-hint">
        <span className="fine">{uiText.hint}</span>
        <span className="coarse">{uiText.hintTouch}</span>
      </p>
      <NetworkOutline shape={shape} nameOf={nameOf} />
      <div role="status">
        {chosen && (
          <NetworkDetails
            shape={shape}
            labels={graph.labels}
            entity={chosen}
            onClose={() => choose(null)}
          />
        )}
      </div>
    </>
  );
}

function sentence(shape: IndexedNetwork, at: number, nameOf: (number: number) => string): string {
  const count = shape.neighbours[at]!.length;
  const { label } = shape.nodes[at]!;
  return uiText.at(
    nameOf(at),
    label === nameOf(at) ? '' : (label ?? ''),
    uiText.neighbours(formatInteger(count), count === 1),
  );
}

/** Returns the data of a node or edge as shown in the table. */
function valuesOf(shape: IndexedNetwork, entity: Entity): Record<string, Cell | null> {
  const { id, label, data } =
    'node' in entity ? shape.nodes[entity.node]! : shape.edges[entity.edge]!.edge;
  const cells = Object.entries(data).map(
    ([name, value]) =>
      [
        name,
        value === null || value === undefined
          ? null
          : typeof value === 'number'
            ? value
            : dataText(value),
      ] as const,
  );
  return {
    ...Object.fromEntries(cells),
    ...(id !== undefined && { id }),
    ...(label !== undefined && { label }),
  };
}
