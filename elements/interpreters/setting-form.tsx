import { CircleAlert } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useSelect } from '../runtime/hooks.ts';
import { useViewStore } from '../runtime/store.ts';
import { commonTexts } from '../text/common.ts';
import { Button, Icon } from '../ui/button.tsx';
import { onSubmit } from '../ui/fields/form-events.ts';
import { LabelledChoice, LabelledField } from '../ui/fields/labelled.tsx';
import { DependencyTable } from './dependency-table.tsx';
import { type Draft, withGroup } from './draft.ts';
import { OptionFields } from './option-fields.tsx';
import { PropertyTable } from './property-table.tsx';
import { type Edit, NEW_SETTING, type SettingsPage } from './settings-page.ts';
import { interpreterTexts as t } from './texts.ts';

interface FormProps {
  page: SettingsPage;
  edit: Edit;
  signedIn: boolean;
}

/** The form of a new or existing setting. */
export function SettingForm({
  page,
  id,
  edit: { draft, busy, problem },
  signedIn,
  className,
  label,
  action,
  children,
  foot,
}: FormProps & {
  id: string;
  className: string;
  label: string;
  action: string;
  /** Fields above those of every setting. */
  children?: ReactNode;
  /** What the last line begins with. */
  foot?: ReactNode;
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
  const onDraft = (changed: Draft) => page.type(id, changed);
  return (
    <form
      className={className}
      aria-label={label}
      noValidate
      onSubmit={onSubmit(() => page.save(id))}
    >
      {children}
      <fieldset className="plain" disabled={busy}>
        <OptionFields
          option={draft.option}
          signedIn={signedIn}
          isZeppelin={isZeppelin}
          suggest={page.suggest}
          confirmPermissions={() => page.confirmPermissions()}
          onOption={(option) => onDraft({ ...draft, option })}
        />
        <PropertyTable
          draft={draft}
          types={types}
          described={id === NEW_SETTING}
          onDraft={onDraft}
        />
        <DependencyTable draft={draft} onDraft={onDraft} />
      </fieldset>
      <FormProblem>{problem}</FormProblem>
      <div className="setting-foot">
        {foot}
        <span className="grow" />
        <Button onClick={() => void page.cancel(id)} disabled={busy}>
          {commonTexts.cancel}
        </Button>
        <Button kind="primary" type="submit" busy={busy}>
          {action}
        </Button>
      </div>
    </form>
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

export function CreateForm(props: FormProps) {
  const { page } = props;
  const { draft, busy } = props.edit;
  const templates = useViewStore(page.state, (state) => state.templates);
  const groups = Object.keys(templates ?? {}).sort((a, b) => a.localeCompare(b));
  const onDraft = (changed: Draft) => page.type(NEW_SETTING, changed);
  return (
    <SettingForm
      {...props}
      id={NEW_SETTING}
      className="card create"
      label={t.createTitle}
      action={t.createAction}
    >
      <h2>{t.createTitle}</h2>
      <fieldset className="plain" disabled={busy}>
        <div className="pair">
          <LabelledField
            label={t.createName}
            value={draft.name}
            autoFocus
            onValue={(name) => onDraft({ ...draft, name })}
          />
          <LabelledChoice
            label={t.group}
            value={draft.group}
            options={groups}
            onValue={(group) => onDraft(withGroup(draft, group, templates?.[group]))}
          >
            <option value="" disabled>
              {templates ? t.chooseGroup : commonTexts.loading}
            </option>
          </LabelledChoice>
        </div>
      </fieldset>
    </SettingForm>
  );
}
