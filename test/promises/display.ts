/** Display of results, packages, revision control, search, import and sign-in: states, rules, errors and limits, each with the tests that show it. Widgets of platform objects and profiles: widgets.ts. */
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
const TEXT = 'elements/result/text.test.tsx';
const CHARTS = 'elements/result/chart-views.test.tsx';
const SIZE = 'elements/result/size.test.tsx';
const SESSION = 'client/session/session.test.ts';
const PLATFORM = 'client/platform/platform.test.ts';
const CHANNEL = 'client/channel/channel.test.ts';
const FORMS = 'elements/paragraph/forms.test.tsx';
const SINGLE = 'test/e2e/single.test.ts';
const NAMES = 'client/model/note-name.test.ts';
const MAGIC = 'client/model/magic.test.ts';
const PARSED = 'client/model/display.test.ts';
const HELIUM = 'test/helium.test.ts';
const AREAS = 'test/areas.test.ts';
const CONTRACT = 'test/contract/suite.ts';

/** See the head of this file. */
export const display: Promises = {
  screens: [
    [
      'find marks, goes on and back, replaces one and all; what is typed waits 300 ms',
      [
        FIND,
        'marks every hit, goes round them',
        'replaces the current hit and goes on',
        'says at the field what is wrong with an expression',
        'waits for further keys, searches at once on Enter',
      ],
    ],
    [
      'table, bar, pie, area, line, scatter and network; the table first',
      [CHARTS, 'are switched in the order and by the names of the specification'],
      [NETWORK, 'is drawn, with what there is in it, and is a table too'],
    ],
    [
      'packages: a page a type, versions, settings, an order by dragging',
      [
        PACKAGES,
        'shows a row: markup that is filtered',
        'turns a version on after a question',
        'puts views in order by keys',
      ],
      [CATALOGUE, 'has the display order, dragged by the mouse and saved'],
    ],
    [
      'revision control is there where the server says that it keeps revisions',
      [CONTROL, 'is not there where the server keeps no revisions'],
      [ROLES, 'lack revision control where the server says that it keeps none'],
    ],
    [
      'what a search has found, with marks',
      [SEARCH, 'has a card for each hit'],
      ['elements/search/hits.test.ts', 'is of a note or of a paragraph'],
    ],
    [
      'the term of a search is gone when its page is left',
      [
        'test/e2e/search.test.ts',
        'leads from the field to the hits, and from a hit to its paragraph; then the term is gone',
      ],
    ],
    [
      'dialogs to create, clone, import and rename',
      [
        NOTES,
        'is named after the next free number',
        'renames to no blank name',
        'says why an address is not taken',
      ],
      ['test/e2e/home.test.ts', 'makes a note in a folder'],
    ],
    [
      'the list beside a note has ten notes, and ten more each time',
      [NOTES, 'beside a note has ten notes, the one that is shown among them'],
    ],
    [
      'after the sign-in “ref” says where to, after the sign-out it is home',
      ['test/e2e/workbench.test.ts', 'sends whoever is not signed in to the sign-in'],
      [ROLES, 'tell who cannot be signed out why'],
    ],
  ],
  states: [
    [
      'what a run prints is appended while it runs, to a table too when it is over',
      [TABLE, 'shows rows as they stream'],
      [TEXT, 'draws only what is new while it streams'],
      ['client/paragraph/reducer.test.ts', 'is replaced by the results at its end'],
    ],
    [
      'settings of a graph are stored when the paragraph does not run',
      [TABLE, 'keeps a change to itself while the paragraph runs'],
    ],
    [
      'an application is unloaded until the server tells more',
      [
        'client/paragraph/apps.test.ts',
        'an application is loaded, prints, is loaded anew, and goes',
      ],
    ],
    [
      'revision control: not configured, saving, configured; success, error and time-out',
      [
        CONTROL,
        'goes from not configured over saving to configured, and back',
        'says what a failed sync says',
        'gives up after 300 seconds',
      ],
    ],
    [
      'the import has two steps, with a way back',
      [NOTES, 'says why an address is not taken: none, or nobody there'],
    ],
    ['“Signing In” while it goes on', [LOGIN, 'is busy while it goes on']],
    [
      'an ended session clears who it was and comes home with the wanted path',
      [
        SESSION,
        'is told, and answered by one new ticket',
        'without a new ticket to be had is the end',
      ],
      ['test/e2e/account.test.ts', 'are made, used, described'],
    ],
    [
      'connected or not; a ping every 10,000 ms while it is open',
      [
        CHANNEL,
        'goes from idle over connecting to open',
        'sends PING every ten seconds while it is open, and not while it is not',
      ],
    ],
    [
      'notes go to the trash, come back one, a folder, all; are removed one, all',
      [NOTES, 'moves to the trash, restores and removes, one and all, after its questions'],
      [
        CONTRACT,
        'renames, clones, trashes, restores and removes a note',
        'renames and trashes a folder with everything in it',
      ],
    ],
    [
      '“Logout Success”, then home after 1,000 ms',
      [ROLES, 'tell who cannot be signed out why, and who is that he is, before the sign-in'],
    ],
    [
      'a sign-out with an address goes there, or calls it',
      [SESSION, 'for signing out (isLogoutAPI %s) is told as %s'],
      [
        'test/e2e/sso.test.ts',
        'goes there by itself, keeps the wanted page, and ends the session there too',
      ],
    ],
  ],
  imports: [
    [
      '“File size limit Exceeded!” above the limit of the server, which is told in MB, rounded',
      [NOTES, 'says why a file is not taken: too large, not JSON, no note'],
    ],
    ['“Unable to Fetch URL”', [NOTES, 'says why an address is not taken: none, or nobody there']],
    ['“Enter URL”', [NOTES, 'says why an address is not taken: none, or nobody there']],
    ['“JSON parse exception”', [NOTES, 'says why a file is not taken']],
    ['“Invalid JSON” without paragraphs', [NOTES, 'says why a file is not taken']],
    [
      'a name that is given replaces that of the note',
      [NOTES, 'gives the note the name that was typed, else its own'],
    ],
  ],
  names: [
    ['a name is not blank', [NOTES, 'renames to no blank name and to none that cannot be']],
    [
      'paths of folders: backslashes, doubled slashes and those at the ends',
      ['client/model/note-path.test.ts', '%j becomes %j'],
      [NOTES, 'renames to no blank name'],
    ],
    [
      '“WARNING! The folder will be MERGED” before two become one',
      [
        NOTES,
        'renames to no blank name and to none that cannot be, and asks before folders are merged',
      ],
    ],
    [
      '“Untitled Note 2”, the next free number, in the folder; a clone its source and the next number',
      [NOTES, 'is named after the next free number, in the folder it is made in'],
      [NAMES, '%j in %j: %j', '%j among %j: %j', 'is always free'],
    ],
  ],
  values: [
    [
      'the domain of single sign-on is what follows the at sign',
      [LOGIN, 'goes to single sign-on by the domain behind the at sign'],
      [SESSION, 'of a single sign-on names the domain behind the at sign'],
    ],
    [
      'settings of packages are numbers, JSON or text; what cannot be read stays as given',
      [PACKAGES, 'saves settings: numbers and JSON as such'],
      [CATALOGUE, 'keeps settings with their types'],
    ],
    [
      'a height under 50 is 300, under 100 it is 100',
      [RESULT, 'correct heights: under 50 is 300, under 100 is 100'],
      [TABLE, 'is resized by the handle, in steps of 10 down to 100'],
    ],
    [
      'the language of the editor by the magic',
      [MAGIC, '%j is %s'],
      ['elements/editor/in-a-note.test.tsx', 'asks how its language is treated'],
    ],
    [
      'outputs by “%element”, “%table”, “%html”, “%angular”, “%text” and “%network”, or the name of the type',
      [PARSED, '%j', 'an unknown name loses nothing'],
    ],
    [
      'files of a table are quoted',
      ['client/model/csv.test.ts', 'quote what needs quotes and nothing else'],
      [TABLE, 'saves all rows in their order as CSV and TSV'],
    ],
  ],
  roles: [
    [
      'a live message says who sends it',
      [CHANNEL, 'goes from idle over connecting to open, and sends each message with the identity'],
      ['test/bad-input.test.ts', 'the ticket of one does not speak for another'],
    ],
    [
      '“Insufficient privileges”: Close for who has no roles, else Login or Cancel, which leads home',
      [FORMS, 'shows what the server says unasked, until its button ends it'],
      [SINGLE, 'is home when somebody else removes it, and a right that was lost is said'],
    ],
    [
      'a revision is not edited',
      [
        'elements/note/revisions/revisions.test.tsx',
        'are shown as they were, and nothing can be done to them',
      ],
    ],
  ],
  'calls and operations': [
    [
      'each call of packages, results, files, search, sign-in and revision control has its path and answer',
      ['test/rest.test.ts', '%s answers its envelope, with what the protocol says it answers'],
    ],
    [
      'each live operation is refused by name without its fields, and answered with them',
      ['test/bad-input.test.ts', '%s without its fields is refused by name'],
      ['test/describe.test.ts', 'has every operation of both sides'],
    ],
    [
      'a result is looked for by HEAD; why it is missing is asked for by GET',
      [PLATFORM, 'is told in the words of the server, which the same path says'],
      [AREAS, 'are had in each format, with a name and a length; HEAD tells the same'],
    ],
    [
      'its file is “magpie_export” with its time in UTC and its ending',
      ['client/model/exported-result.test.ts', 'of %s at %s is %s'],
    ],
    [
      'the search asks with q, and answers notes and paragraphs',
      [SEARCH, 'has a card for each hit'],
      [AREAS, 'finds what the caller may read, as it is now'],
    ],
    [
      'packages are listed, turned on and off, ordered, set, suggested and loaded',
      [
        AREAS,
        'are listed, turned on and off, and their scripts fetched while they are on',
        'keep what is set of them',
        'run an application on a paragraph',
      ],
      [HELIUM, 'is searched by keyword'],
    ],
  ],
  errors: [
    [
      "“We couldn't get the revision control configuration for this notebook!”, 3 s",
      [CONTROL, 'says when it could not be read, saved or removed'],
    ],
    [
      "“We couldn't save the revision control configuration for this notebook. Please try again.”, 6 s",
      [CONTROL, 'says when it could not be read, saved or removed'],
    ],
    [
      "“We couldn't remove the revision control configuration for this notebook. Please try again.”",
      [CONTROL, 'says when it could not be read, saved or removed'],
    ],
    [
      'a time-out says that it may still go on, and what to do',
      [CONTROL, 'gives up after 300 seconds, and says that it may still go on'],
    ],
    [
      '“There was an error applying the given revision control configuration”, which is gone then',
      [CONTROL, 'says what a failed sync says; the configuration is gone then'],
      [REMOTE, 'is refused by the remote, and keeps what was typed'],
    ],
    [
      '“Change to revision control configuration was successfully applied.”',
      [CONTROL, 'goes from not configured over saving to configured'],
      [REMOTE, 'is configured, with the token masked, and pushes the notes'],
    ],
    [
      "“The username and password that you entered don't match.”",
      [LOGIN, 'is busy while it goes on, and says when name and password do not fit'],
      ['test/e2e/workbench.test.ts', 'sends whoever is not signed in to the sign-in'],
    ],
    [
      'what the server says of an ended session stands at the sign-in',
      [LOGIN, 'shows what the server says when it ends a session'],
    ],
    [
      '“If an active user exists with that email, we have sent a password reset link”; a failure in the server’s words',
      [LOGIN, 'asks for a link that sets a new password'],
      [PASSWORD, 'is set anew by the link of a letter, once'],
    ],
    ['“Password successfully updated.”', [PASSWORD, 'is set anew by the link of a letter, once']],
    [
      '“Error on enabling”, “Error on disabling” with the server’s words',
      [PACKAGES, 'says why it could not be turned on or off'],
    ],
    [
      '“Error on saving order” with the server’s words',
      [PACKAGES, 'puts views in order by keys, asks before it saves, and says why it failed'],
    ],
    [
      'ERROR_INFO: “Details” with its text, as text',
      [FORMS, 'shows what the server says unasked, until its button ends it'],
    ],
    ['NOTICE: a toast', [FORMS, 'shows what the server says unasked']],
    [
      '“Your browser is too old or too weird to support log out functionality”; a browser that can ask at all is signed out at the server, and sends no password',
      [
        ROLES,
        'tell whom an old browser cannot sign out, and leave him signed in',
        'sign out a browser without XMLHttpRequest too, at the server and without a password',
        'tell who cannot be signed out why',
      ],
      [
        'test/rest-sessions.test.ts',
        'signing out answers 401, and the session is gone on REST and on the live channel',
      ],
    ],
    [
      '“Copied!”, “Not supported browser”',
      [
        'elements/result/json.test.tsx',
        'goes by the keys of a tree, and copies values as they were written',
      ],
    ],
    [
      '“Error downloading exported result.” where the server says nothing',
      [PLATFORM, 'and of which the server says nothing has a sentence all the same'],
    ],
    [
      'a file that is not taken says why',
      ['test/e2e/data-files.test.ts', 'says why a file is not taken, and adds nothing'],
      [AREAS, 'are had from the folder of files and from nowhere else'],
    ],
    [
      "“We couldn’t find any notebook matching '<b>zzz</b> $&'”",
      [
        SEARCH,
        'says when nothing is found, in the words of the specification, and shows a term as text',
      ],
    ],
    [
      'packages: “You do not have permission on this page”',
      [PACKAGES, 'says that one may not see it, and asks for home'],
    ],
  ],
  constants: [
    ['a ping every 10,000 ms', [CHANNEL, 'sends PING every ten seconds']],
    [
      'ten packages a page, five links',
      [PACKAGES, 'has pages of ten with five links, also of ten thousand'],
    ],
    [
      'the order of versions, and what is on',
      [PACKAGE_RULES, 'are newest first', 'show the version that is on, else the newest'],
    ],
    ['a save of revision control is given 300,000 ms', [CONTROL, 'gives up after 300 seconds']],
    [
      'toasts of 3,000 and 6,000 ms',
      ['elements/ui/toasts.test.tsx', 'go after their time', 'are dismissed by their button'],
    ],
    [
      'graphs are 300 high, tables, networks and texts at least 100, on 12 columns',
      [RESULT, 'correct heights'],
      [SIZE, 'is dragged in steps of ten pixels and of a column'],
      ['test/e2e/displays.test.ts', 'makes a paragraph narrower by the corner of its result'],
    ],
    [
      'labels of a network from a zoom on; its range; when its layout ends',
      [
        NETWORK,
        'writes labels from a zoom level on',
        'is laid out before it is shown where motion is unwanted',
        'stores its settings as they travel',
      ],
    ],
    [
      'what is typed to find waits 300 ms',
      [FIND, 'waits for further keys, searches at once on Enter'],
      [TABLE, 'filters by what a column contains, 300 ms after the last key'],
    ],
    [
      '“Copied!” goes after 400 ms',
      ['elements/result/json.test.tsx', 'goes by the keys of a tree, and copies values'],
    ],
    ['home 1,000 ms after the sign-out', [ROLES, 'tell who cannot be signed out why']],
    [
      'a server is reached at the port it has, also at 9000: pages come from the server itself',
      [
        'test/e2e/port.test.ts',
        'at port 9000 is reached there, by its pages and live, and nothing is asked of port 8080',
      ],
      ['client/client.test.ts', 'names the live address of its server'],
    ],
  ],
};
