import {
  type InterpreterRunMode,
  type InterpreterSharing,
  runMode,
  runSharing,
  withRunMode,
  withSharing,
} from '@tiding/client/model';
import type { Principals } from '@tiding/client/protocol';
import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { Button } from '../ui/button.tsx';
import { Choice, LabelledCheckbox, LabelledField } from '../ui/fields/labelled.tsx';
import { PrincipalField } from '../ui/fields/principal-field.tsx';
import type { Option } from './draft.ts';
import { interpreterTexts as t } from './texts.ts';

const apart: readonly InterpreterSharing[] = ['scoped', 'isolated'];

const named = (options: readonly string[], texts: Readonly<Record<string, string>>) =>
  options.map((option) => [option, texts[option] ?? option] as const);

interface OptionFieldsProps {
  option: Option;
  signedIn: boolean;
  /**
   * Whether a Zeppelin runs the interpreters. Only a Zeppelin runs them as other users and connects
   * to existing processes.
   */
  isZeppelin: boolean;
  suggest: (term: string) => Promise<Principals>;
  /** Whether permissions may be set; explains why not if they may not. */
  confirmPermissions: () => boolean;
  onOption: (option: Option) => void;
}

/** How the processes of a setting are shared, and who may use it. */
export function OptionFields({
  option,
  signedIn,
  isZeppelin,
  suggest,
  confirmPermissions,
  onOption,
}: OptionFieldsProps) {
  const heading = useId();
  const mode = runMode(option, signedIn);
  const sharing = runSharing(option, signedIn);
  // Anonymous users can't have a process of their own (specification).
  const modes: readonly InterpreterRunMode[] = signedIn
    ? ['Globally', 'Per Note', 'Per User']
    : ['Globally', 'Per Note'];
  const also =
    mode === 'Per User' && (option.perNote === 'scoped' || option.perNote === 'isolated')
      ? option.perNote
      : undefined;
  const share = (chosen: InterpreterSharing) =>
    onOption(withSharing(option, mode === 'Per User' ? 'perUser' : 'perNote', chosen));
  const hint =
    mode === 'Globally'
      ? t.hints.Globally
      : t.hints[mode][sharing === 'isolated' ? 'isolated' : 'scoped'];
  return (
    <section className="form-part" aria-labelledby={heading}>
      <h3 id={heading}>{t.runMode}</h3>
      <div className="sentence">
        <span>{t.lead}</span>
        <Choice
          aria-label={t.mode}
          value={mode}
          options={named(modes, t.modes)}
          onValue={(chosen) => onOption(withRunMode(option, chosen as InterpreterRunMode))}
        />
        <span>{t.in}</span>
        <Choice
          aria-label={t.sharing}
          value={sharing}
          options={named(mode === 'Globally' ? ['shared'] : apart, t.sharings)}
          onValue={(chosen) => share(chosen as InterpreterSharing)}
        />
        <span>{t.end}</span>
        {also === undefined ? null : (
          <>
            <span>{t.also}</span>
            <Choice
              aria-label={t.alsoSharing}
              value={also}
              options={named(apart, t.sharings)}
              onValue={(chosen) =>
                onOption(withSharing(option, 'perNote', chosen as InterpreterSharing))
              }
            />
            <span>{t.end}</span>
          </>
        )}
        {mode !== 'Per User' ? null : also === undefined ? (
          <Button
            size="sm"
            icon={Plus}
            onClick={() => onOption(withSharing(option, 'perNote', 'scoped'))}
          >
            {t.addAlso}
          </Button>
        ) : (
          // Session and process apply to the users again.
          <Button
            size="sm"
            icon={X}
            label={t.removeAlso}
            onClick={() =>
              onOption(withSharing({ ...option, perNote: 'shared' }, 'perUser', sharing))
            }
          />
        )}
      </div>
      <p className="hint">{hint}</p>
      <div className="checks">
        {isZeppelin && mode === 'Per User' && sharing === 'isolated' ? (
          <LabelledCheckbox
            label={t.impersonate}
            checked={option.isUserImpersonate === true}
            onChange={(isUserImpersonate) => onOption({ ...option, isUserImpersonate })}
          />
        ) : null}
        {isZeppelin ? (
          <LabelledCheckbox
            label={t.existing}
            checked={option.isExistingProcess === true}
            onChange={(isExistingProcess) => onOption({ ...option, isExistingProcess })}
          />
        ) : null}
        <LabelledCheckbox
          label={t.permission}
          checked={option.setPermission === true}
          onChange={(setPermission) =>
            (!setPermission || confirmPermissions()) && onOption({ ...option, setPermission })
          }
        />
      </div>
      {option.isExistingProcess === true ? (
        <div className="pair">
          <LabelledField
            label={t.host}
            value={option.host ?? ''}
            onValue={(host) => onOption({ ...option, host })}
          />
          <LabelledField
            label={t.port}
            value={typeof option.port === 'number' && option.port > 0 ? String(option.port) : ''}
            digits
            onValue={(port) =>
              onOption({ ...option, port: port === '' ? -1 : Number(port.slice(0, 5)) })
            }
          />
        </div>
      ) : null}
      {option.setPermission === true ? (
        <div className="owners">
          <PrincipalField
            label={t.owners}
            placeholder={t.ownersHint}
            value={option.owners ?? []}
            suggest={suggest}
            onChange={(owners) => onOption({ ...option, owners })}
          />
        </div>
      ) : null}
    </section>
  );
}
