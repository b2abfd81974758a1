/**
 * Security checklist: every promise of the server and the tests that show it. Start here. A test
 * that is renamed or removed makes this file fail. docs/operate/security.md explains, under
 * "Security", what is done differently than usual and why.
 */
import { checkPromises, type Promises } from '../support/promises.ts';

const BAD = 'test/bad-input.test.ts';
const REST = 'test/rest.test.ts';
const REST_REQUESTS = 'test/rest-requests.test.ts';
const REST_NOTES = 'test/rest-notes.test.ts';
const REST_SESSIONS = 'test/rest-sessions.test.ts';
const EMBED = 'test/embed.test.ts';
const SECURITY = 'test/security.test.ts';
const LIMITS = 'test/security/limits.test.ts';
const SLOW_READERS = 'test/security/slow-readers.test.ts';
const HANDSHAKE = 'test/security/handshake.test.ts';
const RIGHTS = 'test/security/rights.test.ts';
const RESEND = 'test/security/resend.test.ts';
const REMOTE = 'test/security/remote.test.ts';
const SSO = 'test/sso.test.ts';
const RESETS = 'server/auth/password-resets.test.ts';

const lines: Promises = {
  'one gate': [
    [
      'undeclared operations and calls are refused, over REST and live',
      [BAD, 'the unknown operation %s is named in ERROR_INFO'],
      [REST, 'an unknown path (%s) answers 404'],
    ],
    [
      'the ticket decides who sends a message, whatever the message claims',
      [BAD, 'a ticket is only valid for its own principal', 'roles in a message are ignored'],
    ],
    [
      'reader, runner, writer and owner: users with fewer rights can use neither operation ' +
        'nor call',
      [
        BAD,
        "a %s is refused %s with upstream's message",
        "an owner may not schedule a note in another user's name",
      ],
      [
        REST,
        '%s on a note the caller may not access answers 403',
        '%s without the role answers 403',
        '%s without a session answers 401',
      ],
    ],
    [
      'users, groups of an identity provider and roles share no name',
      [SSO, 'gives no group the rights of a user of its name, and no user those of a role'],
    ],
    [
      'nobody ends the sign-in of another user, or takes its address',
      [
        SSO,
        'continues a sign-in, however many others begin meanwhile',
        'for the cookie of another sign-in, or a changed one',
        'for a user %s',
      ],
    ],
    [
      'a new note is private, keeps an owner, and its name cannot be guessed',
      [RIGHTS, 'is private to its creator, however it is made'],
      [RIGHTS, "with a name that only unreadable notes have gets it, and isn't told apart"],
      [RIGHTS, 'without stored permissions belongs to administrators'],
    ],
    [
      'an interpreter process is ended by owners and writers of its note, or administrators',
      [RIGHTS, 'the shared process belongs to administrators'],
      [RIGHTS, "a note's process belongs to its owners and writers"],
    ],
    [
      'a removed user leaves nothing for the next one of that name',
      [RIGHTS, 'ends tokens, sessions, sockets and grants, and the next zoe gets none'],
    ],
    [
      'a runner sends form values and no other text',
      [BAD, 'a runner may not run another text, not even within a run of the whole note'],
    ],
    [
      'an operation on a folder needs the right on every note in it, otherwise nothing changes',
      [BAD, '%s needs every note in the folder'],
    ],
    [
      'revisions, editor settings, completion and bindings need the right too',
      ['test/revisions.test.ts', 'need the right to write, listing them the right to read'],
      [BAD, "a stranger can't see a note's interpreters, nor find it in a list"],
    ],
    [
      'lists, jobs, search and broadcasts are for readers; losing the right ends them immediately',
      [SECURITY, 'a user who may no longer read a note receives nothing more of it'],
      ['test/lists.test.ts', 'a note is in no list of a user who lost the right to read it'],
      ['test/areas.test.ts', 'finds the current text of notes the caller may read'],
      ['test/schedules.test.ts', 'reports removed notes, but none that the user may not read'],
      [REST_SESSIONS, 'a user who loses the role to read a note soon receives nothing more of it'],
    ],
    [
      'every refusal is reported: AUTH_INFO, SESSION_LOGOUT, ERROR_INFO with a code; REST ' +
        'with status and message',
      ['test/fuzz.test.ts', '${FRAMES'],
      [BAD, '%s on an unknown note names it', '%s without its fields is refused by name'],
      [REST_SESSIONS, 'signing out answers 401 and ends the session over REST and live'],
    ],
    [
      'a wrong method is 404 and never 405',
      [REST, 'another method on the path of %s answers 404, never 405'],
    ],
    [
      'no stack, file or class is exposed',
      [REST_REQUESTS, 'no answer names a server file or a line of code'],
    ],
  ],
  'origin, forgery, cookies': [
    [
      "an upgrade needs the server's own or a listed origin; null, foreign hosts and other " +
        'paths are refused',
      [
        BAD,
        '%s is refused with 403',
        'the path %s is refused with 404',
        "requests with the server's Origin or without one are accepted",
      ],
      [SECURITY, 'behind a TLS proxy the cookie is bound to the host, and requests are https'],
    ],
    [
      'a token is checked before the upgrade',
      [
        HANDSHAKE,
        'is checked before the socket opens, with and without an Origin',
        'does not authorise a page of a foreign origin',
      ],
    ],
    ['the Host header is checked', [REST_REQUESTS, 'a foreign Host is refused on every path']],
    [
      'the server listens on loopback by default; another address requires a password',
      [SECURITY, 'have the documented defaults'],
      [
        'test/cli.test.ts',
        'is refused without a password, and accepted with one in the environment',
      ],
    ],
    [
      'a change with a cookie needs a page of the server, or no browser',
      [
        REST_REQUESTS,
        "a browser's cookie changes nothing for a page of another origin",
        'a change from a page that is %s is refused',
        'a login form sent by another page is refused',
      ],
      ['test/security/forgery.test.ts', 'no page of another origin makes the call %s'],
    ],
    [
      'a body has the content type of its call, otherwise 415',
      [REST, '%s accepts a body of its own content type only'],
    ],
    [
      'CORS is for listed origins, and varies by origin',
      [
        REST_REQUESTS,
        'a listed origin is echoed, with a preflight that allows tokens but no cookies',
        'the origin %s is refused and not echoed',
      ],
    ],
    [
      'the cookie is bound to the host, http-only and random; hashed, new at each sign-in, ' +
        'ended by time and sign-out',
      [
        SECURITY,
        'behind a TLS proxy the cookie is bound to the host, and requests are https',
        'each sign-in creates a new session, and ends the previous one',
      ],
      [
        'server/auth/sessions.test.ts',
        "stored data can't be used to sign in",
        'ended sessions are not stored',
      ],
      [REST_SESSIONS, 'signing out answers 401 and ends the session over REST and live'],
    ],
    [
      'a ticket belongs to one session, ends with it, and is in no log, file or address',
      [REST, 'no password, ticket or token is anywhere in the data folder'],
      ['server/logging/log.test.ts', 'redacts secrets at any level of a logged object'],
      [HANDSHAKE, 'a token in the URL is ignored, because the ticket decides'],
      [SECURITY, 'a token in a URL is ignored'],
    ],
    [
      'a redirect stays on the server',
      ['test/sso.test.ts', 'refuses to redirect to %j afterwards'],
      ['test/areas.test.ts', 'single sign-on does not redirect to %j'],
    ],
  ],
  'what pages are sent': [
    [
      'the app is sent with its policy and headers',
      [
        REST_REQUESTS,
        'the app has the page policy, with only its sockets and embedding pages added',
      ],
    ],
    [
      'foreign HTML has a frame with its own policy',
      [REST_REQUESTS, 'the frame of foreign HTML has its own policy and reaches no other address'],
    ],
    [
      'library hosts are added to that policy only if listed, as whole hosts and over https',
      [
        'server/http/frame-policy.test.ts',
        'rejects %j',
        'adds hosts to scripts, styles and images, and to nothing else',
      ],
    ],
    [
      'no text of a note, a name or a server becomes script outside a frame, whatever the policy',
      [
        'test/security/injection.test.ts',
        'vectors of paragraphs %i to %i are text, or in a frame',
        'names of notes and folders are shown as text',
        'messages of a server are shown as text',
        'a frame can access nothing and reach nothing',
      ],
    ],
    [
      'files are not sniffed; downloads are attachments in a sandbox',
      [REST_REQUESTS, 'a file has its content type and is not sniffed'],
      [
        'test/areas.test.ts',
        'are downloaded in each format, with name and length; HEAD has the same headers',
      ],
    ],
  ],
  embedding: [
    [
      'other pages authenticate with a token, not with a cookie',
      [REST_SESSIONS, 'the cookie is for the server'],
      [REST_REQUESTS, 'a token needs neither the header nor the same site'],
      [SECURITY, 'a token in a URL is ignored'],
    ],
    [
      'an embed token is signed with one algorithm and a generated 32-byte key, for at most ' +
        'five minutes',
      [
        EMBED,
        'is refused if one character, its algorithm or its signature is changed',
        'of %j is refused with %i',
        'are encrypted and private to the account; a new one keeps sessions',
      ],
      [
        'server/auth/embed-keys.test.ts',
        'neither signs nor accepts anything with a key of less than 32 bytes',
        'creates a key of 32 random bytes on first use and signs with it until the next',
      ],
    ],
    [
      'an embed token is for one note or paragraph and one scope, and never exceeds the ' +
        'rights of its creator',
      [
        EMBED,
        '%s is allowed or refused by its rule',
        '%s of another note is refused',
        'is invalid when its creator loses the right, is removed, or loses their token',
      ],
    ],
    [
      'an embed token with a field or parameter that does not exist is refused',
      [EMBED, 'of %j is refused with %i', 'are those of forms in the paragraph of the token'],
    ],
    [
      'only pages of the origin in an embed token may use it',
      [
        HANDSHAKE,
        "is valid for pages of that origin, the server's own frame, and programs",
        'opens no socket to another origin, neither by the token nor by its ticket',
      ],
    ],
    [
      'runs have locked form values and options, and no text of their own',
      [
        EMBED,
        'override sent values, over REST and live, in the paragraph and the note',
        'leave run tokens the options of a form, and no free text',
      ],
    ],
  ],
  secrets: [
    [
      'passwords are hashed by scrypt',
      [SECURITY, 'passwords are hashed by scrypt with N=2^17, each with its own salt'],
    ],
    [
      'tokens are stored as hashes, shown once, expire, and cannot create tokens',
      [
        REST_SESSIONS,
        'is shown when it is created and never again, and is not stored',
        'an expired token is invalid, and cannot be enabled',
        'cannot create tokens, not even sent as a cookie',
      ],
    ],
    [
      'credentials of data sources, repositories and git are encrypted and masked, and kept ' +
        'if the mask is sent back',
      [
        'server/auth/credentials.test.ts',
        'are stored encrypted, readable by the server only, listed without passwords',
        'keep their password if the placeholder is sent back',
      ],
      [
        'test/revisions-remote.test.ts',
        'pushes all notes, shows the token as eight stars and keeps it encrypted',
      ],
      [
        'server/auth/secrets.test.ts',
        'a key from the environment is used and never written to disk',
        'a modified text is rejected',
      ],
    ],
    [
      'a stored secret is sent only to the server that it was stored for',
      [
        'server/settings/settings.test.ts',
        'keep a stored secret only for the server that it was stored for',
        'refuse a secret in the address of Jupyter, without repeating it',
      ],
      [
        'test/connections.test.ts',
        'send a stored password to no other address in a test before it is saved',
        'hide host, port and user in settings from users who may not use them',
      ],
    ],
    [
      'the key has a name, can be stored elsewhere, and is replaced by a command',
      [
        'server/auth/rotate-secrets.test.ts',
        'every secret can be read with the new key alone, and not with the old one',
        'a file outside the data folder can hold the key, readable by the account only',
        'secrets that no key can decrypt are kept, and so are the old keys',
      ],
    ],
    [
      'a reset link works once, for half an hour, reveals no users, and ends sessions',
      [
        RESETS,
        "creates a link that sets a password once and ends the user's sessions and links",
        'reveals and stores nothing for an unknown user, and rejects the sixth request',
        'rejects unknown and expired tokens, and tokens of removed users',
      ],
    ],
    [
      'an account is blocked for a while after ten failures',
      [
        REST_SESSIONS,
        'an account is blocked after ten failures, also concurrent ones',
        'a wrong password and an unknown user get the same answer',
      ],
      [
        'server/areas/account/sign-in-limit.test.ts',
        'serves accounts that signed in from an address during a flood from that address',
        'refuses at once when too many attempts failed, and keeps nothing of them',
      ],
    ],
    [
      'logs and metrics contain no secret and no query',
      ['server/logging/log.test.ts', 'redacts secrets at any level of a logged object'],
      [SECURITY, 'are for this machine and administrators, with fixed labels'],
    ],
  ],
  limits: [
    [
      'every limit is an option with the documented default, on the command line too',
      [LIMITS, 'has the documented defaults', '%s is set by the command line'],
    ],
    [
      'messages, bodies and imports are limited',
      [BAD, 'a message above the limit closes its socket with 1009'],
      [REST, 'a body over the limit answers 413, with or without a Content-Length'],
      [SECURITY, 'a body is limited, an imported note by a larger limit'],
    ],
    [
      'levels of JSON are limited',
      [LIMITS, 'JSON has a maximum number of levels, in messages and in bodies'],
      [REST, 'JSON deeper than 64 levels, and fields of a wrong type, answer 400'],
    ],
    [
      'names, paths, texts and paragraphs are limited',
      [
        LIMITS,
        'a name has a maximum number of bytes, a path a maximum number of parts',
        'a text has a maximum number of bytes',
        'a note has a maximum number of paragraphs',
      ],
    ],
    [
      'stored output is limited, with a notice',
      [LIMITS, 'output beyond the limit is cut, with a notice'],
    ],
    [
      'sockets per user, messages per second and queued bytes are limited',
      [SECURITY, "a user's excess socket is closed with 4029; other users are not counted"],
      [
        LIMITS,
        'messages faster than the limit close their socket',
        'a slow reader is closed with 1013, and others are not',
      ],
    ],
    [
      'bytes that wait for clients are limited for each user, embed token, issuer and the server',
      ['server/hub/writer.test.ts', 'waiting bytes of %s are limited'],
      ['server/hub/writer.test.ts', 'a message that several clients wait for counts once'],
      [SLOW_READERS, 'pages with embed tokens that read nothing do not end the server'],
      [SLOW_READERS, 'a user who reads nothing does not end the server'],
      [SLOW_READERS, 'visitors who read nothing do not end the server when a paragraph runs'],
      [LIMITS, 'requests wait while answers are unread, and are answered later'],
    ],
    [
      "sockets with embed tokens count for their issuer, and do not use up the issuer's own",
      [LIMITS, 'pages with embed tokens share a limit of sockets, and may share a token'],
    ],
    ['nothing is decompressed', [LIMITS, 'nothing is decompressed: neither frames nor bodies']],
    [
      'runs per user, processes, and the duration of a run are limited',
      [SECURITY, "a user's runs are limited; excess runs wait, can be cancelled, block nobody"],
      [LIMITS, 'a run that takes too long is stopped with a message, and keeps its output'],
    ],
    [
      'every payload has a schema; keys that reach into prototypes are rejected',
      [
        BAD,
        '%s without its fields is refused by name',
        'the key %s, which reaches into prototypes, is ignored',
      ],
    ],
  ],
  'paths, addresses, processes': [
    [
      'a note is stored under an id that the server creates',
      ['server/notes/note.test.ts', 'identifies a note by its folder, whatever the file says'],
      [REST_NOTES, 'an export that is imported again is unchanged'],
      [REST_REQUESTS, 'an id like %s finds nothing'],
    ],
    [
      'names are data',
      [
        REST_NOTES,
        'the name %j is refused for a rename and a clone',
        'names are normalised, and not decoded',
      ],
    ],
    [
      'files are served from their folder only, by their real path',
      ['server/results/files.test.ts', 'reports that %j does not exist'],
      ['test/areas.test.ts', 'are downloaded from the data files folder only'],
      ['server/helium/packages.test.ts', 'is never outside the folder'],
    ],
    [
      'data files of a note or a user are reached by nobody else: REST, SQL, %magpie, JavaScript',
      [
        'test/security/files.test.ts',
        'is read and written by REST with the rights of the note',
        'is reached by %sql of its own note only, also with computed names',
        'is not reached by %magpie, also not by an administrator',
        'is not read by %js of another note',
        'are not listed by %sql of another note',
        'is read by that user only',
      ],
    ],
    [
      'a remote is https, public, resolved once and contacted at the resolved address; ' +
        'redirects are not followed',
      [
        REMOTE,
        'is resolved once, and never a second time',
        'a redirect is not followed, whatever its target',
        'of %s is refused before anything is sent',
      ],
      [
        'test/revisions-remote.test.ts',
        'is rejected in a private network if the server is public',
        'ends in an error after its time limit if the remote %s',
        'refuses %s',
      ],
    ],
    [
      'processes have a filtered environment and a process group that ends as a whole',
      [
        'server/interpreters/shell.test.ts',
        'has no input and no access to secrets of the server',
        'cancels the whole group',
        'ends processes of a killed server',
      ],
      [
        'server/interpreters/python/python.test.ts',
        'has signed channels on loopback with a private connection file',
        'has no access to secrets of the server and runs in the data folder',
      ],
    ],
    [
      'messages from a kernel or an upstream are not trusted',
      ['server/interpreters/kernels/jupyter-messages.test.ts', 'drops messages that are altered'],
      [
        'server/upstream/http.test.ts',
        "never exposes Zeppelin's ticket and cookie, even if its response contains them",
      ],
      ['server/upstream/live.test.ts', 'forwards frames unchanged except for masked secrets'],
    ],
  ],
  interpreters: [
    [
      'the shell is off as soon as more than one user can sign in',
      [
        'test/cli.test.ts',
        'is enabled for a single local user, and disabled once another user can sign in',
        'is disabled for a single user if other hosts can reach the server',
      ],
    ],
    [
      'SQL is confined to its folders permanently, and can be interrupted',
      [
        'server/interpreters/sql/sql.test.ts',
        'rejects %s',
        'confines an engine that had access to all files before',
        'cancels a statement and frees the engine',
      ],
    ],
    [
      'SQL runs in a process of its own with a limit of memory, which can always be cancelled',
      [
        'server/interpreters/sql/memory.test.ts',
        'ends the engine for %s that is too large, and starts a new one',
        'tells users of the same database, and leaves other databases alone',
        'cancels a statement that cannot be interrupted',
      ],
    ],
    [
      'a connection that only reads refuses statements that leave this mode',
      ['server/interpreters/databases/databases.test.ts', 'refuses to leave that in %s: %s'],
      ['server/interpreters/databases/sqlalchemy/sqlalchemy.test.ts', 'are not: %s'],
      ['test/engines/postgresql.test.ts', 'only reads if the setting says so'],
      ['test/engines/mariadb.test.ts', 'only reads if the setting says so'],
      [
        'test/engines/connections-suite.ts',
        'warn of a login that can use files or programs of the server',
      ],
    ],
    [
      'JavaScript reads files of the data folder only, and starts no programs',
      [
        'server/interpreters/javascript.test.ts',
        'accesses only files in the data folder and starts no programs',
        'has no access to secrets of the server',
      ],
    ],
  ],
  durability: [
    [
      'acknowledged edits are on the disk',
      [
        'test/durability.test.ts',
        '${EDITS} edits survive random disconnections and kill -9, character by character',
      ],
      [
        'server/storage/files.test.ts',
        'replaces the file, readable by its owner only, and leaves no temporary file',
        "never writes concurrently or resolves before the caller's value is written",
      ],
      [
        'server/notes/editor.test.ts',
        'an acknowledged edit is on disk, however many are made concurrently',
      ],
    ],
    [
      'a failing disk changes nothing, notifies the editing user and shows in the health check',
      ['test/failing-disk.test.ts', '%s is answered with ERROR_INFO, and the note is unchanged'],
      [
        'test/faults-server.test.ts',
        'a full disk is reported to the editing user, changes nothing, and recovers',
      ],
    ],
    [
      'a damaged file is kept, and the other notes are served',
      [SECURITY, 'is reported and kept, blocks no other note, and is served once repaired'],
      ['server/notes/repository.test.ts', 'serves the readable notes and leaves the others alone'],
    ],
    [
      'paragraphs that ran when the server was killed are ABORT with their output; child ' +
        'processes end',
      [
        'test/cli.test.ts',
        'what ran when the server was killed comes back as ABORT, with its output',
      ],
      ['server/interpreters/shell.test.ts', 'ends processes of a killed server'],
    ],
    [
      'SIGTERM ends runs, notifies sockets and exits; one server per folder',
      [
        'test/cli.test.ts',
        '%s aborts runs but keeps their output, ends processes and sockets, and exits with 0',
        'reports a used data folder in one line, and starts once it is free',
      ],
    ],
    [
      'typed text survives a crash',
      [
        'client/node/file-journal.test.ts',
        'contains the last completed text of each key, or a later one, after kill -9',
      ],
      ['test/contract/suite.ts', 'saves typed text before signing out, and leaves no local copy'],
    ],
  ],
  'connections and conflicts': [
    [
      'a client reloads the note after a lost connection',
      ['test/contract/suite.ts', 'resumes a note after a lost connection, in the middle of a run'],
      [
        'test/faults.test.ts',
        '1,000 cuts at random moments lose no text and leave no promise pending',
      ],
    ],
    [
      'a client backs off, sends pings, stops when it is refused, and queues a hundred messages',
      [
        'client/channel/channel.test.ts',
        'by default waits half a second, doubled up to half a minute',
        'sends PING every ten seconds',
        'holds a hundred messages and refuses the next',
      ],
      ['client/session/session.test.ts', 'that is refused with %i means signed out'],
    ],
    [
      'a message has one outcome; the client does not resend messages with side effects',
      [
        'client/channel/request.test.ts',
        'one with side effects rejects with `unknown-outcome` and is not resent',
      ],
    ],
    [
      'a message resent within ten minutes is answered again and executed once',
      [
        RESEND,
        '%s creates one note, also when it is resent on another socket',
        'a clone requested concurrently on two sockets is one clone',
        'a run is one run, and its paragraph is reported in its current state',
        'a user who lost the right to read meanwhile receives nothing of the note',
        'ends after ten minutes',
      ],
    ],
    [
      'edits are rebased from their base, both texts are kept, and authors belong to their user',
      [
        'client/model/text/text-history.test.ts',
        'merges an edit with changes by others since its base',
        'keeps what two users insert or replace at one place',
        'is not deceived by a user who sends the author of another user',
      ],
      ['test/contract/suite.ts', 'never overwrites unsaved text'],
    ],
  ],
  'the audit log': [
    [
      'one line per entry, private to the account, escaped; entries are appended, never changed',
      [
        'server/logging/audit.test.ts',
        'has one private line per entry, in order',
        'truncates long texts, and starts a new file when one is full',
      ],
      [SECURITY, "can't be read by any call"],
    ],
    [
      'sign-ins and sign-outs are recorded, also by single sign-on',
      [SECURITY, 'records sign-ins, failures and sign-outs, with an address'],
      [SSO, 'is recorded in the audit log, with successes and failures'],
    ],
    [
      'refusals are recorded, also of strangers, who cannot fill the log',
      [
        HANDSHAKE,
        'records refused handshakes: foreign pages, hosts, tokens and tickets',
        "can't be filled by strangers: one address gets at most 100 entries per 10 min",
      ],
    ],
    [
      'rights, tokens, secrets, settings, exports and embeds are recorded',
      [SECURITY, 'records rights, tokens, settings, runs, exports and refusals, without secrets'],
    ],
    [
      'runs with the hash of their code, schedules, bindings and restarts are recorded',
      [HANDSHAKE, 'records runs with a hash of the code, schedules, bindings and restarts'],
    ],
    [
      'commands of the CLI are recorded',
      [
        'server/auth/rotate-secrets.test.ts',
        'the command rejects a folder in use by a server, and records what it did',
      ],
    ],
  ],
};

checkPromises(lines);
