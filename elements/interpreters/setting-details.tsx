import type { InterpreterSetting } from '@tiding/client/protocol';
import { fill } from '../text/fill.ts';
import { dependenciesOf, type Option, propertiesOf } from './draft.ts';
import { ShownValue } from './property-table.tsx';
import { runSentence } from './setting-text.ts';
import { interpreterTexts } from './texts.ts';

const t = interpreterTexts;

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
        <section className="form-part">
          <h3>{t.properties}</h3>
          <table className="props shown" aria-label={t.properties}>
            <thead>
              <tr>
                <th scope="col">{t.name}</th>
                <th scope="col">{t.value}</th>
              </tr>
            </thead>
            <tbody>
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
            </tbody>
          </table>
        </section>
      ) : null}
      {dependencies.length > 0 ? (
        <section className="form-part">
          <h3>{t.dependencies}</h3>
          <table className="props shown" aria-label={t.dependencies}>
            <thead>
              <tr>
                <th scope="col">{t.artifact}</th>
                <th scope="col">{t.exclude}</th>
              </tr>
            </thead>
            <tbody>
              {dependencies.map(({ key, artifact, exclude }) => (
                <tr key={key}>
                  <td className="mono">{artifact}</td>
                  <td className="mono">{exclude || <span className="dim">{t.nothing}</span>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : null}
    </>
  );
}
