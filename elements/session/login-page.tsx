import { Database, Lock, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '../ui/button.tsx';
import { loginTexts } from './texts.ts';

/** Page around a card for users who are not signed in. */
export function LoginPage({ children }: { children: ReactNode }) {
  return (
    <div className="login-page">
      <div className="login-grid">
        <div className="login-claim">
          <h1>{loginTexts.claim}</h1>
          <p>{loginTexts.lead}</p>
          <ul>
            {loginTexts.points.map((point, index) => (
              <li key={point}>
                <Icon of={[Database, ShieldCheck, Lock][index] ?? Database} />
                {point}
              </li>
            ))}
          </ul>
        </div>
        {children}
      </div>
      <svg
        className="login-tide"
        viewBox="0 0 1440 320"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {[0, 46, 92, 138, 184, 230].map((y) => (
          <path key={y} d={`M0 ${18 + y}c170-26 300-24 480 6s300 44 500 20 300-50 460-30V320H0Z`} />
        ))}
      </svg>
    </div>
  );
}
