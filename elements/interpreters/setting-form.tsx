import { CircleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { useSelect } from '../runtime/hooks.ts';
import { useViewStore } from '../runtime/store.ts';
import { commonTexts } from '../text/common.ts';
import { Button, Icon } from '../ui/button.tsx';
import { LabelledChoice, LabelledField } from '../ui/fields/labelled.tsx';
import { DependencyTable } from './dependency-table.tsx';
import { type Draft, withGroup } from './draft.ts';
import { OptionFields } from './option-fields.tsx';
import { PropertyTable } from './property-table.tsx';
import type { Creating, SettingsPage } from './settings-page.ts';
import { interpreterTexts } from './texts.ts';

const t = interpreterTexts;

/** Fields of a new or existing setting. */
export function FormBody<Some extends Draft>({
  page,
  draft,
  busy,
  described,
  signedIn,
  onDraft,
}: {
  page: SettingsPage;
  draft: Some;
  busy: boolean;
  described: boolean;
  signedIn: boolean;
  onDraft: (draft: Some) => void;
}) {
  const types = useViewStore(page.state, (state) => state.types);
  const isZeppelin = useSelect(
    page.client,
    ({ server }) => server !== undefined && server.tiding === undefined,
    false,
  );
  useEffect(() => {
    page.client.connect().catch(() => {});
  }, [page]);
  return (
    <fieldset className="plain" disabled={busy}>
      <OptionFields
        option={draft.option}
        signedIn={signedIn}
        isZeppelin={isZeppelin}
        suggest={page.suggest}
        confirmPermissions={() => page.confirmPermissions()}
        onOption={(option) => onDraft({ ...draft, option })}
      />
      <PropertyTable draft={draft} types={types} described={described} onDraft={onDraft} />
      <DependencyTable draft={draft} onDraft={onDraft} />
    </fieldset>
  );
}

/** Why a form was not saved. */
export function FormProblem({ children }: { children: string | undefined }) {
  return (
    <div className="problem" role="alert">
      {children === undefined ? null : (
        <div className="alert">
          <Icon of={CircleAlert} size="sm" />
          <span className="dialog-text">{children}</span>
        </div>
      )}
    </div>
  );
}

export function CreateForm({
  page,
  creating,
  signedIn,
}: {
  page: SettingsPage;
  creating: Creating;
  signedIn: boolean;
}) {
  const templates = useViewStore(page.state, (state) => state.templates);
  const { draft, busy, problem } = creating;
  const groups = Object.keys(templates ?? {}).sort((a, b) => a.localeCompare(b));
  return (
    <form
      className="card create"
      aria-label={t.createTitle}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void page.create();
      }}
    >
      <h2>{t.createTitle}</h2>
      <fieldset className="plain" disabled={busy}>
        <div className="pair">
          <LabelledField
            label={t.createName}
            value={draft.name}
            autoFocus
            onValue={(name) => page.typeNew({ ...draft, name })}
          />
          <LabelledChoice
            label={t.group}
            value={draft.group}
            options={groups}
            onValue={(group) => page.typeNew(withGroup(draft, group, templates?.[group]))}
          >
            <option value="" disabled>
              {templates ? t.chooseGroup : commonTexts.loading}
            </option>
          </LabelledChoice>
        </div>
      </fieldset>
      <FormBody
        page={page}
        draft={draft}
        busy={busy}
        described
        signedIn={signedIn}
        onDraft={(next) => page.typeNew({ ...next, name: draft.name, group: draft.group })}
      />
      <FormProblem>{problem}</FormProblem>
      <div className="setting-foot">
        <span className="grow" />
        <Button onClick={() => void page.cancelCreate()} disabled={busy}>
          {commonTexts.cancel}
        </Button>
        <Button kind="primary" type="submit" busy={busy}>
          {t.createAction}
        </Button>
      </div>
    </form>
  );
}
