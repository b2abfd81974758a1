import { useCallback, useMemo } from 'react';
import { networkText as words } from '../../../text/network.ts';
import type { OwnVisualizationProps } from '../contract.ts';
import { isNetwork } from './data.ts';
import { textOf } from './draw.ts';
import { NetworkHead } from './head.tsx';
import { keysByLabel, networkId, settingsOf, storedSettings } from './settings.ts';
import { SettingsPanel } from './settings-panel.tsx';
import { shapeOf } from './shape.ts';
import { Stage } from './stage.tsx';

/** Nodes and edges of a network, drawn. */
export default function NetworkView(props: OwnVisualizationProps) {
  const { table, optionOpen, graph, onGraph } = props;
  const network = isNetwork(table) ? table : undefined;
  const shape = useMemo(
    () =>
      shapeOf(
        network?.graph ?? {
          nodes: [],
          edges: [],
          directed: false,
          labels: undefined,
          types: undefined,
        },
      ),
    [network],
  );
  const keys = useMemo(
    () => (network ? keysByLabel(network.graph) : new Map<string, string[]>()),
    [network],
  );
  const stored = graph.setting[networkId];
  const settings = useMemo(() => settingsOf(stored), [stored]);
  const nameOf = useCallback(
    (number: number) =>
      textOf({ shape, fields: settings.fields }, number) || shape.nodes[number]!.id,
    [shape, settings],
  );
  return (
    <div className="chart-outer network-outer">
      {optionOpen && network && (
        <SettingsPanel
          key={JSON.stringify(settings)}
          settings={settings}
          keys={keys}
          onSave={(next) =>
            onGraph({
              setting: { ...graph.setting, [networkId]: storedSettings(stored, next, keys) },
            })
          }
        />
      )}
      {!network || shape.nodes.length === 0 ? (
        <div className="chart-empty">
          <p>{words.empty}</p>
          <p className="secondary-text">{words.emptyHint}</p>
        </div>
      ) : (
        <>
          <NetworkHead network={network} />
          <Stage {...props} network={network} shape={shape} settings={settings} nameOf={nameOf} />
        </>
      )}
    </div>
  );
}
