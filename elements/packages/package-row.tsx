import type { Client } from '@tiding/client';
import type { HeliumEntry } from '@tiding/client/protocol';
import {
  AppWindow,
  ChartColumn,
  ChevronDown,
  type LucideIcon,
  Plug,
  Settings2,
  WandSparkles,
} from 'lucide-react';
import { memo, useId, useState } from 'react';
import { fill } from '../text/fill.ts';
import { Button, Icon } from '../ui/button.tsx';
import { NewTabLink } from '../ui/new-tab.tsx';
import { isLocal, type PackageRow, registryPage } from './catalogue.ts';
import { ConfigTable } from './config-table.tsx';
import { Markup } from './markup.tsx';
import { packageTexts as t } from './texts.ts';

const icons: Readonly<Record<string, LucideIcon>> = {
  VISUALIZATION: ChartColumn,
  SPELL: WandSparkles,
  INTERPRETER: Plug,
  APPLICATION: AppWindow,
};

interface Props {
  client: Client;
  host: HTMLElement;
  row: PackageRow;
  onEnable: (entry: HeliumEntry) => void;
  onDisable: (entry: HeliumEntry) => void;
  onSaved: (name: string) => void;
}

/** A package: description, enabled state, settings and other versions. */
export const PackageTableRow = memo(function Row({
  client,
  host,
  row,
  onEnable,
  onDisable,
  onSaved,
}: Props) {
  const { shown, others, name } = row;
  const { pkg, enabled } = shown;
  const [open, setOpen] = useState<'versions' | 'config'>();
  const id = useId();
  const toggle = (part: 'versions' | 'config') => setOpen(open === part ? undefined : part);
  const artifact = pkg.artifact ?? '';
  const local = isLocal(shown);
  const page = registryPage(shown);
  // Interpreters are never disabled here.
  const isOn = enabled === true && pkg.type !== 'INTERPRETER';
  const canSet =
    artifact !== '' &&
    pkg.config !== undefined &&
    pkg.config !== null &&
    Object.keys(pkg.config).length > 0;
  const spell = pkg.spell as { magic?: unknown; usage?: unknown } | null | undefined;
  return (
    <li className="package">
      <span className="package-icon" aria-hidden="true">
        <Markup
          html={pkg.icon}
          className="package-mark"
          fallback={<Icon of={icons[pkg.type] ?? ChartColumn} />}
        />
      </span>
      <div className="package-head">
        <h2 className={local ? 'package-name local' : 'package-name'}>
          {page === undefined ? (
            name
          ) : (
            <NewTabLink href={page} title={fill(t.openRegistry, { name })}>
              {name}
            </NewTabLink>
          )}
        </h2>
        <span className="package-artifact mono">{artifact}</span>
        {enabled === true ? <span className="badge success">{t.enabled}</span> : null}
      </div>
      <div className="package-text">
        <Markup html={pkg.description} className="package-words" />{' '}
        <span className="dim">
          <span className="package-type">{t.types[pkg.type] ?? pkg.type}</span> ·{' '}
          {pkg.license?.trim() ? pkg.license : t.unknown}
          {local ? ` · ${t.local}` : ''}
        </span>
        {spell ? (
          <dl className="package-spell">
            <dt>{t.magic}</dt>
            <dd className="mono">{String(spell.magic ?? '')}</dd>
            <dt>{t.usage}</dt>
            <dd className="mono">{String(spell.usage ?? '')}</dd>
          </dl>
        ) : null}
      </div>
      <div className="package-actions">
        {canSet ? (
          <Button
            icon={Settings2}
            label={fill(t.configNamed, { name })}
            title={t.config}
            aria-expanded={open === 'config'}
            aria-controls={`${id}-config`}
            onClick={() => toggle('config')}
          />
        ) : null}
        {others.length > 0 ? (
          <Button
            size="sm"
            label={fill(t.versionsNamed, { name })}
            aria-expanded={open === 'versions'}
            aria-controls={`${id}-versions`}
            onClick={() => toggle('versions')}
          >
            {t.versions}
            <Icon of={ChevronDown} size="sm" />
          </Button>
        ) : null}
        {isOn ? (
          <Button
            label={fill(t.disableNamed, { artifact: artifact || name })}
            onClick={() => onDisable(shown)}
          >
            {t.disable}
          </Button>
        ) : (
          <Button
            kind="secondary"
            label={fill(t.enableNamed, { artifact: artifact || name })}
            onClick={() => onEnable(shown)}
          >
            {t.enable}
          </Button>
        )}
      </div>
      {open === 'versions' ? (
        <ul
          id={`${id}-versions`}
          className="package-more package-versions"
          aria-label={fill(t.versionsNamed, { name })}
        >
          {others.map((version) => {
            const other = version.pkg.artifact ?? '';
            return (
              <li key={`${version.registry ?? ''} ${other}`}>
                <span className="mono">{other}</span>
                <Button
                  size="sm"
                  label={fill(t.enableNamed, { artifact: other })}
                  onClick={() => onEnable(version)}
                >
                  {t.enableOne}
                </Button>
              </li>
            );
          })}
        </ul>
      ) : null}
      {open === 'config' ? (
        <div id={`${id}-config`} className="package-more">
          <ConfigTable
            key={artifact}
            client={client}
            host={host}
            entry={shown}
            onClose={() => setOpen(undefined)}
            onSaved={() => {
              setOpen(undefined);
              onSaved(name);
            }}
          />
        </div>
      ) : null}
    </li>
  );
});
