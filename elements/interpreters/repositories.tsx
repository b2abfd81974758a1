import type { Client } from '@tiding/client';
import type { NewRepository, Repository } from '@tiding/client/protocol';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { fill } from '../text/fill.ts';
import { Button } from '../ui/button.tsx';
import { CloseAction, ContentDialog, FormDialog, useQuestion } from '../ui/dialogs.tsx';
import { LabelledChoice, textFields } from '../ui/fields/labelled.tsx';
import { useAction } from '../ui/fields/use-action.ts';
import { LoadProblem, useLoaded } from '../ui/page.tsx';
import { FormProblem } from './setting-form.tsx';
import { failureOf } from './settings-page.ts';
import { interpreterTexts } from './texts.ts';

const t = interpreterTexts.repository;
/** Built-in repositories, which can't be removed (specification). */
const fixed: ReadonlySet<string> = new Set(['central', 'local']);

interface RepositoriesDialogProps {
  client: Client;
  host: HTMLElement;
  onClose: () => void;
}

/** Dialog that lists, adds and removes dependency repositories. */
export function RepositoriesDialog({ client, host, onClose }: RepositoriesDialogProps) {
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
      <CloseAction onClose={onClose}>
        <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
          {t.add}
        </Button>
      </CloseAction>
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
function repositoryOf(given: typeof empty): NewRepository {
  const { id, url, snapshot, username, password } = given;
  const { proxyProtocol, proxyHost, proxyPort, proxyLogin, proxyPassword } = given;
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
  const { busy, problem, setProblem, run } = useAction();
  const change = (part: Partial<typeof empty>) => setGiven({ ...given, ...part });
  const field = textFields(given, change);
  const add = () => {
    const wrong = problemOf(given);
    if (wrong !== undefined) return setProblem(wrong);
    return run(async () => {
      await client.interpreters.addRepository(repositoryOf(given));
      onClose(true);
    }, failureOf);
  };
  return (
    <FormDialog
      title={t.title}
      action={t.action}
      busy={busy}
      onSubmit={() => void add()}
      onClose={() => onClose(false)}
    >
      {field('id', t.id, { autoFocus: true })}
      {field('url', t.url, { ltr: true, placeholder: t.urlHint })}
      <LabelledChoice
        label={t.snapshot}
        value={given.snapshot}
        options={['false', 'true']}
        onValue={(snapshot) => change({ snapshot })}
      />
      <div className="pair">
        {field('username', t.username)}
        {field('password', t.password, { type: 'password' })}
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
          {field('proxyHost', t.host, { ltr: true })}
          {field('proxyPort', t.port, { digits: true })}
        </div>
        <div className="pair">
          {field('proxyLogin', t.login)}
          {field('proxyPassword', t.proxyPassword, { type: 'password' })}
        </div>
      </fieldset>
      <FormProblem>{problem}</FormProblem>
    </FormDialog>
  );
}
