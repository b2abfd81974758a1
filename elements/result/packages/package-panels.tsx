/**
 * Settings panels of package views: columns for named properties, a pivot, or charts with axes and
 * parameters.
 */

import { cleanPivot, type TableColumn } from '@tiding/client/model';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/fields/labelled.tsx';
import { Segments } from '../../ui/segments.tsx';
import type { PackageJson, PackageSettings } from '../package-page/protocol.ts';
import { resultText } from '../texts.ts';
import type { StoredColumn } from '../view-settings.ts';
import { PivotFields } from '../visualizations/fields/pivot-fields.tsx';
import {
  axisColumns,
  columnsOf,
  currentChart,
  parameterOf,
  settingsObject,
  withAxis,
  withParameter,
} from './package-config.ts';
import type { ChartSpec, PackagePanelSpec, ParameterSpec } from './package-messages.ts';
import { PackageWells } from './package-wells.tsx';

const uiText = resultText.packages;

interface PanelProps {
  panel: PackagePanelSpec;
  columns: readonly TableColumn[];
  config: PackageSettings;
  onConfig: (config: PackageSettings) => void;
}

const asJson = (column: StoredColumn): PackageJson => ({
  name: column.name,
  index: column.index,
  aggr: column.aggr ?? 'sum',
});

/** Renders the panel a package requests; nothing if it has none or draws its own. */
export function PackagePanel({ panel, columns, config, onConfig }: PanelProps) {
  if (panel.kind === 'columns') {
    const places = panel.props.map(({ name, tooltip }) => ({
      name,
      hint: tooltip,
      single: true,
      aggregated: false,
      most: 1,
      columns: columnsOf(config[name]),
    }));
    return (
      <PackageWells
        columns={columns}
        places={places}
        onColumns={(name, [column]) =>
          onConfig({ ...config, [name]: column ? asJson(column) : null })
        }
      />
    );
  }
  if (panel.kind === 'pivot') {
    const common = settingsObject(config['common']);
    const { keys, groups, values } = settingsObject(common['pivot']);
    const given = (part: unknown): StoredColumn[] | undefined =>
      Array.isArray(part) ? columnsOf(part) : undefined;
    const pivot = cleanPivot(
      { keys: given(keys), groups: given(groups), values: given(values) },
      columns,
    );
    return (
      <PivotFields
        columns={columns}
        pivot={pivot}
        onPivot={(next) =>
          onConfig({
            ...config,
            common: {
              ...common,
              pivot: {
                keys: next.keys.map(asJson),
                groups: next.groups.map(asJson),
                values: next.values.map(asJson),
              },
            },
          })
        }
      />
    );
  }
  return panel.kind === 'advanced' ? (
    <Advanced
      charts={panel.charts}
      columns={columns}
      config={
        Array.isArray(config['chart']) || !config['chart']
          ? { ...panel.config, common: config['common'] ?? {} }
          : config
      }
      onConfig={onConfig}
    />
  ) : null;
}

interface AdvancedProps extends Omit<PanelProps, 'panel'> {
  charts: readonly ChartSpec[];
}

