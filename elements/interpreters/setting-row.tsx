import type { InterpreterSetting } from '@tiding/client/protocol';
import { ChevronDown, ChevronRight, Ellipsis, Pencil, RotateCw, Trash2, Zap } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { useViewStore } from '../runtime/store.ts';
import { fill } from '../text/fill.ts';
import { Button, Icon } from '../ui/button.tsx';
import { MenuButton, type MenuEntry } from '../ui/menu/menu-button.tsx';
import type { Option } from './draft.ts';
import { SettingDetails } from './setting-details.tsx';
import { SettingForm } from './setting-form.tsx';
import { runShort, settingMagics } from './setting-text.ts';
import type { Edit, SettingsPage } from './settings-page.ts';
import { interpreterTexts as t } from './texts.ts';

/** Only this group has an engine page (specification). */
const ENGINE_GROUP = 'spark';

/** Whether the server failed to prepare a setting. */
export const isBroken = ({ status, errorReason }: InterpreterSetting): boolean =>
  status === 'ERROR' || Boolean(errorReason);

interface RowProps {
  page: SettingsPage;
  setting: InterpreterSetting;
  signedIn: boolean;
}

/**
 * A setting of the list with its details below. The filter only hides rows, so that hundreds
 * reappear immediately in the state they were left in.
 */
export const SettingRow = ({ hidden, ...given }: RowProps & { hidden: boolean }) => (
  <li className="setting" hidden={hidden}>
    <Row {...given} />
  </li>
);

const Row = memo(function Row({ page, setting, signedIn }: RowProps) {
  const { id, name } = setting;
  const open = useViewStore(page.state, (state) => state.open.has(id));
  const edit = useViewStore(page.state, (state) => state.edits.get(id));
  const restarting = useViewStore(page.state, (state) => state.restarting.has(id));
  const wanted = useViewStore(page.state, (state) => state.focusOn === id);
  const head = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!wanted) return;
    head.current?.focus();
    page.state.set({ focusOn: undefined });
  }, [wanted, page]);
  const more = (): MenuEntry[] => [
    ...(setting.group === ENGINE_GROUP
      ? [
          { label: t.spark, icon: Zap, onSelect: () => void page.showEngine(setting) },
          'rule' as const,
        ]
      : []),
    { label: t.removeItem, icon: Trash2, danger: true, onSelect: () => void page.remove(setting) },
  ];
  return (
    <>
      <div className="setting-head">
        <h2>
          <button
            ref={head}
            type="button"
            className="disclose"
            aria-expanded={open}
            title={fill(open ? t.shut : t.open, { name })}
            onClick={() => page.toggle(id)}
          >
            <Icon of={open ? ChevronDown : ChevronRight} size="sm" className="turned" />
            <Dot setting={setting} />
            <span className="setting-name">{name}</span>
          </button>
        </h2>
        <span className="magics">{settingMagics(setting).join(' ')}</span>
        <span className="grow" />
        <State page={page} setting={setting} />
        <span className={edit ? 'mode editing' : 'mode'}>
          {edit ? t.editing : runShort((setting.option ?? {}) as Option, signedIn)}
        </span>
        {/* The form has its own actions. */}
        {edit && open ? null : (
          <span className="row-actions">
            <Button
              size="sm"
              icon={RotateCw}
              busy={restarting}
              label={fill(t.restart, { name })}
              onClick={() => void page.restart(setting)}
            />
            <Button
              size="sm"
              icon={Pencil}
              label={fill(t.edit, { name })}
              onClick={() => page.edit(setting)}
            />
            <MenuButton size="sm" icon={Ellipsis} label={fill(t.more, { name })} entries={more} />
          </span>
        )}
      </div>
      {open ? <Body {...{ page, setting, signedIn, edit }} /> : null}
    </>
  );
});

/** Status icon of a setting, with a text for screen readers. */
function Dot({ setting }: { setting: InterpreterSetting }) {
  const { status } = setting;
  const [kind, word] = isBroken(setting)
    ? ['danger', t.error]
    : status === 'DOWNLOADING_DEPENDENCIES'
      ? ['info', t.downloading]
      : status === undefined || status === 'READY'
        ? ['success', t.ready]
        : ['hollow', t.unknownStatus];
  return <span className={`dot ${kind}`} role="img" aria-label={word} title={word} />;
}

function State({ page, setting }: { page: SettingsPage; setting: InterpreterSetting }) {
  if (setting.status === 'DOWNLOADING_DEPENDENCIES')
    return (
      <span className="badge info">
        <span className="spinner" aria-hidden="true" />
        {t.downloading}
      </span>
    );
  if (!isBroken(setting)) return null;
  return (
    <button
      type="button"
      className="badge danger"
      title={t.errorTitle}
      onClick={() => page.explain(setting)}
    >
      {t.error}
    </button>
  );
}

function Body({ page, setting, signedIn, edit }: RowProps & { edit: Edit | undefined }) {
  const remove = (
    <Button
      kind="danger-quiet"
      icon={Trash2}
      onClick={() => void page.remove(setting)}
      disabled={edit?.busy}
    >
      {t.removeItem}
    </Button>
  );
  if (!edit) {
    return (
      <div className="setting-body">
        <SettingDetails setting={setting} signedIn={signedIn} />
        <div className="setting-foot">
          {remove}
          <span className="grow" />
          <Button kind="secondary" icon={Pencil} onClick={() => page.edit(setting)}>
            {t.editItem}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <SettingForm
      {...{ page, edit, signedIn }}
      id={setting.id}
      className="setting-body"
      label={fill(t.edit, { name: setting.name })}
      action={t.save}
      foot={remove}
    />
  );
}
