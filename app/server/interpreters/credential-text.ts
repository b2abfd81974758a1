/** Logins of data sources in the text of a paragraph: `{entity.user}` and `{entity.password}`. */
import type { InterpreterProperty } from './contract.ts';

/** The property of a setting that turns it on. */
export const injectProperty: InterpreterProperty = {
  name: 'injectCredentials',
  type: 'checkbox',
  defaultValue: 'false',
  description:
    'Whether {entity.user} and {entity.password} in a paragraph stand for the credentials of who runs it; in a process of one person only',
  check: (value) => (['', 'true', 'false'].includes(value) ? undefined : 'is true or false'),
};

/** The text with its placeholders replaced; those of entities that `loginOf` does not know stay as they are. What is put in is not looked at again. */
export function injectCredentials(
  text: string,
  loginOf: (entity: string) => { readonly username: string; readonly password: string } | undefined,
): string {
  return text.replace(
    /\{([^{}\r\n]{1,255})\.(user|password)\}/g,
    (whole, entity: string, part: string) => {
      const login = loginOf(entity);
      if (!login) return whole;
      return part === 'user' ? login.username : login.password;
    },
  );
}
