/** More of the security checklist: ports, remotes, disks and storage. See checklist.test.ts. */
import { checkPromises } from '../support/promises.ts';

const GUARD = 'server/interpreters/zeppelin/guard.test.ts';
const GIT = 'test/revisions-remote.test.ts';

checkPromises({
  ports: [
    [
      "processes of Zeppelin's interpreters listen on loopback, and connections need a secret",
      [
        GUARD,
        'is the jar of its source',
        'listens on loopback only, and sends the secret first',
        'closes a connection that begins with %j',
      ],
      [
        'server/interpreters/zeppelin/zeppelin-session.test.ts',
        'and this server answer no connection without the secret of the process',
        'say what is missing when they can not start',
      ],
    ],
  ],
  remotes: [
    [
      'a git server reaches no file, and its answers are limited, also unpacked',
      [
        GIT,
        'writes no file of the server for %s',
        'rejects a long list of branches',
        'ends in an error after its time limit if the remote %s',
        'does not follow a remote that has moved',
      ],
      ['server/revisions/pack.test.ts', 'rejects %s that becomes too large'],
    ],
    [
      'a login of a user is not sent to a connection that was moved',
      ['test/connections.test.ts', 'list the login of each user'],
      ['server/auth/credentials.test.ts', 'stay with the server that they were stored for'],
    ],
    [
      'an identity provider creates users with verified addresses only, unless it is trusted',
      [
        'test/sso.test.ts',
        'for a user %s',
        'creates a user with an unverified address if the provider is trusted',
        'links an existing user to a verified address only',
      ],
    ],
    [
      'an installation of a package is limited, and runs no scripts',
      [
        'test/helium.test.ts',
        'resolves each dependency, also two versions of one, and runs no scripts',
        'refuses an endless chain of dependencies',
        'follows no redirect',
      ],
    ],
  ],
  storage: [
    [
      'stored bytes are limited for each note and user, and for shared files',
      [
        'test/security/files.test.ts',
        'of a note, a user and shared files are limited, with what to delete',
        'of a complete table are cut to the room of its note',
      ],
    ],
    [
      'a full disk is reported with what to do, loses nothing, and recovers',
      [
        'test/failing-disk.test.ts',
        'is reported by every change with what to do, loses nothing, and recovers',
      ],
    ],
  ],
  visitors: [
    [
      'sockets with embed tokens are limited for one address too',
      [
        'test/security/limits.test.ts',
        'pages with embed tokens share a limit of sockets, and may share a token',
      ],
    ],
    [
      'live widgets are changed only by users who may run their note',
      ['test/comms.test.ts', 'show one state to all pages, and only users who may run the note'],
    ],
  ],
});
