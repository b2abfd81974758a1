import type { Client } from '@tiding/client';
import type { NewRepository, Repository } from '@tiding/client/protocol';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { commonTexts } from '../text/common.ts';
import { fill } from '../text/fill.ts';
import { interpreterTexts } from '../text/pages/interpreters.ts';
import { Button } from '../ui/button.tsx';
import { ContentDialog, FormDialog } from '../ui/dialogs.tsx';
import { LabelledChoice, LabelledField } from '../ui/fields/labelled.tsx';
import { LoadProblem, useLoaded } from '../ui/page.tsx';
import { FormProblem } from './setting-form.tsx';
import { failureOf } from './settings-page.ts';
import { useQuestion } from './use-question.tsx';

const t = interpreterTexts.repository;
/** Built-in repositories, which can't be removed (specification). */
const fixed: ReadonlySet<string> = new Set(['central', 'local']);

/** Dialog that lists, adds and removes dependency repositories. */
export function RepositoriesDialog({
  client,
  host,
  onClose,
}: {
  client: Client;
  host: HTMLElement;
  onClose: () => void;
}) {
  // Rendered inside this dialog: a confirmation beside it would count as a click outside.
  const [confirm, question] = useQuestion();
  const loaded = useLoaded(client, (from) => from.interpreters.repositories());
  const [adding, setAdding] = useState(false);
  const [problem, setProblem] = useState<string>();
  const remove = async ({ id }: Repository) => {
    if (
      !(await confirm({
        title: t.removeQuestion,
        text: id,
        action: interpreterTexts.removeAction,
        danger: true,
      }))
    )
      return;
    try {
      await client.interpreters.removeRepository(id);
      setProblem(undefined);
      await loaded.reload();
    } catch (error) {
      setProblem(failureOf(error));
    }
  };
  return (
    <ContentDialog title={interpreterTexts.repositories} onClose={onClose}>
      <LoadProblem host={host} loaded={loaded} fallback={t.failed} />
      {loaded.value ? (
        <>
          <p className="secondary-text">{loaded.value.length === 0 ? t.none : t.lead}</p>
          <ul className="repositories">
            {loaded.value.map((repository) => (
              <li key={repository.id} title={repository.url}>
                <span className="repository-name">{repository.id}</span>
                <span className="mono repository-url">{repository.url}</span>
                {isSnapshot(repository) ? <span className="badge">{t.snapshots}</span> : null}
                {fixed.has(repository.id) ? null : (
                  <Button
                    size="sm"
                    icon={X}
                    label={fill(t.remove, { name: repository.id })}
                    onClick={() => void remove(repository)}
                  />
                )}
              </li>
            ))}
          </ul>
        </>
      ) : null}
      <FormProblem>{problem}</FormProblem>
      <div className="dialog-actions">
        <Button kind="secondary" onClick={onClose}>
          {commonTexts.close}
        </Button>
        <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
          {t.add}
        </Button>
      </div>
      {adding ? (
        <AddRepository
          client={client}
          onClose={(added) => (setAdding(false), added && void loaded.reload())}
        />
      ) : null}
      {question}
    </ContentDialog>
  );
}

const isSnapshot = ({ snapshotPolicy, releasePolicy }: Repository): boolean =>
  snapshotPolicy?.['enabled'] === true && releasePolicy?.['enabled'] !== true;

const empty = {
  id: '',
  url: '',
  snapshot: 'false',
  username: '',
  password: '',
  proxyProtocol: 'HTTP',
  proxyHost: '',
  proxyPort: '',
  proxyLogin: '',
  proxyPassword: '',
};

function problemOf({ id, url, proxyPort }: typeof empty): string | undefined {
  if (id.trim() === '' || url.trim() === '') return t.incomplete;
  if (!/^(https?|file):\/\//i.test(url.trim())) return t.badUrl;
  return proxyPort !== '' && !(Number(proxyPort) > 0 && Number(proxyPort) < 65_536)
    ? t.badPort
    : undefined;
}

/** The request body: without empty fields, and without a proxy protocol if there is no proxy. */
function repositoryOf({
  id,
  url,
  snapshot,
  username,
  password,
  proxyProtocol,
  proxyHost,
  proxyPort,
  proxyLogin,
  proxyPassword,
}: typeof empty): NewRepository {
  const filled = Object.fromEntries(
    Object.entries({ username, password, proxyLogin, proxyPassword }).filter(
      ([, value]) => value !== '',
    ),
  );
  const proxy =
    proxyHost.trim() === ''
      ? {}
      : {
          proxyProtocol,
          proxyHost: proxyHost.trim(),
          ...(proxyPort === '' ? {} : { proxyPort: Number(proxyPort) }),
        };
  return { id: id.trim(), url: url.trim(), snapshot: snapshot === 'true', ...filled, ...proxy };
}

function AddRepository({ client, onClose }: { client: Client; onClose: (added: boolean) => void }) {
  const [given, setGiven] = useState(empty);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const change = (part: Partial<typeof empty>) => setGiven({ ...given, ...part });
  const add = async () => {
    const wrong = problemOf(given);
    setProblem(wrong);
    if (wrong !== undefined) return;
    setBusy(true);
    try {
      await client.interpreters.addRepository(repositoryOf(given));
      onClose(true);
    } catch (error) {
      setProblem(failureOf(error));
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title={t.title}
      action={t.action}
      busy={busy}
      onSubmit={() => void add()}
      onClose={() => onClose(false)}
    >
      <LabelledField label={t.id} value={given.id} autoFocus onValue={(id) => change({ id })} />
      <LabelledField
        label={t.url}
        ltr
        value={given.url}
        placeholder={t.urlHint}
        onValue={(url) => change({ url })}
      />
      <LabelledChoice
        label={t.snapshot}
        value={given.snapshot}
        options={['false', 'true']}
        onValue={(snapshot) => change({ snapshot })}
      />
      <div className="pair">
        <LabelledField
          label={t.username}
          value={given.username}
          onValue={(username) => change({ username })}
        />
        <LabelledField
          label={t.password}
          type="password"
          value={given.password}
          onValue={(password) => change({ password })}
        />
      </div>
      <fieldset className="plain proxy">
        <legend className="label">{t.proxy}</legend>
        <LabelledChoice
          label={t.protocol}
          value={given.proxyProtocol}
          options={['HTTP', 'HTTPS']}
          onValue={(proxyProtocol) => change({ proxyProtocol })}
        />
        <div className="pair">
          <LabelledField
            label={t.host}
            ltr
            value={given.proxyHost}
            onValue={(proxyHost) => change({ proxyHost })}
          />
          <LabelledField
            label={t.port}
            value={given.proxyPort}
            digits
            onValue={(proxyPort) => change({ proxyPort })}
          />
        </div>
        <div className="pair">
          <LabelledField
            label={t.login}
            value={given.proxyLogin}
            onValue={(proxyLogin) => change({ proxyLogin })}
          />
          <LabelledField
            label={t.proxyPassword}
            type="password"
            value={given.proxyPassword}
            onValue={(proxyPassword) => change({ proxyPassword })}
          />
        </div>
      </fieldset>
      <FormProblem>{problem}</FormProblem>
    </FormDialog>
  );
}
