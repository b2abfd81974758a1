/**
 * Promises about the display of results, packages, revision control, search, import and sign-in:
 * states, rules, errors and limits, each with its tests. Widgets of platform objects and profiles
 * are in widgets.ts.
 */
import type { Promises } from '../support/promises.ts';

const ROLES = 'test/e2e/roles.test.ts';
const NOTES = 'elements/notes/notes.test.tsx';
const LOGIN = 'elements/session/login.test.tsx';
const PASSWORD = 'test/e2e/password.test.ts';
const CATALOGUE = 'test/e2e/catalogue.test.ts';
const PACKAGES = 'elements/packages/packages.test.tsx';
const PACKAGE_RULES = 'elements/packages/catalogue.test.ts';
const CONTROL = 'elements/revision-control/revision-control.test.tsx';
const REMOTE = 'test/e2e/revision-control.test.ts';
const SEARCH = 'elements/search/search.test.tsx';
const FIND = 'elements/note/find/find-box.test.tsx';
const RESULT = 'elements/result/result-view.test.tsx';
const TABLE = 'elements/result/table.test.tsx';
const NETWORK = 'elements/result/network.test.tsx';
const TEXT = 'elements/text/results/result.test.tsx';
const CHARTS = 'elements/result/chart-views.test.tsx';
const SIZE = 'elements/result/size.test.tsx';
const SESSION = 'client/session/session.test.ts';
const PLATFORM = 'client/results/results.test.ts';
const CHANNEL = 'client/channel/channel.test.ts';
const FORMS = 'elements/note/paragraph/forms.test.tsx';
const SINGLE = 'test/e2e/single.test.ts';
const NAMES = 'client/model/notes/note-name.test.ts';
const MAGIC = 'client/model/notes/magic.test.ts';
const PARSED = 'client/model/text/display-parser.test.ts';
const HELIUM = 'test/helium.test.ts';
const AREAS = 'test/areas.test.ts';
const CONTRACT = 'test/contract/suite.ts';

