/** Replaces `{entity.user}` and `{entity.password}` in a paragraph with data-source logins. */
import { flag, property } from './property.ts';

/** The property that enables the replacement. */
export const injectProperty = property(
  'injectCredentials',
  'checkbox',
  'Replace {entity.user} and {entity.password} in a paragraph with credentials of the user who ' +
    'runs it. Works only if each user has a separate process.',
  { defaultValue: 'false', check: flag },
);

/**
 * Returns the text with its placeholders replaced. Placeholders of unknown entities stay. Inserted
 * text is not searched again.
 */
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