/** Chart selector with the axes and parameters of the selected chart. */
function Advanced({ charts, columns, config, onConfig }: AdvancedProps) {
  const chart = currentChart(charts, config);
  if (!chart) return null;
  const panels = settingsObject(config['panel']);
  const open = {
    columns: panels['columnPanelOpened'] !== false,
    parameters: panels['parameterPanelOpened'] === true,
  };
  const toggle = (which: 'columnPanelOpened' | 'parameterPanelOpened', now: boolean) =>
    onConfig({
      ...config,
      panel: {
        columnPanelOpened: open.columns,
        parameterPanelOpened: open.parameters,
        [which]: !now,
      },
    });
  const choose = (name: string): void =>
    onConfig({
      ...config,
      chart: {
        ...settingsObject(config['chart']),
        current: name,
        available: charts.map((each) => each.name),
      },
      chartChanged: true,
      parameterChanged: false,
    });
  const places = chart.axes.map(({ name, description, dimension, axisType, maxAxisCount }) => ({
    name,
    hint: description,
    single: dimension === 'single',
    aggregated: axisType === 'aggregator',
    most: dimension === 'single' ? 1 : maxAxisCount,
    columns: axisColumns(config, chart.name, name),
  }));
  const setAxis = (name: string, next: readonly StoredColumn[]): void => {
    const axis = chart.axes.find((each) => each.name === name);
    onConfig(
      withAxis(
        config,
        chart.name,
        name,
        axis?.dimension === 'single' ? (next[0] ? asJson(next[0]) : null) : next.map(asJson),
      ),
    );
  };
  const cleared = (): PackageSettings =>
    chart.axes.reduce(
      (now, { name, dimension }) =>
        withAxis(now, chart.name, name, dimension === 'single' ? null : []),
      config,
    );
  const reset = (): PackageSettings =>
    chart.parameters.reduce(
      (now, { name, defaultValue }) => withParameter(now, chart.name, name, defaultValue),
      config,
    );
  return (
    <div className="package-panels">
      {charts.length > 1 && (
        <Segments
          className="segments package-charts"
          label={uiText.charts}
          value={chart.name}
          options={charts.map(({ name }) => [name, name])}
          onValue={choose}
        />
      )}
      <Fold
        label={uiText.axes}
        open={open.columns}
        onToggle={() => toggle('columnPanelOpened', open.columns)}
        action={uiText.clear}
        onAction={() => onConfig(cleared())}
      >
        <PackageWells columns={columns} places={places} onColumns={setAxis} />
      </Fold>
      {chart.parameters.length > 0 && (
        <Fold
          label={uiText.parameters}
          open={open.parameters}
          onToggle={() => toggle('parameterPanelOpened', open.parameters)}
          action={uiText.reset}
          onAction={() => onConfig(reset())}
        >
          <div className="package-parameters">
            {chart.parameters.map((spec) => (
              <Parameter
                key={`${chart.name} ${spec.name}`}
                spec={spec}
                value={parameterOf(config, chart.name, spec.name) ?? spec.defaultValue}
                onValue={(value) => onConfig(withParameter(config, chart.name, spec.name, value))}
              />
            ))}
          </div>
        </Fold>
      )}
    </div>
  );
}

interface FoldProps {
  label: string;
  open: boolean;
  onToggle: () => void;
  action: string;
  onAction: () => void;
  children: ReactNode;
}

function Fold({ label, open, onToggle, action, onAction, children }: FoldProps) {
  const id = useId();
  return (
    <section className="package-fold" aria-label={label}>
      <div className="package-fold-head">
        <Button
          size="sm"
          icon={open ? ChevronDown : ChevronRight}
          aria-expanded={open}
          aria-controls={id}
          onClick={onToggle}
        >
          {label}
        </Button>
        {open && (
          <Button size="sm" onClick={onAction}>
            {action}
          </Button>
        )}
      </div>
      <div id={id}>{open && children}</div>
    </section>
  );
}

const shownOf = (value: PackageJson): string =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);

/**
 * Field for a parameter. The value is stored as text and interpreted when the chart is drawn, as in
 * Zeppelin. Enter and blur save it.
 */
function Parameter({
  spec: { name, description, widget, optionValues },
  value,
  onValue,
}: {
  spec: ParameterSpec;
  value: PackageJson;
  onValue: (value: PackageJson) => void;
}) {
  const id = useId();
  const [text, setText] = useState(shownOf(value));
  useEffect(() => {
    setText(shownOf(value));
  }, [value]);
  const save = (): void => {
    if (text !== shownOf(value)) onValue(text);
  };
  const label = (
    <label className="label" htmlFor={id} title={description || undefined}>
      {name}
    </label>
  );
  if (widget === 'checkbox') {
    return (
      <div className="field package-check">
        <input
          id={id}
          type="checkbox"
          checked={value === true || value === 'true'}
          onChange={(event) => onValue(event.target.checked)}
        />
        {label}
      </div>
    );
  }
  const typed = { id, value: text, onBlur: save };
  return (
    <div className="field">
      {label}
      {widget === 'option' ? (
        <Choice
          id={id}
          value={shownOf(value)}
          options={optionValues.map(shownOf)}
          onValue={(text) =>
            onValue(optionValues.find((option) => shownOf(option) === text) ?? text)
          }
        />
      ) : widget === 'textarea' ? (
        <textarea
          {...typed}
          className="input"
          rows={3}
          onChange={(event) => setText(event.target.value)}
        />
      ) : (
        <span className="input">
          <input
            {...typed}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => event.key === 'Enter' && save()}
          />
        </span>
      )}
    </div>
  );
}
