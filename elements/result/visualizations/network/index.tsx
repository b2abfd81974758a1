import { useCallback, useMemo } from 'react';
import type { BuiltInVisualizationProps } from '../contract.ts';
import { nodeLabelText } from './draw-network.ts';
import { NetworkHead } from './head.tsx';
import { indexNetwork } from './indexed-network.ts';
import { isNetwork } from './network-table.ts';
import { keysByLabel, networkId, readNetworkSettings, storedSettings } from './settings.ts';
import { SettingsPanel } from './settings-panel.tsx';
import { NetworkStage } from './stage.tsx';
import { networkTexts as uiText } from './texts.ts';

const noGraph = { nodes: [], edges: [], directed: false, labels: undefined, types: undefined };

/** Network view: draws the nodes and edges of a network. */
export default function NetworkView(props: BuiltInVisualizationProps) {
  const { table, optionOpen, graph, onGraph } = props;
  const network = isNetwork(table) ? table : undefined;
  const shape = useMemo(() => indexNetwork(network?.graph ?? noGraph), [network]);
  const keys = useMemo(
    () => (network ? keysByLabel(network.graph) : new Map<string, string[]>()),
    [network],
  );
  const stored = graph.setting[networkId];
  const settings = useMemo(() => readNetworkSettings(stored), [stored]);
  const nameOf = useCallback(
    (number: number) =>
      nodeLabelText({ shape, fields: settings.fields }, number) || shape.nodes[number]!.id,
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
          <p>{uiText.empty}</p>
          <p className="secondary-text">{uiText.emptyHint}</p>
        </div>
      ) : (
        <>
          <NetworkHead network={network} />
          <NetworkStage
            {...props}
            network={network}
            shape={shape}
            settings={settings}
            nameOf={nameOf}
          />
        </>
      )}
    </div>
  );
}
