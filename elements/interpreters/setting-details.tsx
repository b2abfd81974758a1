import type { InterpreterSetting } from '@tiding/client/protocol';
import type { ReactNode } from 'react';
import { fill } from '../text/fill.ts';
import { TableHead } from '../ui/table-head.tsx';
import { dependenciesOf, type Option, propertiesOf } from './draft.ts';
import { ShownValue } from './property-table.tsx';
import { runSentence } from './setting-text.ts';
import { interpreterTexts as t } from './texts.ts';

export function SettingDetails({
  setting,
  signedIn,
}: {
  setting: InterpreterSetting;
  signedIn: boolean;
}) {
  const option = (setting.option ?? {}) as Option;
  const properties = propertiesOf(setting);
  const dependencies = dependenciesOf(setting);
  const owners = option.setPermission === true ? (option.owners ?? []) : [];
  const descriptions = (setting.interpreterGroup ?? []).flatMap(
    ({ description }) => description ?? [],
  );
  return (
    <>
      {descriptions.map((description) => (
        <p key={description} className="secondary-text">
          {description}
        </p>
      ))}
      <section className="form-part">
        <h3>{t.runMode}</h3>
        <p>{runSentence(option, signedIn)}</p>
        {option.isUserImpersonate === true ? <p className="secondary-text">{t.runsAs}</p> : null}
        {option.isExistingProcess === true ? (
          <p className="secondary-text">
            {fill(t.connects, { address: `${option.host ?? ''}:${option.port ?? ''}` })}
          </p>
        ) : null}
        {owners.length > 0 ? (
          <p className="secondary-text">{fill(t.allowed, { names: owners.join(', ') })}</p>
        ) : null}
      </section>
      {properties.length === 0 && dependencies.length === 0 ? (
        <p className="secondary-text">{t.empty}</p>
      ) : null}
      {properties.length > 0 ? (
        <ShownTable title={t.properties} names={[t.name, t.value]}>
          {properties.map((row) => (
            <tr key={row.name}>
              <td className="mono" title={row.description}>
                {row.name}
              </td>
              <td className="shown-value">
                <ShownValue row={row} />
              </td>
            </tr>
          ))}
        </ShownTable>
      ) : null}
      {dependencies.length > 0 ? (
        <ShownTable title={t.dependencies} names={[t.artifact, t.exclude]}>
          {dependencies.map(({ key, artifact, exclude }) => (
            <tr key={key}>
              <td className="mono">{artifact}</td>
              <td className="mono">{exclude || <span className="dim">{t.nothing}</span>}</td>
            </tr>
          ))}
        </ShownTable>
      ) : null}
    </>
  );
}

interface ShownTableProps {
  title: string;
  names: readonly string[];
  children: ReactNode;
}

/** A table that can't be edited, with a heading. */
function ShownTable({ title, names, children }: ShownTableProps) {
  return (
    <section className="form-part">
      <h3>{title}</h3>
      <table className="props shown" aria-label={title}>
        <TableHead names={names} />
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
