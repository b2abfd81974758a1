import { runShares, type ValidatorRun } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import { validationTexts } from '../../text/widgets/validation.ts';
import { shareText } from './rule-text.ts';

const t = validationTexts;

/** Passed, failed and null rows as one bar with labels. */
export function ShareBar({ run }: { run: ValidatorRun }) {
  const shares = runShares(run);
  const parts = [
    ['passed', t.passed, shares.passed],
    ['failed', t.failed, shares.failed],
    ['null', t.null, shares.nulls],
  ] as const;
  let from = 0;
  return (
    <div className="share-bar">
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        {parts.map(([part, , { share }]) => {
          const x = from;
          from += share * 100;
          return share > 0 ? (
            <rect key={part} className={part} x={x} y="0" width={share * 100} height="1" />
          ) : null;
        })}
      </svg>
      <span className="share-words">
        {parts.map(([part, word, share]) => (
          <span key={part}>
            <i className={part} aria-hidden="true" />
            {fill(t.share, { word, share: shareText(share) })}
          </span>
        ))}
      </span>
    </div>
  );
}
