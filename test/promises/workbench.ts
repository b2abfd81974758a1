/**
 * Promises about the workbench: screens, states, rules, roles, calls, errors and limits, each with
 * its tests.
 */
import type { Promises } from '../support/promises.ts';

const ROLES = 'test/e2e/roles.test.ts';
const WORKBENCH = 'test/e2e/workbench.test.ts';
const SINGLE = 'test/e2e/single.test.ts';
const NOTE = 'test/e2e/notebook.test.ts';
const LOOKS = 'test/e2e/looks.test.ts';
const PASSWORD = 'test/e2e/password.test.ts';
const REVISIONS = 'test/e2e/revisions.test.ts';
const SETTINGS = 'test/e2e/interpreters.test.ts';
const PACKAGES = 'test/e2e/packages.test.ts';
const NOTES = 'elements/notes/notes.test.tsx';
const LOGIN = 'elements/session/login.test.tsx';
const TOKENS = 'elements/account/access-tokens.test.tsx';
const CLUSTERS = 'elements/clusters/clusters.test.tsx';
const JOBS = 'elements/jobs/job-manager.test.tsx';
const INTERPRETERS = 'elements/interpreters/interpreters.test.tsx';
const DRAFT = 'elements/interpreters/draft.test.ts';
const CREDENTIALS = 'elements/credentials/credentials.test.tsx';
const CONFIGURATION = 'elements/configuration/configuration.test.tsx';
const PANELS = 'elements/note/panels/panels.test.tsx';
const NOTEBOOK = 'elements/note/notebook.test.tsx';
const FIND = 'elements/note/find/find-box.test.tsx';
const FORMS = 'elements/note/paragraph/forms.test.tsx';
const TOASTS = 'elements/ui/toasts.test.tsx';
const STATUS = 'elements/ui/status.test.tsx';
const PEOPLE = 'elements/ui/fields/principal-field.test.tsx';
const EDITOR = 'elements/editor/editor.test.tsx';
const SESSION = 'client/session/session.test.ts';
const DRAFTS = 'client/note/drafts/drafts.test.ts';
const PLATFORM = 'client/results/results.test.ts';
const PATHS = 'client/model/notes/note-path.test.ts';
const MODE = 'client/model/notes/interpreter-run-mode.test.ts';
const RIGHTS = 'client/model/notes/permissions.test.ts';
const STATES = 'client/model/notes/paragraph-status.test.ts';
const CONTRACT = 'test/contract/suite.ts';
const REST = 'test/rest.test.ts';
const BAD = 'test/bad-input.test.ts';
const SCHEDULES = 'test/schedules.test.ts';

