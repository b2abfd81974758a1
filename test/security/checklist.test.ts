/**
 * What keeps a server and those who use it safe, line by line, and where each line is shown: read this first.
 *
 * The test of this file holds the table to the tests: one that is renamed or removed is missed here. What is done in
 * another way than usual, and why, stands in docs/team.md under "Security".
 */
import { holdToTests, type Promises } from '../support/promises.ts';

const BAD = 'test/bad-input.test.ts';
const REST = 'test/rest.test.ts';
const REST_REQUESTS = 'test/rest-requests.test.ts';
const REST_NOTES = 'test/rest-notes.test.ts';
const REST_SESSIONS = 'test/rest-sessions.test.ts';
const EMBED = 'test/embed.test.ts';
const SECURITY = 'test/security.test.ts';
const LIMITS = 'test/security/limits.test.ts';
const HANDSHAKE = 'test/security/handshake.test.ts';
const RESEND = 'test/security/resend.test.ts';
const REMOTE = 'test/security/remote.test.ts';
const RESETS = 'app/server/auth/password-resets.test.ts';

const lines: Promises = {
  'one gate': [
    [
      'what no table declares is refused, over REST and live',
      [BAD, 'the unknown operation %s is named in ERROR_INFO'],
      [REST, 'an unknown path (%s) answers 404'],
    ],
    [
      'each message is looked at by who its ticket says, whatever it says of itself',
      [BAD, 'the ticket of one does not speak for another', 'roles in a message are not believed'],
    ],
    [
      'reader, runner, writer and owner: no operation and no call for who has less',
      [BAD, 'a %s is refused %s in upstream', 'an owner may not schedule a note in somebody else'],
      [
        REST,
        '%s on a note that is closed to the caller answers 403',
        '%s without the role answers 403',
        '%s without a session answers 401',
      ],
    ],
    [
      'a runner sends values of forms and no other text',
      [BAD, 'a runner may not run another text, not even within a run of the whole note'],
    ],
    [
      'an operation on a folder needs the right on every note in it, else nothing moves',
      [BAD, '%s needs every note in the folder'],
    ],
    [
      'revisions, editor settings, completion, bindings need the right too',
      ['test/revisions.test.ts', 'need the right to write, their list the right to read'],
      [BAD, 'a stranger learns nothing of a note'],
    ],
    [
      'lists, jobs, search and broadcasts are for who may read; losing the right ends them at once',
      [SECURITY, 'who may no longer read a note hears nothing more of it, at once'],
      ['test/lists.test.ts', 'who may no longer read a note has it in no list'],
      ['test/areas.test.ts', 'finds what the caller may read, as it is now'],
      ['test/schedules.test.ts', 'tells of removed notes, and nothing of notes one may not read'],
      [REST_SESSIONS, 'who loses the role that let him read a note soon hears nothing more of it'],
    ],
    [
      'every refusal is told: AUTH_INFO, SESSION_LOGOUT, ERROR_INFO with a code; REST with status and message',
      ['test/fuzz.test.ts', '${FRAMES'],
      [BAD, '%s on an unknown note names it', '%s without its fields is refused by name'],
      [
        REST_SESSIONS,
        'signing out answers 401, and the session is gone on REST and on the live channel',
      ],
    ],
    [
      'a wrong method is 404 and never 405',
      [REST, 'another method on the path of %s answers 404, never 405'],
    ],
    [
      'no stack, file or class is told',
      [REST_REQUESTS, 'no answer names a file of the server or a line of its code'],
    ],
  ],
  'origin, forgery, cookies': [
    [
      'an upgrade is from an own or listed origin; null and a foreign host never; another path never',
      [
        BAD,
        '%s is refused with 403',
        'the path %s is refused with 404',
        'its own Origin, and none at all, is taken',
      ],
      [SECURITY, 'behind a proxy that speaks TLS the cookie is bound to this host'],
    ],
    [
      'a token at the upgrade is looked at before it',
      [
        HANDSHAKE,
        'is looked at before the socket opens',
        'does not make a foreign page a good one',
      ],
    ],
    [
      'the name under which the server is reached is looked at',
      [REST_REQUESTS, 'a foreign Host is refused on every path'],
    ],
    [
      'loopback by default; another address wants a password',
      [SECURITY, 'are by default what people are told'],
      [
        'test/cli.test.ts',
        'is refused without a password, and accepted with one in the environment',
      ],
    ],
    [
      'what changes something wants a header that no other page can send, and a page of its own',
      [
        REST_REQUESTS,
        'a cookie in a browser alone changes nothing: X-Requested-With is asked for',
        'a change from a page that is %s is refused',
        'a login form that another page sends is refused',
      ],
    ],
    [
      'a body has the type of its call, else 415',
      [REST, '%s takes a body of its own content type only'],
    ],
    [
      'CORS is for listed origins, and varies by them',
      [
        REST_REQUESTS,
        'a listed origin is echoed, with a preflight that allows the token and no cookie',
        'the origin %s is refused and not echoed',
      ],
    ],
    [
      'the cookie is bound to the host, for http alone and random; hashed, new at each sign-in, ended by time and at sign-out',
      [SECURITY, 'behind a proxy that speaks TLS', 'each sign-in makes a session of its own'],
      [
        'app/server/auth/sessions.test.ts',
        'what is stored signs nobody in',
        'sessions that are over are not kept',
      ],
      [REST_SESSIONS, 'signing out answers 401'],
    ],
    [
      'a ticket is of one session, ends with it, and stands in no log, file or address',
      [REST, 'no password, ticket or token is anywhere in the data folder'],
      ['app/server/log.test.ts', 'has no secret, wherever an object holds it'],
      [HANDSHAKE, 'a token in the address counts for nothing'],
      [SECURITY, 'a token in an address signs nobody in'],
    ],
    [
      'a redirect stays here',
      ['test/sso.test.ts', 'refuses to lead to %j afterwards'],
      ['test/areas.test.ts', 'single sign-on does not lead to %j'],
    ],
  ],
  'what pages are sent': [
    [
      'the app has its policy and its headers',
      [
        REST_REQUESTS,
        'the app has the page policy, with nothing added but its own sockets and the pages that embed it',
      ],
    ],
    [
      'foreign HTML has a frame and a policy of its own',
      [REST_REQUESTS, 'the frame of foreign HTML has its own policy and no other address'],
    ],
    [
      'hosts of libraries join that policy only when they are listed, whole and by https',
      [
        'app/server/frame-policy.test.ts',
        '%j is none',
        'hosts join scripts, styles and pictures, and nothing else',
      ],
    ],
    [
      'no text of a note, a name or a server becomes script outside of a frame, whatever the policy',
      [
        'test/security/injection.test.ts',
        'vectors %i to %i are text, or in a frame',
        'names of notes and folders are names',
        'what a server says is said, and nothing more',
        'a frame finds out nothing, and reaches nothing',
      ],
    ],
    [
      'files are not sniffed; downloads are attachments in a sandbox',
      [REST_REQUESTS, 'a file has its type, and is not sniffed'],
      ['test/areas.test.ts', 'are had in each format, with a name and a length'],
    ],
  ],
  embedding: [
    [
      'a token, and no cookie, is what another page comes with',
      [REST_SESSIONS, 'the cookie is for the server'],
      [REST_REQUESTS, 'a token needs neither'],
      [SECURITY, 'a token in an address signs nobody in'],
    ],
    [
      'an embed token is signed with one algorithm by a key of 32 bytes that is made here, for five minutes at most',
      [
        EMBED,
        'is refused when a character of it is another, when it says another algorithm',
        'of %j is refused with %i',
        'are encrypted, for the account alone; a new one drops nobody',
      ],
      [
        'app/server/auth/embed-keys.test.ts',
        'one of less than 32 bytes signs nothing',
        'there is none until one is needed',
      ],
    ],
    [
      'it is for one note or paragraph, for what it says, and never for more than its maker may',
      [
        EMBED,
        '%s is allowed or refused as the table says',
        '%s of another note is refused',
        'is worthless when its maker loses the right',
      ],
    ],
    [
      'the origin that it names is the only one whose pages may use it',
      [HANDSHAKE, 'is good for pages of that origin', 'opens no socket to another origin'],
    ],
    [
      'runs have locked values and options of forms, and no text of their own',
      [
        EMBED,
        'win over what is sent',
        'leave a run token the options of a form, and no text of its own',
      ],
    ],
  ],
  secrets: [
    ['passwords by scrypt', [SECURITY, 'passwords are hashed by scrypt with N=2^17']],
    [
      'tokens are stored as hashes, shown once, expire, and make no tokens',
      [
        REST_SESSIONS,
        'is shown when it is made and never again, and not stored',
        'an expired one is over, and cannot be enabled',
        'cannot make tokens, neither as a token nor dressed up as a cookie',
      ],
    ],
    [
      'credentials of data sources, repositories and git are encrypted, shown as stars, kept where the stars come back',
      [
        'app/server/auth/credentials.test.ts',
        'lie on the disk encrypted',
        'keep their password where the stars come back',
      ],
      [
        'test/revisions-remote.test.ts',
        'pushes all notes, shows the token as eight stars and keeps it encrypted',
      ],
      [
        'app/server/auth/secrets.test.ts',
        'a key of the environment counts',
        'a changed text is refused',
      ],
    ],
    [
      'the key has a name, may be elsewhere, and is replaced by a command',
      [
        'app/server/auth/rotate-secrets.test.ts',
        'every secret is read with the new key alone',
        'a file outside the data folder holds the key',
        'what no key opens stays as it is',
      ],
    ],
    [
      'a link for a new password works once, for half an hour, says nothing of who there is, and ends sessions',
      [
        RESETS,
        'gives a link that sets a password once, and ends the sessions',
        'says and keeps nothing for a user that is not there',
        'knows neither a token nobody got',
      ],
    ],
    [
      'ten failures of an account are the last for a while',
      [
        REST_SESSIONS,
        'ten failures of an account are the last, also when they come all at once',
        'a wrong password and an unknown user are answered alike',
      ],
    ],
    [
      'logs and figures hold no secret and no query',
      ['app/server/log.test.ts', 'has no secret'],
      [SECURITY, 'are for this machine and for administrators, with labels that no caller chooses'],
    ],
  ],
  limits: [
    [
      'all are options with the defaults people are told, on the command line too',
      [LIMITS, 'has what people are told by default', '%s is set by the command line'],
    ],
    [
      'messages, bodies and imports',
      [BAD, 'a message above the limit closes its socket with 1009'],
      [REST, 'a body over the limit answers 413'],
      [SECURITY, 'a body has its limit, a note that is imported a larger one'],
    ],
    ['levels of JSON', [LIMITS, 'JSON has so many levels'], [REST, 'JSON deeper than 64 levels']],
    [
      'names, paths, texts, paragraphs',
      [
        LIMITS,
        'a name has so many bytes, a path so many parts',
        'a text has so many bytes',
        'a note has so many paragraphs',
      ],
    ],
    ['stored output, with a notice', [LIMITS, 'output beyond the limit is cut, with a notice']],
    [
      'sockets of a user, messages a second, bytes that wait',
      [SECURITY, 'one socket too many of a user is closed with 1013'],
      [
        LIMITS,
        'messages faster than the limit close their socket',
        'who reads slower than he is told is closed with 1013',
      ],
    ],
    ['nothing is inflated', [LIMITS, 'nothing is inflated']],
    [
      'runs of a user, processes, and how long a run takes',
      [SECURITY, 'a user runs so many paragraphs at once'],
      [LIMITS, 'a run that takes too long is stopped'],
    ],
    [
      'every payload has a schema; keys that reach into prototypes go no further',
      [
        BAD,
        '%s without its fields is refused by name',
        'the key %s, which reaches into prototypes',
      ],
    ],
  ],
  'paths, addresses, processes': [
    [
      'a note is stored by an id that is made here',
      [
        'app/server/notes/note.test.ts',
        'knows a note by the id of its folder, whatever the file says',
      ],
      [REST_NOTES, 'what was exported and imported is what it was'],
      [REST_REQUESTS, 'an id like %s finds nothing'],
    ],
    [
      'names are data',
      [
        REST_NOTES,
        'the name %j is refused for a rename and a clone',
        'names are kept in one spelling, and are not decoded',
      ],
    ],
    [
      'files are those of the folder, by their real path',
      ['app/server/results/files.test.ts', '%j is no file'],
      ['test/areas.test.ts', 'are had from the folder of files and from nowhere else'],
      ['app/server/helium/packages.test.ts', 'is never outside the folder'],
    ],
    [
      'a remote is https, outside, resolved once and gone to as it was resolved; no redirect is followed',
      [
        REMOTE,
        'is resolved once',
        'a redirect is not followed',
        'of %s is refused before anything is sent',
      ],
      [
        'test/revisions-remote.test.ts',
        'in a private network is refused where the server serves others',
        'ends in an error after its time limit where the remote %s',
        'refuses %s',
      ],
    ],
    [
      'processes have a chosen environment and a group that ends as one',
      [
        'app/server/interpreters/shell.test.ts',
        'has no input and no secrets of the server',
        'cancels the whole group',
        'ends what a killed server left',
      ],
      [
        'app/server/interpreters/python.test.ts',
        'has signed channels on loopback with a private connection file',
        'keeps secrets of the server out',
      ],
    ],
    [
      'what a kernel or an upstream says is not believed',
      ['app/server/interpreters/jupyter-wire.test.ts', 'drops messages that are changed'],
      ['app/server/upstream/http.test.ts', 'never shows the ticket and the cookie of upstream'],
      [
        'app/server/upstream/live.test.ts',
        'hands frames on as they are, with nothing secret in them',
      ],
    ],
  ],
  interpreters: [
    [
      'the shell is off as soon as somebody else may sign in',
      [
        'test/cli.test.ts',
        'is there for one person on this machine, and gone at once when somebody else may sign in',
        'is not there for one person where others can reach the server',
      ],
    ],
    [
      'SQL is confined to its folders, for good, and can be interrupted',
      [
        'app/server/interpreters/sql.test.ts',
        'refuses: %s',
        'is confined too when it had every file before',
        'cancels a statement, and the engine is free afterwards',
      ],
    ],
    [
      'JavaScript reaches files of the data folder only, and starts nothing',
      [
        'app/server/interpreters/javascript.test.ts',
        'reaches files of the data folder only, and starts no programs',
        'keeps secrets of the server out',
      ],
    ],
  ],
  durability: [
    [
      'what is acknowledged is on the disk',
      ['test/durability.test.ts', '${EDITS} edits over a connection that breaks'],
      [
        'app/server/files.test.ts',
        'replaces the file, for its owner alone',
        'never writes twice at once',
      ],
      ['app/server/notes/editor.test.ts', 'an edit is on the disk when it is acknowledged'],
    ],
    [
      'a disk that fails changes nothing, tells who edits and shows in the health',
      ['test/failing-disk.test.ts', '%s is answered with ERROR_INFO, and the note is as before'],
      ['test/faults-server.test.ts', 'a full disk is told to who edits, nothing changes'],
    ],
    [
      'a damaged file is kept, and the rest is served',
      [SECURITY, 'is shown as damaged, kept as it is, in the way of nobody'],
      [
        'app/server/notes/repository.test.ts',
        'serves the notes that can be read, and leaves the others as they are',
      ],
    ],
    [
      'what ran when the server was killed is ABORT with its output; children are ended',
      ['test/cli.test.ts', 'what ran when the server was killed comes back as ABORT'],
      ['app/server/interpreters/shell.test.ts', 'ends what a killed server left'],
    ],
    [
      'SIGTERM ends runs, tells sockets and exits; one server a folder',
      [
        'test/cli.test.ts',
        '%s ends what runs as ABORT with its output',
        'says in one line that another server has its folder',
      ],
    ],
    [
      'typed text outlives a crash',
      ['node/file-journal.test.ts', 'after kill -9 in the middle of writes'],
      [
        'test/contract/suite.ts',
        'saves what is typed before it signs out, and leaves nothing of it on this machine',
      ],
    ],
  ],
  'connections and conflicts': [
    [
      'after a break a client reads the note anew',
      ['test/contract/suite.ts', 'takes a note up again after the connection broke'],
      ['test/faults.test.ts', '1,000 cuts at random moments'],
    ],
    [
      'a client waits longer each time, asks whether the other side is there, stops where it is refused, queues a hundred',
      [
        'client/channel/channel.test.ts',
        'by default waits half a second, doubled to half a minute',
        'sends PING every ten seconds',
        'holds a hundred messages and refuses the next',
      ],
      ['client/session/session.test.ts', 'that is refused with %i means signed out'],
    ],
    [
      'a message has one outcome; one that would do something twice is not sent again by the client',
      [
        'client/channel/request.test.ts',
        'what a repeat would do twice rejects with `unknown-outcome`',
      ],
    ],
    [
      'a message that is sent again within ten minutes is answered again and done once',
      [
        RESEND,
        '%s makes one note',
        'a clone, at once on two sockets',
        'a run is one run',
        'who lost the right to read meanwhile',
        'is forgotten after ten minutes',
      ],
    ],
    [
      'edits merge by what they were made from, else both texts are kept',
      [
        'client/model/text-history.test.ts',
        'merges an edit with what others wrote since its base',
        'refuses what does not merge with the text it was made from',
      ],
      ['test/contract/suite.ts', 'never writes over unsaved text'],
    ],
  ],
  'the audit log': [
    [
      'one line an entry, for the account alone, whatever is in a name; added to, never changed',
      [
        'app/server/audit.test.ts',
        'has one line an entry in their order',
        'cuts long texts, and begins a new file when one is full',
      ],
      [SECURITY, 'is not had by any call'],
    ],
    [
      'sign-ins and sign-outs, also by single sign-on',
      [SECURITY, 'has who signed in, who failed, and who left'],
      ['test/sso.test.ts', 'is written down, who came in and who did not'],
    ],
    [
      'refusals, also of strangers, who cannot fill it',
      [HANDSHAKE, 'has who was turned away at the handshake', 'is not filled by strangers'],
    ],
    [
      'rights, tokens, secrets, settings, exports, embeds',
      [
        SECURITY,
        'has changes of rights, tokens, settings and credentials, runs, exports and refusals',
      ],
    ],
    [
      'runs with the hash of their code, schedules, bindings, restarts',
      [HANDSHAKE, 'has runs with who, where and the hash of the code'],
    ],
    [
      'what the command line does',
      [
        'app/server/auth/rotate-secrets.test.ts',
        'the command refuses a folder that a server has, and writes down what it did',
      ],
    ],
  ],
};

holdToTests(lines);
