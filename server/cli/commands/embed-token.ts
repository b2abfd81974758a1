/** `tiding embed-token`: creates a token for a page that embeds a note. */
import type { EmbedTokenOptions } from '@tiding/client';
import { namedValue, wrongUsage } from '../command.ts';
import { clientCommand, findNote } from '../connection.ts';

const SCOPES = ['results', 'view', 'run', 'edit'];

export default clientCommand({
  summary: 'Create a short-lived token for a page that embeds a note, and print it',
  argument: ['<note>', 'id or full path of the note'],
  options: {
    scope: { short: 's', value: 'scope', help: `${SCOPES.join(', ')}; default: view` },
    paragraph: { short: 'p', value: 'id', help: 'only this paragraph; default: the whole note' },
    param: {
      multiple: true,
      value: 'name=value',
      help: 'fixed value of a form, which the page cannot change; repeatable',
    },
    interpreter: {
      multiple: true,
      value: 'name',
      help: 'interpreter in which a page with the scope edit may run code; repeatable',
    },
    origin: { value: 'origin', help: 'only pages of this origin, such as https://portal.example' },
    subject: { value: 'text', help: 'the person the token is for, for the audit log' },
    seconds: { value: 'number', help: 'lifetime, 1 to 300; default: 300' },
    json: { help: 'print one JSON object: {"token", "expiresAt", "jti"}' },
  },
  details: [
    'For trying an embedded page. In production, the server of the page asks for tokens itself, ' +
      'because they live for at most five minutes.',
  ],
  examples: [
    ['tiding embed-token "Reports/Daily sales" --scope run', 'let a page run a note'],
    ['tiding embed-token nightly -p paragraph_1 --param region=EU', 'show one paragraph, fixed'],
  ],
  run: ({ connect, values, args: [name = ''], terminal }) => {
    const { scope = 'view', paragraph, interpreter, origin, subject, param = [] } = values;
    if (!SCOPES.includes(scope))
      throw wrongUsage(`--scope must be one of ${SCOPES.join(', ')}`, 'embed-token');
    const seconds = Number(values.seconds ?? 300);
    if (!Number.isInteger(seconds) || seconds < 1 || seconds > 300)
      throw wrongUsage(
        `--seconds '${values.seconds}' is not a number from 1 to 300`,
        'embed-token',
      );
    const params = Object.fromEntries(
      param.map((text) => namedValue('param', text, 'embed-token')),
    );
    return connect(async (client) => {
      const { id } = await findNote(client, name);
      const made = await client.embedTokens.create({
        noteId: id,
        scope: scope as EmbedTokenOptions['scope'],
        expiresInSeconds: seconds,
        ...(paragraph === undefined ? {} : { paragraphId: paragraph }),
        ...(param.length > 0 ? { params } : {}),
        ...(interpreter ? { interpreters: interpreter } : {}),
        ...(origin === undefined ? {} : { origin }),
        ...(subject === undefined ? {} : { subject }),
      });
      const { token, expiresAt, jti } = made;
      await terminal.line(values.json ? JSON.stringify({ token, expiresAt, jti }) : token);
      terminal.status(`expires at ${expiresAt}`);
    });
  },
});