/** Promises about screens other than the note, by topic. */
export const display: Promises = {
  screens: [
    [
      'the find box marks matches, moves between them, replaces one or all; typing waits 300 ms',
      [
        FIND,
        'marks every match, cycles through them',
        'replaces the current match and continues',
        'shows what is wrong with an expression',
        'waits for further keys, searches immediately on Enter',
      ],
    ],
    [
      'results show as table, bar, pie, area, line, scatter and network, with the table first',
      [CHARTS, 'are switched in the specified order and with the specified names'],
      [NETWORK, 'is drawn with its summary, and is also a table'],
    ],
    [
      'packages have a page per type, versions, settings and an order that is changed by dragging',
      [
        PACKAGES,
        'shows filtered markup, versions, license and spell; greys out local packages',
        'enables a version after confirmation, is busy meanwhile, and disables it',
        'reorders views with keys, asks before saving, and shows why saving failed',
      ],
      [CATALOGUE, 'saves the display order after a drag'],
    ],
    [
      'revision control is shown if the server says that it keeps revisions',
      [CONTROL, 'is not shown if the server keeps no revisions'],
      [ROLES, 'omit revision control if the server does not support it'],
    ],
    [
      'search results are shown with marked matches',
      [SEARCH, 'shows a card per result with name, link, title and text, with matches marked'],
      ['elements/search/hits.test.ts', 'reads a note or paragraph with its folder'],
    ],
    [
      'the search term is cleared when its page is left',
      [
        'test/e2e/search.test.ts',
        'lists matches, opens the paragraph of one in the find box, and clears the term',
      ],
    ],
    [
      'notes are created, cloned, imported and renamed in dialogs',
      [
        NOTES,
        'gets the next free number in its folder; a clone is named after its source',
        'rejects blank and invalid names when renaming, and asks before merging folders',
        'explains why a URL is rejected: empty or unreachable',
      ],
      [
        'test/e2e/home.test.ts',
        'creates a note in a folder, clears the output of a note and opens the new note',
      ],
    ],
    [
      'the note list in a side panel shows ten notes, and ten more each time',
      [NOTES, 'shows ten notes in a side panel, including the current one'],
    ],
    [
      '“ref” says where to go after signing in; signing out leads home',
      [
        'test/e2e/workbench.test.ts',
        'redirects anonymous visitors to the sign-in and keeps the requested page',
      ],
      [ROLES, 'report a failed sign-out, and confirm a successful one on the sign-in page'],
    ],
  ],
  states: [
    [
      'output is appended while a paragraph runs, also to tables',
      [TABLE, 'shows rows as they stream in'],
      [TEXT, 'renders only new lines while it streams'],
      ['client/paragraph/reducer.test.ts', 'is replaced by the results at its end'],
    ],
    [
      'graph settings are stored only while the paragraph does not run',
      [TABLE, 'stores a change during a run when the run ends, and preserves unknown fields'],
    ],
    [
      'an application has the status that the server reports, LOADING until then, and is not ' +
        'shown while UNLOADED; the one that is shown is stored with the result',
      [
        'client/paragraph/applications.test.ts',
        'an application is loaded, prints, is loaded again, and is removed',
      ],
      ['test/e2e/packages.test.ts', 'adds an application to the last output, shows it in place'],
    ],
    [
      'revision control is not configured, saving or configured; a sync succeeds, fails or ' +
        'times out',
      [
        CONTROL,
        'goes from not configured through saving to configured, and back',
        'shows the error of a failed sync; typed values outlive the configuration',
        'gives up after 300 seconds and says that the sync may still be running',
      ],
    ],
    [
      'the import has two steps, with a way back',
      [NOTES, 'explains why a URL is rejected: empty or unreachable'],
    ],
    [
      '“Signing In” while signing in',
      [LOGIN, 'is busy while signing in, shows errors, and clears them on the next key'],
    ],
    [
      'an ended session clears the user and leads home with the requested path',
      [
        SESSION,
        'is emitted, and every channel reconnects with one new ticket',
        'without a new ticket ends the session',
      ],
      ['test/e2e/account.test.ts', 'creates, uses, describes, disables and deletes a token'],
    ],
    [
      'the connection is open or not; while it is open, a ping is sent every 10,000 ms',
      [
        CHANNEL,
        'goes from idle through connecting to open; each message carries the identity',
        'sends PING every ten seconds, only while it is open',
      ],
    ],
    [
      'notes move to the trash; one, a folder or all are restored; one or all are removed',
      [NOTES, 'moves notes to the trash, restores and removes one or all, after confirmation'],
      [
        CONTRACT,
        'renames, clones, trashes, restores and removes a note',
        'renames and trashes a folder with everything in it',
      ],
    ],
    [
      '“Logout Success”, then home after 1,000 ms',
      [ROLES, 'report a failed sign-out, and confirm a successful one on the sign-in page'],
    ],
    [
      'a sign-out with an address redirects to it or calls it',
      [SESSION, 'for signing out (isLogoutAPI %s) is emitted as %s'],
      [ROLES, 'call the address that ends the session of a provider, and return home'],
      [
        'test/e2e/sso.test.ts',
        'redirects to the provider, keeps the requested page and signs out there too',
      ],
    ],
  ],
  imports: [
    [
      '“File size limit Exceeded!” above the limit of the server, shown in MB and rounded',
      [NOTES, 'explains why a file is rejected: too large, not JSON, not a note'],
    ],
    ['“Unable to Fetch URL”', [NOTES, 'explains why a URL is rejected: empty or unreachable']],
    ['“Enter URL”', [NOTES, 'explains why a URL is rejected: empty or unreachable']],
    [
      '“JSON parse exception”',
      [NOTES, 'explains why a file is rejected: too large, not JSON, not a note'],
    ],
    [
      '“Invalid JSON” for a file without paragraphs',
      [NOTES, 'explains why a file is rejected: too large, not JSON, not a note'],
    ],
    [
      'a typed name replaces the name in the file',
      [NOTES, 'uses the typed name, otherwise the name in the file'],
    ],
  ],
  names: [
    [
      'a name is not blank',
      [NOTES, 'rejects blank and invalid names when renaming, and asks before merging folders'],
    ],
    [
      'paths of folders are normalised: backslashes, doubled slashes, slashes at the ends',
      ['client/model/notes/note-path.test.ts', '%j becomes %j'],
      [NOTES, 'rejects blank and invalid names when renaming, and asks before merging folders'],
    ],
    [
      '“WARNING! The folder will be MERGED” before two folders are merged',
      [NOTES, 'rejects blank and invalid names when renaming, and asks before merging folders'],
    ],
    [
      "“Untitled Note 2”, the next free number in the folder; a clone has its source's name " +
        'and a number',
      [NOTES, 'gets the next free number in its folder; a clone is named after its source'],
      [NAMES, '%j in %j: %j', '%j among %j: %j', 'is never taken'],
    ],
  ],
  values: [
    [
      'the domain of single sign-on is the part after the at sign',
      [LOGIN, 'starts single sign-on with the domain after the at sign'],
      [SESSION, 'of a single sign-on contains the domain after the at sign'],
    ],
    [
      'package settings are numbers, JSON or text; unreadable values stay as typed',
      [PACKAGES, 'saves settings as numbers, JSON or text; keeps typed values if saving fails'],
      [CATALOGUE, 'saves settings with their types'],
    ],
    [
      'a height below 50 becomes 300, a height below 100 becomes 100',
      [RESULT, 'normalize heights: below 50 is 300, below 100 is 100'],
      [TABLE, 'is resized by the handle in steps of 10 down to 100, and stored at the end'],
    ],
    [
      "the magic sets the editor's language",
      [MAGIC, '%j is %s'],
      [
        'elements/note/paragraph/editor-in-note.test.tsx',
        'asks for its editor setting when near, and again only for another magic',
      ],
    ],
    [
      'outputs begin with “%element”, “%table”, “%html”, “%angular”, “%text” and “%network”, ' +
        'or the name of the type',
      [PARSED, '%j', 'an unknown name loses no text'],
    ],
    [
      'values in table files are quoted',
      ['client/model/tables/csv.test.ts', 'quote only what needs quotes'],
      [TABLE, 'saves all rows in their original order as CSV and TSV'],
    ],
  ],
  roles: [
    [
      'a live message names its sender',
      [CHANNEL, 'goes from idle through connecting to open; each message carries the identity'],
      ['test/bad-input.test.ts', 'a ticket is only valid for its own principal'],
    ],
    [
      '“Insufficient privileges”: Close for users without roles, otherwise Login, or Cancel, ' +
        'which leads home',
      [FORMS, 'show unsolicited server messages until they are closed'],
      [SINGLE, 'goes home if the note is removed elsewhere, and reports lost permissions'],
    ],
    [
      'a revision cannot be edited',
      ['elements/note/revisions/revisions.test.tsx', 'are shown unchanged and read-only'],
    ],
  ],
  'calls and operations': [
    [
      'each call of packages, results, files, search, sign-in and revision control has its ' +
        'path and answer',
      ['test/rest.test.ts', '%s answers in its envelope, with the body that the protocol defines'],
    ],
    [
      'each live operation is refused by name without its fields, and answered with them',
      ['test/bad-input.test.ts', '%s without its fields is refused by name'],
      ['test/describe.test.ts', 'has every operation of both sides'],
    ],
    [
      'each received operation changes what it names: notes, paragraphs, output, progress, ' +
        'completions, applications, revisions, jobs, settings, configuration',
      [
        'client/note/reducer.test.ts',
        'contains what the server sent, with the path of either generation',
        'takes config and info from NOTE_UPDATED, and keeps what the message omits',
        'changes one paragraph and keeps the identity of all others',
        'inserts, moves and removes paragraphs, clamping positions to the ends',
        'takes its path from the list, which is how some servers announce a renamed folder',
      ],
      [
        'client/paragraph/applications.test.ts',
        'an application is loaded, prints, is loaded again, and is removed',
      ],
      ['client/testing/memory-server.test.ts', 'lists jobs, settings, bindings and completions'],
      ['client/jobs/reducer.test.ts', 'drops removed entries, including the first'],
      ['client/revisions/revisions.test.ts', 'are listed after Head, newest first, and can be set'],
    ],
    [
      'the command line is linked, and runs as it is downloaded',
      ['test/e2e/account.test.ts', 'links to the command line, which runs as downloaded'],
    ],
    [
      'a result is checked with HEAD; GET explains why it is missing',
      [PLATFORM, "is reported with the server's message from the same path"],
      [AREAS, 'are downloaded in each format, with name and length; HEAD has the same headers'],
    ],
    [
      'an exported file is named “magpie_export” with its time in UTC and its file extension',
      ['client/model/tables/exported-result-name.test.ts', 'of %s at %s is %s'],
    ],
    [
      'the search takes the parameter q, and returns notes and paragraphs',
      [SEARCH, 'shows a card per result with name, link, title and text, with matches marked'],
      [AREAS, 'finds the current text of notes the caller may read'],
    ],
    [
      'packages are listed, enabled, disabled, ordered, configured, suggested and loaded',
      [
        AREAS,
        'are listed, enabled and disabled, and their scripts served while enabled',
        'keep their configuration',
        'run an application on a paragraph, and notify everyone on the note',
      ],
      [HELIUM, 'is searched by keyword; versions are listed newest first'],
    ],
  ],
  errors: [
    [
      "“We couldn't get the revision control configuration for this notebook!”, 3 s",
      [CONTROL, 'shows when it could not be read, saved or removed'],
    ],
    [
      "“We couldn't save the revision control configuration for this notebook. Please try again.”",
      [CONTROL, 'shows when it could not be read, saved or removed'],
    ],
    [
      "“We couldn't remove the revision control configuration for this notebook. Please try",
      [CONTROL, 'shows when it could not be read, saved or removed'],
    ],
    [
      'a time-out says that the sync may still be running, and what to do',
      [CONTROL, 'gives up after 300 seconds and says that the sync may still be running'],
    ],
    [
      '“There was an error applying the given revision control configuration”, then it is removed',
      [CONTROL, 'shows the error of a failed sync; typed values outlive the configuration'],
      [REMOTE, 'keeps the typed configuration if the remote rejects it'],
    ],
    [
      '“Change to revision control configuration was successfully applied.”',
      [CONTROL, 'goes from not configured through saving to configured, and back'],
      [REMOTE, 'masks the token of a saved configuration and pushes the notes'],
    ],
    [
      "“The username and password that you entered don't match.”",
      [LOGIN, 'is busy while signing in, shows errors, and clears them on the next key'],
      [
        'test/e2e/workbench.test.ts',
        'redirects anonymous visitors to the sign-in and keeps the requested page',
      ],
    ],
    [
      "the sign-in page shows the server's message about an ended session",
      [LOGIN, "shows the server's message when it ends a session"],
    ],
    [
      '“If an active user exists with that email, we have sent a password reset link”; a ' +
        "failure shows the server's message",
      [LOGIN, 'requests a password reset link; the typed address is cleared on close'],
      [PASSWORD, 'is reset once by a mailed link'],
    ],
    ['“Password successfully updated.”', [PASSWORD, 'is reset once by a mailed link']],
    [
      "“Error on enabling”, “Error on disabling” with the server's message",
      [PACKAGES, 'shows why a package could not be enabled or disabled'],
    ],
    [
      "“Error on saving order” with the server's message",
      [PACKAGES, 'reorders views with keys, asks before saving, and shows why saving failed'],
    ],
    [
      'ERROR_INFO: “Details” with its message as plain text',
      [FORMS, 'show unsolicited server messages until they are closed'],
    ],
    ['NOTICE: a toast', [FORMS, 'show unsolicited server messages until they are closed']],
    [
      '“Your browser is too old or too weird to support log out functionality”; a browser ' +
        'that can send requests is signed out at the server and sends no password',
      [
        ROLES,
        'explain that a browser is too old to sign out and keep the session',
        'sign out on the server in a browser without XMLHttpRequest',
        'report a failed sign-out, and confirm a successful one on the sign-in page',
      ],
      [
        'test/rest-sessions.test.ts',
        'signing out answers 401 and ends the session over REST and live',
      ],
    ],
    [
      '“Copied!”, “Not supported browser”',
      [
        'elements/result/json.test.tsx',
        'is navigated with tree keys, and copies values as they were written',
      ],
    ],
    [
      '“Error downloading exported result.” if the server sends no message',
      [PLATFORM, 'is reported with a default message if the server sends none'],
    ],
    [
      'a rejected file comes with the reason',
      ['test/e2e/data-files.test.ts', 'explains why a file is rejected and adds no paragraph'],
      [AREAS, 'are downloaded from the data files folder only'],
    ],
    [
      "“We couldn’t find any notebook matching '<b>zzz</b> $&'”",
      [SEARCH, 'shows the specified message when nothing matches, with the term as plain text'],
    ],
    [
      'packages: “You do not have permission on this page”',
      [PACKAGES, 'tells users without permission and redirects to home'],
    ],
  ],
  constants: [
    ['a ping every 10,000 ms', [CHANNEL, 'sends PING every ten seconds']],
    [
      'ten packages a page, five links',
      [PACKAGES, 'paginates by ten with five links, also with ten thousand packages'],
    ],
    [
      'versions have a fixed order; the enabled one is shown',
      [
        PACKAGE_RULES,
        'sorts newest first, counts a missing date as new, and then sorts by name',
        'shows the enabled version or the newest, with the others',
      ],
    ],
    [
      'saving revision control times out after 300,000 ms',
      [CONTROL, 'gives up after 300 seconds and says that the sync may still be running'],
    ],
    [
      'toasts of 3,000 and 6,000 ms',
      [
        'elements/ui/toasts.test.tsx',
        'disappear after their time, one after another; duplicates are shown once',
        'are dismissed by their button only',
      ],
    ],
    [
      'graphs are 300 high, tables, networks and texts at least 100, on 12 columns',
      [RESULT, 'normalize heights: below 50 is 300, below 100 is 100'],
      [
        SIZE,
        'is dragged in steps of ten pixels and one column, and stored after a pause',
        'of a text is set with the arrow keys, down to 100 pixels',
      ],
      ['test/e2e/displays.test.ts', 'narrows a paragraph from the corner of its result'],
    ],
    [
      'a network shows labels from a zoom level on, limits the zoom, and ends its layout',
      [
        NETWORK,
        'shows labels from a zoom level on',
        'shows only the final layout if the user prefers reduced motion',
        'stores its settings in their original format, with unknown fields',
      ],
    ],
    [
      'typing in the find box waits 300 ms',
      [FIND, 'waits for further keys, searches immediately on Enter'],
      [TABLE, 'filters by contained text, 300 ms after the last key'],
    ],
    [
      '“Copied!” disappears after 400 ms',
      [
        'elements/result/json.test.tsx',
        'is navigated with tree keys, and copies values as they were written',
      ],
    ],
    [
      'home 1,000 ms after signing out',
      [ROLES, 'report a failed sign-out, and confirm a successful one on the sign-in page'],
    ],
    [
      'a server is reached at its own port, also at 9000, because it serves the pages itself',
      [
        'test/e2e/port.test.ts',
        'at port 9000 serves pages and the live channel and sends nothing to port 8080',
      ],
      ['client/client.test.ts', 'derives the live address of its server'],
    ],
  ],
};
