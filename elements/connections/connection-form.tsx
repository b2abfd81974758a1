import type { Client } from '@tiding/client';
import type { ConnectionTest } from '@tiding/client/protocol';
import { PlugZap } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { commonTexts } from '../text/common.ts';
import { fill } from '../text/fill.ts';
import { Alert, Success } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { onSubmit } from '../ui/fields/form-events.ts';
import {
  LabelledCheckbox,
  LabelledChoice,
  LabelledLines,
  textFields,
} from '../ui/fields/labelled.tsx';
import { PrincipalField } from '../ui/fields/principal-field.tsx';
import { StatusHint } from '../ui/hints.tsx';
import { serverMessageOf } from '../ui/page.tsx';
import {
  type ConnectionDraft,
  draftProblem,
  hasPlace,
  isFileKind,
  isUrlKind,
  kindsOf,
  mayWrite,
  newConnectionDraft,
  propertiesOf,
  settingOf,
  type Templates,
  withKind,
  withUrl,
} from './connection-draft.ts';
import { testConnection } from './test-connection.ts';
import { connectionTexts as t } from './texts.ts';

/** Name of a test before a name is typed. */
const UNNAMED = 'new';

interface ConnectionFormProps {
  client: Client;
  templates: Templates;
  onCreated: (name: string) => Promise<void>;
  onClose: () => void;
}

/** Form that creates a connection. What is typed stays until it was created. */
export function ConnectionForm({ client, templates, onCreated, onClose }: ConnectionFormProps) {
  const kinds = kindsOf(templates);
  const [draft, setDraft] = useState(() => newConnectionDraft(kinds[0] ?? '', templates));
  const [busy, setBusy] = useState<'test' | 'create'>();
  const [problem, setProblem] = useState<string>();
  const [tested, setTested] = useState<ConnectionTest>();
  const testing = useRef<AbortController>(undefined);
  useEffect(() => () => testing.current?.abort(), []);
  const change = (changed: ConnectionDraft): void => {
    testing.current?.abort();
    setBusy((now) => (now === 'test' ? undefined : now));
    setDraft(changed);
    setTested(undefined);
    setProblem(undefined);
  };
  const set = (part: Partial<ConnectionDraft>): void => change({ ...draft, ...part });
  const test = async (): Promise<void> => {
    setBusy('test');
    setTested(undefined);
    setProblem(undefined);
    testing.current?.abort();
    const { signal } = (testing.current = new AbortController());
    try {
      const name = draft.name.trim() || UNNAMED;
      const { kind } = draft;
      const unsaved = { kind, properties: propertiesOf(draft, templates) };
      setTested(await testConnection(client, name, { unsaved, signal, onPending: setTested }));
    } catch (error) {
      if (signal.aborted) return;
      setProblem(serverMessageOf(error, t.testFailed));
    }
    setBusy(undefined);
  };
  const create = async (): Promise<void> => {
    const missing = draftProblem(draft, templates);
    setProblem(missing);
    if (missing !== undefined) return;
    setBusy('create');
    try {
      const { name } = await client.interpreters.create(settingOf(draft, templates));
      await onCreated(name);
    } catch (error) {
      setProblem(serverMessageOf(error, t.createFailed));
      setBusy(undefined);
    }
  };
  const field = textFields<TextName>(draft, set);
  const login = (
    <>
      {field('user', t.user)}
      {field('password', t.password, { type: 'password', hint: t.passwordHint })}
    </>
  );
  return (
    <form
      className="card connection-form"
      aria-label={t.formTitle}
      noValidate
      onSubmit={onSubmit(() => busy || create())}
    >
      <h2>{t.formTitle}</h2>
      <div className="connection-fields">
        <LabelledChoice
          label={t.kind}
          value={draft.kind}
          options={kinds.map((kind) => [kind, t.kinds[kind] ?? kind])}
          onValue={(kind) => change(withKind(draft, kind, templates))}
        />
        {field('name', t.name, {
          autoFocus: true,
          hint: fill(t.nameHint, { magic: `%${draft.name.trim() || 'sales'}` }),
        })}
        {isFileKind(draft.kind, templates) ? (
          field('path', t.path, { ltr: true })
        ) : isUrlKind(draft.kind, templates) ? (
          <>
            {field('url', t.url, {
              ltr: true,
              placeholder: t.urlExample,
              hint: t.urlHint,
              onValue: (url) => change(withUrl(draft, url)),
            })}
            <LabelledLines
              label={t.packages}
              value={draft.packages}
              rows={2}
              placeholder={t.packagesExample}
              hint={t.packagesHint}
              onValue={(packages) => set({ packages })}
            />
            {login}
          </>
        ) : (
          <>
            {field('host', t.host, { ltr: true })}
            {field('port', t.port, { digits: true })}
            {field('database', t.database)}
            <LabelledChoice
              label={t.ssl}
              value={draft.ssl}
              options={Object.entries(t.sslModes)}
              onValue={(ssl) => set({ ssl })}
            />
            {login}
          </>
        )}
        {field('maxRows', t.maxRows, { digits: true })}
        {field('timeoutSeconds', t.timeout, { digits: true, hint: t.timeoutHint })}
      </div>
      <div className="connection-checks">
        {mayWrite(draft.kind, templates) ? (
          <LabelledCheckbox
            label={isUrlKind(draft.kind, templates) ? t.onlyReadUrl : t.onlyRead}
            checked={draft.readOnly}
            onChange={(readOnly) => set({ readOnly })}
          />
        ) : null}
        <LabelledCheckbox
          label={t.restrict}
          checked={draft.isRestricted}
          onChange={(isRestricted) => set({ isRestricted })}
        />
      </div>
      {draft.isRestricted ? (
        <PrincipalField
          label={t.owners}
          placeholder={t.ownersHint}
          value={draft.owners}
          suggest={(term) => client.people.find(term)}
          onChange={(owners) => set({ owners })}
        />
      ) : null}
      <Outcome problem={problem} tested={tested} />
      <div className="dialog-actions">
        <Button
          icon={PlugZap}
          busy={busy === 'test'}
          disabled={busy === 'create' || !hasPlace(draft, templates)}
          onClick={() => void test()}
        >
          {t.test}
        </Button>
        <span className="grow" />
        <Button kind="secondary" disabled={busy === 'create'} onClick={onClose}>
          {commonTexts.cancel}
        </Button>
        <Button kind="primary" type="submit" busy={busy === 'create'} disabled={busy === 'test'}>
          {t.create}
        </Button>
      </div>
    </form>
  );
}

type TextName = {
  [Name in keyof ConnectionDraft]: ConnectionDraft[Name] extends string ? Name : never;
}[keyof ConnectionDraft];

function Outcome({
  problem,
  tested,
}: {
  problem: string | undefined;
  tested: ConnectionTest | undefined;
}) {
  if (problem !== undefined) return <Alert>{problem}</Alert>;
  if (!tested) return null;
  if (tested.pending)
    return <StatusHint className="hint connection-installing">{tested.message}</StatusHint>;
  if (!tested.ok)
    return <Alert>{[tested.message, tested.advice].filter(Boolean).join('\n')}</Alert>;
  const { latencyMs = 0, version = '' } = tested;
  return (
    <>
      <Success>{fill(t.works, { version, ms: latencyMs })}</Success>
      {tested.advice === undefined ? null : <Alert>{tested.advice}</Alert>}
    </>
  );
}
