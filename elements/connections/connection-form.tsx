import type { Client } from '@tiding/client';
import type { ConnectionTest } from '@tiding/client/protocol';
import { PlugZap } from 'lucide-react';
import { useState } from 'react';
import { commonTexts } from '../text/common.ts';
import { fill } from '../text/fill.ts';
import { connectionTexts } from '../text/pages/connections.ts';
import { Alert, Success } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import {
  LabelledCheckbox,
  LabelledField,
  type LabelledFieldProps,
} from '../ui/fields/labelled.tsx';
import { PrincipalField } from '../ui/fields/principal-field.tsx';
import { serverMessageOf } from '../ui/page.tsx';
import {
  type ConnectionDraft,
  draftProblem,
  hasPlace,
  isFileKind,
  kindsOf,
  mayWrite,
  newConnectionDraft,
  propertiesOf,
  settingOf,
  type Templates,
  withKind,
} from './connection-draft.ts';

const t = connectionTexts;
/** Name of a test before a name is typed. */
const UNNAMED = 'new';
/** As on the page of interpreters. */
const OWNER_MIN_LENGTH = 3;
const OWNER_DELAY_MS = 250;

/** Form that creates a connection. What is typed stays until it was created. */
export function ConnectionForm({
  client,
  templates,
  onCreated,
  onClose,
}: {
  client: Client;
  templates: Templates;
  onCreated: (name: string) => Promise<void>;
  onClose: () => void;
}) {
  const kinds = kindsOf(templates);
  const [draft, setDraft] = useState(() => newConnectionDraft(kinds[0] ?? '', templates));
  const [busy, setBusy] = useState<'test' | 'create'>();
  const [problem, setProblem] = useState<string>();
  const [tested, setTested] = useState<ConnectionTest>();
  const set = (change: Partial<ConnectionDraft>): void => {
    setDraft({ ...draft, ...change });
    setTested(undefined);
    setProblem(undefined);
  };
  const test = async (): Promise<void> => {
    setBusy('test');
    setTested(undefined);
    setProblem(undefined);
    try {
      const name = draft.name.trim() || UNNAMED;
      const { kind } = draft;
      const properties = propertiesOf(draft, templates);
      setTested(await client.connections.test(name, { kind, properties }));
    } catch (error) {
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
  const field = (name: TextName, label: string, more: Partial<LabelledFieldProps> = {}) => (
    <LabelledField
      label={label}
      value={draft[name]}
      onValue={(value) => set({ [name]: value })}
      {...more}
    />
  );
  return (
    <form
      className="card connection-form"
      aria-label={t.formTitle}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void create();
      }}
    >
      <h2>{t.formTitle}</h2>
      <div className="connection-fields">
        <Select
          label={t.kind}
          value={draft.kind}
          options={kinds.map((kind) => [kind, t.kinds[kind] ?? kind])}
          onValue={(kind) => setDraft(withKind(draft, kind, templates))}
        />
        {field('name', t.name, {
          autoFocus: true,
          hint: fill(t.nameHint, { magic: `%${draft.name.trim() || 'sales'}` }),
        })}
        {isFileKind(draft.kind, templates) ? (
          field('path', t.path, { ltr: true })
        ) : (
          <>
            {field('host', t.host, { ltr: true })}
            {field('port', t.port, { digits: true })}
            {field('database', t.database)}
            <Select
              label={t.ssl}
              value={draft.ssl}
              options={Object.entries(t.sslModes)}
              onValue={(ssl) => set({ ssl })}
            />
            {field('user', t.user)}
            {field('password', t.password, { type: 'password', hint: t.passwordHint })}
          </>
        )}
        {field('maxRows', t.maxRows, { digits: true })}
        {field('timeoutSeconds', t.timeout, { digits: true, hint: t.timeoutHint })}
      </div>
      <div className="connection-checks">
        {mayWrite(draft.kind, templates) ? (
          <LabelledCheckbox
            label={t.onlyRead}
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
          atLeast={OWNER_MIN_LENGTH}
          delay={OWNER_DELAY_MS}
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
  if (!tested.ok)
    return <Alert>{[tested.message, tested.advice].filter(Boolean).join('\n')}</Alert>;
  const { latencyMs = 0, version = '' } = tested;
  return <Success>{fill(t.works, { version, ms: latencyMs })}</Success>;
}

function Select({
  label,
  onValue,
  options,
  value,
}: {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onValue: (value: string) => void;
}) {
  return (
    <label className="field">
      <span className="label">{label}</span>
      <select className="select" value={value} onChange={({ target }) => onValue(target.value)}>
        {options.map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
