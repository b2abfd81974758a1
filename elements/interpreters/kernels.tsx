import { type Client, isTidingError } from '@tiding/client';
import type { JupyterKernel, KernelList } from '@tiding/client/protocol';
import { Copy, Cpu, RefreshCw } from 'lucide-react';
import { useId } from 'react';
import { useCopy } from '../result/parts/use-copy.ts';
import { resultText } from '../result/texts.ts';
import { fill } from '../text/fill.ts';
import { Button, Icon } from '../ui/button.tsx';
import { LoadFailed } from '../ui/loading.tsx';
import { isRefused, serverMessageOf, useLoaded } from '../ui/page.tsx';
import { languagesToAdd, type NewLanguage } from './new-languages.ts';
import { interpreterTexts } from './texts.ts';

const t = interpreterTexts.kernels;

/**
 * The Jupyter kernels of the server, and how to install more. Nothing for users who may not list
 * them, and for servers that can't.
 */
export function Kernels({ client, onFound }: { client: Client; onFound: () => Promise<void> }) {
  const id = useId();
  const { value, error, loading, reload } = useLoaded(client, (from) =>
    from.interpreters.kernels(),
  );
  const isHidden = error === undefined || isRefused(error) || isTidingError(error, 'unsupported');
  if (!value && isHidden) return null;
  // A kernel that was found now has a setting in the list above.
  const again = async () => {
    await reload();
    await onFound();
  };
  return (
    <section className="kernels" aria-labelledby={id}>
      <div className="kernels-head">
        <h2 id={id}>{t.title}</h2>
        <span className="grow" />
        <Button kind="secondary" icon={RefreshCw} busy={loading} onClick={() => void again()}>
          {t.again}
        </Button>
      </div>
      {error === undefined ? null : (
        <LoadFailed onRetry={() => void again()}>{serverMessageOf(error, t.failed)}</LoadFailed>
      )}
      {value ? <Found {...value} /> : null}
    </section>
  );
}

function Found({ kernels, problems, folders }: KernelList) {
  const missing = languagesToAdd(kernels);
  return (
    <>
      <p className="secondary-text">
        {kernels.length > 0
          ? t.lead
          : folders.length > 0
            ? fill(t.none, { folders: folders.join(', ') })
            : t.off}
      </p>
      {kernels.length === 0 ? null : (
        <ul className="card kernel-list" aria-label={t.title}>
          {kernels.map((kernel) => (
            <Kernel key={`${kernel.place} ${kernel.name}`} kernel={kernel} />
          ))}
        </ul>
      )}
      {problems.map(({ place, reason }) => (
        <p key={place} className="kernel-problem">
          {fill(t.problem, { place, reason })}
        </p>
      ))}
      {folders.length === 0 || missing.length === 0 ? null : (
        <>
          <h3>{t.add}</h3>
          <p className="secondary-text">{t.addLead}</p>
          <ul className="card kernel-list" aria-label={t.add}>
            {missing.map((language) => (
              <AddLanguage key={language.name} language={language} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Kernel({ kernel }: { kernel: JupyterKernel }) {
  const { name, displayName, language, version, magics, place, remote, logo } = kernel;
  const about = [language === displayName ? '' : language, version].filter(Boolean).join(' ');
  return (
    <li className="kernel" data-kernel={name}>
      {logo ? <img className="kernel-logo" src={logo} alt="" /> : <Icon of={Cpu} />}
      <span className="kernel-text">
        <span className="kernel-name">
          <b>{displayName}</b>
          {about ? <span className="kernel-language">{about}</span> : null}
          {remote ? (
            <span className="badge" title={t.remoteHint}>
              {t.remote}
            </span>
          ) : null}
          {magics.length === 0 ? (
            <span className="badge" title={t.unusedHint}>
              {t.unused}
            </span>
          ) : null}
        </span>
        <span className="kernel-place">{place}</span>
      </span>
      <code className="kernel-magics">{magics.join(' ')}</code>
    </li>
  );
}

function AddLanguage({ language: { name, commands } }: { language: NewLanguage }) {
  const [label, copy] = useCopy();
  return (
    <li className="kernel">
      <b className="kernel-name">{name}</b>
      <pre className="kernel-commands">{commands.join('\n')}</pre>
      <Button
        size="sm"
        icon={Copy}
        aria-label={label === resultText.copy ? fill(t.copy, { language: name }) : label}
        onClick={() => copy(commands.join('\n'))}
      >
        {label}
      </Button>
    </li>
  );
}
