import type { Client } from '@tiding/client';
import { PrincipalField } from '../ui/fields/principal-field.tsx';
import { peopleTexts as t } from './texts.ts';

interface RolesFieldProps {
  client: Client;
  value: readonly string[];
  onChange: (roles: string[]) => void;
}

/** Checkboxes for roles that open something, and a field for all others. */
export function RolesField({ client, value, onChange }: RolesFieldProps) {
  const known = Object.keys(t.rights);
  const others = value.filter((role) => !known.includes(role));
  const suggest = async (term: string) => {
    const { roles } = await client.people.list();
    const wanted = term.toLowerCase();
    const fits = (role: string) =>
      !known.includes(role) && !value.includes(role) && role.toLowerCase().includes(wanted);
    return { users: [], roles: roles.filter(fits) };
  };
  return (
    <>
      <fieldset className="roles">
        <legend className="label">{t.roles}</legend>
        {known.map((role) => (
          <label key={role} className="role">
            <input
              type="checkbox"
              checked={value.includes(role)}
              onChange={({ target }) =>
                onChange(target.checked ? [...value, role] : value.filter((each) => each !== role))
              }
            />
            <span>
              <b>{role}</b>
              <span className="hint">{t.rights[role]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <PrincipalField
        label={t.otherRoles}
        hint={t.otherRolesHint}
        value={others}
        suggest={suggest}
        atLeast={1}
        delay={0}
        onlyRoles
        onChange={(next) => onChange([...value.filter((role) => known.includes(role)), ...next])}
      />
    </>
  );
}