/** Promises about the workbench, by topic. */
export const workbench: Promises = {
  'routes and their guard': [
    [
      'every route exists, and any other path leads home',
      [ROLES, 'are all in the table', 'redirect unknown paths home or to the sign-in'],
    ],
    [
      'account, clusters, jobs, notes, revisions and search are for signed-in users; password ' +
        'reset and the page of single sign-on are for everybody',
      [ROLES, 'as %s: shown, denied, or redirected home or to the sign-in'],
    ],
    [
      'interpreters, credentials, packages and configuration are for “global.SuperAdmin”; ' +
        'revision control is also for “magpie.OrganizationAdmin”',
      [ROLES, 'as %s: shown, denied, or redirected home or to the sign-in'],
    ],
    [
      'users who are not signed in are sent to the sign-in page with the requested path as ' +
        '“ref”, and return to it afterwards',
      [ROLES, 'as %s: shown, denied, or redirected home or to the sign-in'],
      [WORKBENCH, 'redirects anonymous visitors to the sign-in and keeps the requested page'],
      ['test/e2e/sso.test.ts', 'signs in by email address and continues to the requested page'],
    ],
    [
      'users without the role of a route are sent home',
      [ROLES, 'as %s: shown, denied, or redirected home or to the sign-in'],
    ],
    [
      'one paragraph of a note is opened by its path, also as “/paragraph?=”',
      [SINGLE, 'shows the output without the editor, the title of the note and a link back'],
    ],
    [
      '“?asIframe” embeds one paragraph',
      [
        SINGLE,
        'shows only the result in a frame',
        'reports each change of its height as text, until it settles',
      ],
    ],
    [
      'a revision of a note is shown read-only',
      [REVISIONS, 'open read-only: only search, revisions and layout remain'],
    ],
    [
      'a note does not wait for the packages; their views follow',
      [PACKAGES, 'shows the note before packages are loaded, and their views afterwards'],
    ],
    [
      'the page title is the product name after each change of the route',
      [ROLES, 'have the product title, except for notes'],
    ],
  ],
  'home and sign-in': [
    [
      'home lists the notes with a filter, the trash and the home note',
      [
        NOTES,
        'filters by any part of a name in any case, also among ten thousand notes',
        'moves notes to the trash, restores and removes one or all, after confirmation',
      ],
      [
        'test/e2e/home.test.ts',
        'shows the paragraphs with results as read-only beside the list of notes',
      ],
    ],
    [
      'the list first shows window height / 20 notes, then 10 more each time',
      [
        NOTES,
        'first shows one note per 20 px of window height, then ten more each time',
        'shows the trash in steps too, until all of it is shown',
        'limits the rows shown: closed folders hide nothing, badges count all notes',
      ],
      [
        'test/e2e/note-list.test.ts',
        'count all their notes and, while closed, leave room for other folders',
      ],
    ],
    [
      'users who are not signed in are welcomed; the hint for the first visit is not shown ' +
        'later, nor if single sign-on is the only method',
      [
        LOGIN,
        'welcomes users and shows the first-time hint if passwords are accepted',
        'shows no hint later, or if single sign-on is the only method',
      ],
    ],
    [
      'the fields of the sign-in and of the reset request are empty when they are shown again',
      [LOGIN, 'requests a password reset link; the typed address is cleared on close'],
    ],
    [
      'the page for a new password takes the token from its address, and checks it first',
      [PASSWORD, 'is reset once by a mailed link', 'is not reset by an unknown link'],
    ],
  ],
  'the page of a note': [
    [
      'the page title is the last segment of the name and the product',
      [PATHS, 'the page title is the last segment and the product'],
      [ROLES, 'have the product title, except for notes'],
    ],
    [
      'layouts are default, simple and report; a report is read-only and has no shortcuts',
      [
        LOOKS,
        'default: draws boxes and a dashed border for the empty last paragraph',
        'simple: hides borders and controls without hover or focus, keeps the title',
        'report: shows results only and disables editing and shortcuts',
      ],
    ],
    [
      'bindings, permissions, revisions and find have panels; opening one closes the others',
      [NOTE, 'reorders bound interpreters and shows one panel at a time'],
      [REVISIONS, 'are compared by a table row or two lists, paragraph by paragraph'],
      [FIND, 'has the specified width, stays in the window, and works by keyboard'],
    ],
    [
      'a revision has neither editing nor shortcuts',
      [REVISIONS, 'open read-only: only search, revisions and layout remain'],
      ['elements/note/revisions/revisions.test.tsx', 'are shown unchanged and read-only'],
    ],
    [
      'the find box is 350 px wide',
      [FIND, 'has the specified width, stays in the window, and works by keyboard'],
    ],
    [
      'a search result opens the note with the term in the find box',
      [
        'test/e2e/search.test.ts',
        'lists matches, opens the paragraph of one in the find box, and clears the term',
      ],
      [FIND, 'opens with the term set by the host page'],
    ],
  ],
  'account, clusters, jobs, settings': [
    [
      'access tokens are listed, created, switched, described and deleted; a new one is shown once',
      [
        TOKENS,
        'creates a token and shows it once',
        'disables and enables a token',
        'edits a description in place and keeps a text that was not saved',
        'deletes a token after confirmation',
      ],
    ],
    [
      'tokens are sorted by expiry, ascending; “expired”, “1 day” or days',
      [
        TOKENS,
        'lists tokens by expiry, with the specified texts',
        'sorts by each column in both directions',
      ],
    ],
    [
      'clusters are filtered by text and state, with “ALL” and each state that occurs',
      [CLUSTERS, 'filter by text and by the states present'],
    ],
    [
      'a cluster card shows name, state, health, description, driver, workers, link, when it ' +
        'started and stopped, or “Never”',
      [
        CLUSTERS,
        'show the details of each cluster',
        'depend on the distance in days',
        'are Never for a missing or invalid time',
      ],
    ],
    [
      '“Use Cluster” for a running cluster that is not current, “Stop Using Cluster” for the ' +
        'current one; the label is its name or “None”',
      [CLUSTERS, 'set and unset the current cluster after confirmation, in all elements'],
    ],
    [
      'jobs are filtered by part of the name in any case, and by interpreter: “ALL”, each, or ' +
        '“interpreter is not set”',
      [
        JOBS,
        'filters by name 300 ms after the last key, and immediately on blur',
        'filters by interpreter, sorts, and keeps the filter when its last job is gone',
        'matches part of the name in any case and treats special characters literally',
      ],
    ],
    [
      '“Recently Update” or “Oldest Updated”; running jobs stay on top',
      [
        JOBS,
        'filters by interpreter, sorts, and keeps the filter when its last job is gone',
        'sorts by last run, with running jobs on top unless that is turned off',
      ],
    ],
    [
      'a job shows last run, “RUNNING” or “READY”, percent, start and stop, type, link, ' +
        'interpreter, and a linked icon per paragraph',
      [
        JOBS,
        'shows the note, interpreter, paragraphs, last run, state and progress of a job',
        'announces a followed link to the host, which can prevent the navigation',
      ],
    ],
    [
      'interpreters have a list, a form for a new one, repositories, owners',
      [
        SETTINGS,
        'lists the interpreters by name and filters them',
        'creates an interpreter from a template, including half-typed rows',
        'manages the repositories of dependencies',
        'changes instantiation, users and properties after confirmation',
      ],
    ],
    [
      'credentials have a table, a form, editing in place and removal',
      [
        CREDENTIALS,
        'adds a credential; the password may be empty and is never shown',
        'edits a credential in place, except its entity',
        'removes a credential after confirmation',
      ],
    ],
    [
      'the configuration is listed read-only',
      [CONFIGURATION, 'lists the settings by name, read-only'],
    ],
    [
      'the durations of the last runs of a note are shown',
      [JOBS, 'shows the durations of the last runs and reloads them when a run ends'],
      [
        'server/run/history.test.ts',
        'keeps the last fifty runs, oldest first, even if they end concurrently',
      ],
      [SCHEDULES, 'as a whole are recorded with times, status and user, for its readers'],
    ],
  ],
  'the comparator of revisions': [
    [
      'the comparator has a table of names and dates, two lists to choose from, the list of ' +
        'paragraphs, and the code under “Revision: first draft --> with ice”',
      [REVISIONS, 'are compared by a table row or two lists, paragraph by paragraph'],
    ],
    [
      'added, then compared, then deleted paragraphs; identical, or “there are differences”',
      [
        'client/model/notes/revision-diff.test.ts',
        'returns added, then compared, then deleted paragraphs',
      ],
      [REVISIONS, 'are compared by a table row or two lists, paragraph by paragraph'],
    ],
  ],
  'names and objects': [
    [
      'the displayed name is that of the principal; an external identity is displayed by its ' +
        'own name',
      [RIGHTS, '%s is displayed as %s'],
    ],
    [
      'users who are not signed in are “anonymous”, with the roles “[]”',
      [RIGHTS, 'nobody is signed in as anonymous or without a name', '%j contains %j'],
    ],
    [
      'the trash is “~Trash”, recognised by the first segment of the name only',
      [PATHS, 'is recognized only by the first segment'],
    ],
    [
      'a note without a name is called Note and its id',
      [PATHS, 'a missing or blank name is replaced by the id: %j'],
      [
        'elements/search/search.test.tsx',
        'shows a card per result with name, link, title and text, with matches marked',
      ],
    ],
    [
      'Head is always the first of the revisions',
      ['client/revisions/revisions.test.ts', 'are listed after Head, newest first, and can be set'],
      [REVISIONS, 'are committed and listed in the bar, Head first, then newest first'],
    ],
    [
      'the repositories central and local always exist',
      ['test/settings.test.ts', 'are listed without their passwords; central and local stay'],
      [SETTINGS, 'manages the repositories of dependencies'],
    ],
    [
      'widths are 1 to 12 columns, font sizes 9 to 20',
      [NOTE, 'offers the menu items that apply to a paragraph and sets its width'],
      [NOTEBOOK, 'lays paragraphs out in twelve columns'],
    ],
  ],
  'start and session': [
    [
      'the ticket is requested first, and once',
      [
        SESSION,
        'is requested before anything is sent live, and every message carries it',
        'is requested once for concurrent callers',
      ],
    ],
    [
      'a ticket with an address redirects the browser there, with its own address appended; ' +
        'so does 401 with a Location',
      [
        SESSION,
        'for signing in is emitted with a ticket or 401; nobody is signed in',
        'that is refused with the address of a single sign-on reports it',
      ],
      [
        'test/e2e/sso.test.ts',
        'redirects to the provider, keeps the requested page and signs out there too',
      ],
    ],
    [
      '405 on any call ends the session; every error status is emitted',
      [SESSION, 'of any call is emitted, and 405 ends the session'],
    ],
    [
      'the public configuration is requested after the ticket, stored and announced',
      [PLATFORM, 'the public configuration is stored and announced'],
      [ROLES, 'omit revision control if the server does not support it'],
    ],
  ],
  'paragraphs and notes': [
    [
      'each status says whether the paragraph runs; a note runs if one of its paragraphs does',
      [STATES, '%s is %s with a %s', 'a note is running if any of its paragraphs is'],
    ],
    [
      'READY and FINISHED green, ABORT orange, ERROR red, PENDING gray, RUNNING blue; an ' +
        'empty circle, a spinner, filled circles',
      [STATUS, 'has a colour, a shape and a word: ${theme}'],
    ],
    [
      'a registered spell runs in the client, everything else on the server; its error is ' +
        'shown as the message',
      [
        'client/paragraph/spell.test.ts',
        'a spell runs in this client, and the other clients get its output',
        'a failing spell reports the reason',
      ],
      [PACKAGES, 'runs a spell in the page and shows its result to others'],
    ],
    [
      'a running paragraph is not run again',
      [CONTRACT, 'refuses a paragraph that is already running'],
    ],
    [
      'a changed text is saved when the editor loses the focus, or after 10,000 ms',
      [
        DRAFTS,
        'is in the journal immediately and on the server ten seconds after typing',
        "that restores the server's text needs no commit",
      ],
      [WORKBENCH, 'edits a paragraph and runs it with Shift+Enter'],
    ],
    [
      'results are outdated if the text changed after the run started',
      [STATES, 'results are outdated if the text changed after the run started'],
      [FORMS, 'show the duration, the user'],
    ],
    [
      'leaving unsaved text asks: Stay or Leave',
      [SINGLE, 'asks about unsaved text: Stay keeps page and text, Leave drops the text'],
    ],
    [
      'a note without bindings opens their panel, with the first of each name selected',
      [PANELS, 'open the bindings of a note without interpreters, with defaults selected'],
    ],
    ['a reconnect reloads the note', ['client/client.test.ts', 'is reloaded after each reconnect']],
    [
      'personal mode switches between "true" and "false", for owners only',
      [NOTE, 'switches to personal mode and back'],
      [BAD, "a %s is refused %s with upstream's message"],
    ],
    [
      'a schedule runs as the user who set it; a note without a schedule has no such user',
      [NOTE, 'schedules a note, describes the schedule and lists the next runs'],
      [SCHEDULES, 'runs the note as the user who set it, until it is removed'],
    ],
    [
      'Head leads to the note; so does a revision that was set as head',
      [REVISIONS, 'are set as head, and the page returns to the note'],
    ],
    [
      'after setting a new password, signed-in users see a message; others are sent to the ' +
        'sign-in page',
      [
        PASSWORD,
        'is reset once by a mailed link',
        'keeps a signed-in user on the page after a reset, and ends other sessions',
      ],
    ],
  ],
  'jobs, clusters, interpreters at work': [
    [
      'starting and stopping ask for confirmation; the list is replaced, merged, and loses ' +
        'removed notes',
      [
        JOBS,
        'asks before it starts or stops all paragraphs',
        'applies updates: a changed state, a new note and a removed note',
      ],
      ['client/jobs/reducer.test.ts', 'drops removed entries, including the first'],
    ],
    [
      'progress is the share of running and finished paragraphs, rounded up; a bar strictly ' +
        'between 0 and 100, otherwise stripes',
      [STATES, '%j is %i %%', '%d percent is a %s'],
      [JOBS, 'shows the note, interpreter, paragraphs, last run, state and progress of a job'],
    ],
    [
      'leaving the page ends the subscription',
      [JOBS, 'stops watching when disconnected and watches again when reconnected'],
    ],
    [
      'the current cluster is set and unset after a confirmation',
      [CLUSTERS, 'set and unset the current cluster after confirmation, in all elements'],
    ],
    [
      'while dependencies are downloaded, the settings are polled every two seconds; an error ' +
        'stays until it is dismissed',
      [INTERPRETERS, 'polls while dependencies are downloaded, and shows a persistent error toast'],
    ],
    [
      'isolated means one process and no session, scoped one session and no process, shared ' +
        'neither',
      [MODE, '%s sets session and process'],
    ],
    [
      '“Globally” if both are shared, otherwise “Per Note”, “Per User” for signed-in users',
      [MODE, '%j: %s signed in, %s anonymous'],
      [DRAFT, 'describes how a setting runs, also for signed-in users'],
    ],
    [
      'impersonation is possible only per user and isolated',
      [MODE, 'impersonation is kept only per user and isolated'],
      [DRAFT, 'sends impersonation only where it is possible'],
    ],
    ['a new setting is remote', [DRAFT, 'returns what it was given']],
  ],
  'validation of typed values': [
    ['“Passwords must match”', [PASSWORD, 'is reset once by a mailed link']],
    [
      'a note is not renamed to a blank name nor to its current name',
      [PANELS, 'do not rename a note if the typed name is blank or unchanged'],
    ],
    [
      'owners cannot be empty: after a confirmation the current user becomes the owner',
      [NOTE, 'saves permissions and confirms them'],
      [INTERPRETERS, 'makes the current user the owner of a permission without owners'],
    ],
    [
      '“Only authenticated user can set the permission.” under “No permission”',
      [PANELS, "tell anonymous users that they can't set permissions"],
      [INTERPRETERS, 'offers anonymous users neither permissions nor a process of their own'],
    ],
    [
      'users of a note are suggested from the first letter, separated by commas and spaces',
      [PEOPLE, 'accepts several names separated by commas or spaces'],
      [NOTE, 'saves permissions and confirms them'],
    ],
    [
      'owners of an interpreter are suggested from the third letter, after 250 ms, with users ' +
        'and roles in groups',
      [PEOPLE, 'requests suggestions from three letters on, 250 ms after the last key'],
      [SETTINGS, 'changes instantiation, users and properties after confirmation'],
    ],
    [
      '“Please fill in interpreter name and choose a group”',
      [SETTINGS, 'creates an interpreter from a template, including half-typed rows'],
      [DRAFT, 'requires a valid name'],
    ],
    [
      "“'.' is invalid for interpreter name”",
      [SETTINGS, 'creates an interpreter from a template, including half-typed rows'],
      [DRAFT, 'requires a valid name'],
    ],
    [
      '“Name sql already exists”',
      [SETTINGS, 'creates an interpreter from a template, including half-typed rows'],
    ],
    [
      '“Username  Entity can not be empty.”; the password can be empty',
      [
        CREDENTIALS,
        "requires entity and username: '${entity}', '${username}'",
        'adds a credential; the password may be empty and is never shown',
      ],
    ],
    [
      '“Since entity is a unique key, you can edit only username & password”',
      [CREDENTIALS, 'edits a credential in place, except its entity'],
    ],
    [
      'a number keeps only digits, dot and minus',
      [SETTINGS, 'creates an interpreter from a template, including half-typed rows'],
      [INTERPRETERS, "reopens the form when a change is rejected or the server can't be reached"],
    ],
    [
      "“All the paragraphs can't be deleted.”",
      [CONTRACT, 'keeps the last paragraph'],
      [NOTE, 'keeps the only paragraph'],
    ],
    [
      'an index outside the note is invalid',
      [BAD, 'an index outside the note (%i) is refused for moving and inserting'],
    ],
    [
      'form values are parsed by their type, otherwise their default is used',
      ['client/model/notes/form-values.test.ts', '%j as %s with fallback %j: %j'],
    ],
  ],
  'roles and rights': [
    [
      'roles have the prefix of their source; one of several is enough',
      [RIGHTS, 'are compared exactly', '%j contains %j'],
    ],
    [
      'owners, writers, runners, readers; an owner is named directly, or by a role with ' +
        'notebook_admin',
      [RIGHTS, '%s with roles %j: %s', 'an empty list means everybody'],
      [BAD, "a %s is refused %s with upstream's message"],
    ],
    [
      "“Insufficient privileges” with the server's message: Login, or Cancel, which leaves " +
        'the note',
      [PANELS, 'show why permissions were not saved, with Login and Cancel'],
      [SINGLE, 'goes home if the note is removed elsewhere, and reports lost permissions'],
    ],
    [
      'access tokens are for users with the role AccessToken',
      [
        ROLES,
        'as %s: shown, denied, or redirected home or to the sign-in',
        'are in the navigation of users who may open them only',
      ],
      [
        'test/e2e/account.test.ts',
        'shows users without the role a message and sends them to the home page',
      ],
    ],
    [
      'anonymous users have interpreters per note or globally',
      [INTERPRETERS, 'offers anonymous users neither permissions nor a process of their own'],
    ],
    ['owners restrict an interpreter', ['test/settings.test.ts', 'with owners serves only them']],
    [
      'a result names the last user who ran it, or “anonymous”',
      ['client/model/notes/run-times.test.ts', 'contains duration, user and date'],
      [FORMS, 'show the duration, the user'],
    ],
  ],
  calls: [
    [
      'each call has its path, method, body and answer',
      [REST, '%s answers in its envelope, with the body that the protocol defines'],
      ['client/rest/rest-client.test.ts', 'sends its data as the protocol defines'],
    ],
    [
      'calls carry credentials and the header X-Requested-With',
      [
        'client/rest/rest-client.test.ts',
        'is sent if there is no page',
        "is sent to the page's own server only: the preflight of others would fail",
      ],
    ],
    [
      'the lists of jobs and of notes are sent on the live channel',
      [
        'test/lists.test.ts',
        'each rename is answered with its list, and watchers end with the newest',
      ],
      [SCHEDULES, 'contains changes since a given time, over REST and live'],
    ],
  ],
  errors: [
    [
      'a ticket call answered with 401 and a Location redirects the browser there',
      [
        'test/e2e/sso.test.ts',
        'redirects to the provider, keeps the requested page and signs out there too',
      ],
      [SESSION, 'for signing in is emitted with a ticket or 401; nobody is signed in'],
    ],
    ['405 signs the user out', [SESSION, 'of any call is emitted, and 405 ends the session']],
    [
      'any other error status is emitted',
      [SESSION, 'of any call is emitted'],
      ['client/rest/rest-client.test.ts', 'rejects with status, method, path'],
    ],
    [
      'tokens: “You do not have permission on this page”, home after 3 s',
      [TOKENS, 'redirects users without permission to home (${status})'],
      [ROLES, 'as %s: shown, denied, or redirected home or to the sign-in'],
    ],
    [
      'credentials: “You do not have permission on this page”',
      [CREDENTIALS, 'redirects users without permission to home (${status})'],
    ],
    [
      'configuration: “You do not have permission on this page”',
      [CONFIGURATION, 'redirects users without permission to home (${status})'],
    ],
    [
      'interpreters: “You do not have permission on this page”',
      [INTERPRETERS, 'redirects users without permission'],
    ],
    [
      "a refused reset token shows the server's message, or “password reset service has hit a " +
        'snag. Please try again.” after the product name',
      [
        PASSWORD,
        'is not reset by an unknown link',
        'reports a failure without a message from the server',
      ],
    ],
    [
      "a refused new password shows the server's message",
      [PASSWORD, 'keeps a signed-in user on the page after a reset, and ends other sessions'],
    ],
    [
      '“There is a problem with this Revision”',
      [
        'elements/note/revisions/revisions.test.tsx',
        'without an id report a problem and do not navigate',
      ],
      [REVISIONS, 'show an error for an unknown revision and go home'],
    ],
    [
      "“Error restart interpreter.” with the server's message",
      [INTERPRETERS, 'shows why a restart failed, and when it succeeded'],
      [PANELS, 'report that an interpreter was stopped, or why it was not'],
    ],
    [
      '“Interpreter stopped. Will be lazily started on next run.”',
      [INTERPRETERS, 'shows why a restart failed, and when it succeeded'],
      [PANELS, 'report that an interpreter was stopped, or why it was not'],
    ],
    [
      'permissions that cannot be saved: “Insufficient privileges”',
      [PANELS, 'show why permissions were not saved'],
    ],
    [
      'no suggestions if users cannot be loaded',
      [PEOPLE, "accepts any text without suggestions if they can't be loaded"],
    ],
    [
      '“Do you want to leave this site?”, “Changes that you have made will not be saved.”',
      [SINGLE, 'asks about unsaved text: Stay keeps page and text, Leave drops the text'],
    ],
    [
      '“Interpreter setting changes will be discarded.”',
      [PANELS, 'open the bindings of a note without interpreters, with defaults selected'],
      [INTERPRETERS, 'keeps typed text when texts are replaced, and asks before it is discarded'],
    ],
    ['“Changes will be discarded.”', [NOTE, 'saves permissions and confirms them']],
    [
      '“Do you want to reload this site?” while a text is unsaved',
      [NOTEBOOK, 'makes the browser ask before unsaved text is lost with the page, and only then'],
    ],
    [
      '“Error saving personal access token.”',
      [TOKENS, 'keeps the typed values when the server rejects a token'],
    ],
    ['“Error updating personal access token status.”', [TOKENS, 'disables and enables a token']],
    [
      '“Error updating personal access token description.”',
      [TOKENS, 'edits a description in place and keeps a text that was not saved'],
    ],
    ['“Error deleting personal access token.”', [TOKENS, 'deletes a token after confirmation']],
    [
      '“Successfully created personal access token.”',
      [TOKENS, 'creates a token and shows it once'],
    ],
    [
      '“Successfully updated personal access token status.”',
      [TOKENS, 'disables and enables a token'],
    ],
    [
      '“Successfully updated personal access token description.”',
      [TOKENS, 'edits a description in place and keeps a text that was not saved'],
    ],
    [
      '“Successfully deleted personal access token.”',
      [TOKENS, 'deletes a token after confirmation'],
    ],
    [
      "a cluster that cannot be set shows the server's message, or “Server Error”",
      [CLUSTERS, "show '${message}' when a cluster can't be used, and the current state"],
    ],
    [
      "clusters that cannot be loaded show the server's message, or “Error loading clusters”",
      [CLUSTERS, "show '${message}' when loading fails, and retry"],
    ],
    [
      '“Set current cluster to: main.”, “Unset current cluster.”',
      [CLUSTERS, 'set and unset the current cluster after confirmation, in all elements'],
    ],
    [
      "“Execution Failure” or “Stop Failure” with the server's message, or “SERVER ERROR”",
      [JOBS, "shows '${title}' with '${message}'"],
    ],
    [
      "a setting that cannot be created or changed shows the server's message, or “Could not " +
        'connect to server.”; the form opens again',
      [INTERPRETERS, "reopens the form when a change is rejected or the server can't be reached"],
      [SETTINGS, 'creates an interpreter from a template, including half-typed rows'],
    ],
    [
      '“Error downloading dependencies”, “Error setting properties for interpreter”',
      [INTERPRETERS, 'polls while dependencies are downloaded, and shows a persistent error toast'],
    ],
    [
      '“No spark application running”',
      [INTERPRETERS, "opens an engine's page, or shows its message or that nothing is running"],
    ],
    [
      '“Successfully saved credentials.”',
      [CREDENTIALS, 'adds a credential; the password may be empty and is never shown'],
    ],
    [
      '“Error saving credentials”',
      [CREDENTIALS, 'keeps the typed values when the server rejects a credential'],
    ],
    [
      '“We could not save the credential”',
      [
        CREDENTIALS,
        'keeps the row open when the server rejects a change, and restores it on cancel',
      ],
    ],
    [
      "“Cannot find a paragraph with id 'nowhere'”, also for a link to a missing paragraph",
      ['client/note/scripting.test.ts', 'that the note does not have is reported'],
      [SINGLE, 'explains that a paragraph does not exist'],
    ],
    [
      'a script that names a missing paragraph reports it',
      ['elements/result/angular.test.tsx', 'explains missing arguments'],
      ['test/e2e/angular.test.ts', 'show a toast if the paragraph to run is missing or unknown'],
    ],
  ],
  constants: [
    [
      'autosave after 10,000 ms',
      [DRAFTS, 'is in the journal immediately and on the server ten seconds after typing'],
    ],
    [
      'toasts disappear after 6,000 ms or with their button, not by a click elsewhere; ' +
        'duplicates are shown once',
      [
        TOASTS,
        'disappear after their time, one after another; duplicates are shown once',
        'are dismissed by their button only',
      ],
    ],
    [
      'toasts of a note are shown at its foot for 3,000 ms',
      [TOASTS, 'are dismissed by their button only'],
    ],
    [
      'schedules None, 1m, 5m, 1h, 3h, 6h, 12h, 1d',
      ['client/model/notes/cron-presets.test.ts', 'offers the documented schedules in order'],
    ],
    ['ten clusters a page, five links', [CLUSTERS, 'paginate by ten']],
    [
      'ten jobs a page, five links',
      [JOBS, 'shows ten of ten thousand jobs, and re-renders only the row that changes'],
    ],
    [
      'settings are polled every 2,000 ms during a download',
      [INTERPRETERS, 'polls while dependencies are downloaded, and shows a persistent error toast'],
    ],
    [
      'users are sent home 3 s after a refusal',
      [ROLES, 'as %s: shown, denied, or redirected home or to the sign-in'],
    ],
    [
      'completion labels have at most 42 characters',
      [EDITOR, "completes with labels shortened to 42 characters, in the server's order"],
    ],
    [
      'revision dates are “MMMM Do YYYY, h:mm a”, in the comparator “MMMM Do YYYY, h:mm:ss a”',
      [
        REVISIONS,
        'are committed and listed in the bar',
        'are compared by a table row or two lists, paragraph by paragraph',
      ],
      ['client/model/text/date-format.test.ts', '%s'],
    ],
    [
      '“Took 1 min 3 sec. Last updated by ana at November 21 2026, 7:01:03 AM.”',
      ['client/model/notes/run-times.test.ts', 'contains duration, user and date'],
    ],
  ],
};
