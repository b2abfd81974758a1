import type { Client } from '@tiding/client';
import type { HeliumEntry } from '@tiding/client/protocol';
import { useState } from 'react';
import { fill } from '../text/fill.ts';
import { Button } from '../ui/button.tsx';
import { CloseAction } from '../ui/dialogs.tsx';
import { onSubmit } from '../ui/fields/form-events.ts';
import { useAction } from '../ui/fields/use-action.ts';
import { ErrorHint } from '../ui/hints.tsx';
import { LoadProblem, useLoaded } from '../ui/page.tsx';
import { TableHead } from '../ui/table-head.tsx';
import { configFields, parseValue } from './catalogue.ts';
import { packageTexts as t } from './texts.ts';

interface Props {
  client: Client;
  host: HTMLElement;
  entry: HeliumEntry;
  onSaved: () => void;
  onClose: () => void;
}

/**
 * Settings of a package version. All values are saved together; the typed values stay if that
 * fails.
 */
export function ConfigTable({ client, host, entry, onSaved, onClose }: Props) {
  const { name, artifact = '' } = entry.pkg;
  const loaded = useLoaded(client, async (asked) =>
    configFields(await asked.packages.config(name, artifact ?? '')),
  );
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const { busy, problem, run } = useAction();
  const fields = loaded.value;
  const save = async (): Promise<void> => {
    const values = (fields ?? []).map((field) => [
      field.name,
      parseValue(field.type, typed[field.name] ?? field.value),
    ]);
    await client.packages.configure(name, artifact ?? '', Object.fromEntries(values));
    onSaved();
  };
  return (
    <form
      className="package-config"
      aria-label={fill(t.configNamed, { name })}
      onSubmit={onSubmit(() => run(save, t.configNotSaved))}
    >
      <LoadProblem host={host} loaded={loaded} fallback={t.configFailed} />
      {fields?.length === 0 ? <p className="hint">{t.noConfig}</p> : null}
      {fields && fields.length > 0 ? (
        <div className="table-card">
          <table>
            <TableHead names={[t.name, t.type, t.description, t.value]} />
            <tbody>
              {fields.map((field) => (
                <tr key={field.name}>
                  <td className="mono">{field.name}</td>
                  <td>{field.type}</td>
                  <td>{field.description}</td>
                  <td>
                    <span className="input">
                      <input
                        type="text"
                        aria-label={fill(t.valueNamed, { name: field.name })}
                        placeholder={field.defaultValue}
                        value={typed[field.name] ?? field.value}
                        autoComplete="off"
                        spellCheck={false}
                        onChange={({ target }) =>
                          setTyped((before) => ({ ...before, [field.name]: target.value }))
                        }
                      />
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {problem === undefined ? null : <ErrorHint>{problem}</ErrorHint>}
      <CloseAction onClose={onClose}>
        {fields && fields.length > 0 ? (
          <Button kind="primary" type="submit" busy={busy}>
            {t.save}
          </Button>
        ) : null}
      </CloseAction>
    </form>
  );
}
