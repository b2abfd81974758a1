/** Screens, states, rules, roles, calls, errors and limits of the workbench, each with the tests that show it. */
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
const FORMS = 'elements/paragraph/forms.test.tsx';
const TOASTS = 'elements/ui/toasts.test.tsx';
const STATUS = 'elements/ui/status.test.tsx';
const PEOPLE = 'elements/ui/principal-field.test.tsx';
const EDITOR = 'elements/editor/editor.test.tsx';
const SESSION = 'client/session/session.test.ts';
const DRAFTS = 'client/note/drafts.test.ts';
const PLATFORM = 'client/platform/platform.test.ts';
const PATHS = 'client/model/note-path.test.ts';
const MODE = 'client/model/run-mode.test.ts';
const RIGHTS = 'client/model/permissions.test.ts';
const STATES = 'client/model/status.test.ts';
const CONTRACT = 'test/contract/suite.ts';
const REST = 'test/rest.test.ts';
const BAD = 'test/bad-input.test.ts';
const SCHEDULES = 'test/schedules.test.ts';

/** See the head of this file. */
export const workbench: Promises = {
  'routes and their guard': [
    [
      'every route is there, and any other path leads home',
      [ROLES, 'are all in the table', 'that are none lead home, or to the sign-in'],
    ],
    [
      'account, clusters, jobs, notes, revisions, search are for who is signed in; password reset and the page of single sign-on for everybody',
      [ROLES, 'as %s: shown, refused, sent home or to the sign-in'],
    ],
    [
      'interpreters, credentials, packages and configuration are for “global.SuperAdmin”; revision control for “magpie.OrganizationAdmin” too',
      [ROLES, 'as %s: shown, refused, sent home or to the sign-in'],
    ],
    [
      'who is not signed in comes to the sign-in with the wanted path as “ref”, and goes there afterwards',
      [ROLES, 'as %s: shown, refused'],
      [WORKBENCH, 'sends whoever is not signed in to the sign-in'],
      ['test/e2e/sso.test.ts', 'signs in by the address, and ends at the page that was wanted'],
    ],
    [
      'who lacks the role of a route is sent home',
      [ROLES, 'as %s: shown, refused, sent home or to the sign-in'],
    ],
    [
      'one paragraph of a note by its path, also as “/paragraph?=”',
      [SINGLE, 'is shown alone, without its editor'],
    ],
    [
      '“?asIframe” embeds one paragraph',
      [SINGLE, 'in a frame shows nothing but the result', 'tells its height each time it changes'],
    ],
    [
      'a revision of a note is shown to be read',
      [REVISIONS, 'open read-only: nothing but finding, revisions and the look is there'],
    ],
    [
      'views of packages are there when the note is',
      [PACKAGES, 'a view of a package draws in its frame, after the own views'],
    ],
    [
      'the title of the page is the product at each change of the route',
      [ROLES, 'have the title of the product, and a note its own'],
    ],
  ],
  'home and sign-in': [
    [
      'list of notes with a filter, the trash and the home note',
      [NOTES, 'filters by any part of a name', 'moves to the trash, restores and removes'],
      [
        'test/e2e/home.test.ts',
        'shows it to be read, with what has a result, beside the list of notes',
      ],
    ],
    [
      'window height / 20 notes at first, then steps of 10',
      [
        NOTES,
        'shows at first as many notes as the window is high by 20, then ten more each time',
        'shows what is in the trash in steps too',
      ],
    ],
    [
      'a welcome where nobody is signed in; the prompt for the first time not later, and not where single sign-on is the only way',
      [
        LOGIN,
        'welcomes, and prompts who is there for the first time',
        'has no such prompt later, nor where single sign-on is the only way',
      ],
    ],
    [
      'fields of the sign-in and of the request for a link are empty when they come back',
      [LOGIN, 'asks for a link that sets a new password; what was typed is gone when that closes'],
    ],
    [
      'a page for a new password takes the token from its address, and looks at it first',
      [
        PASSWORD,
        'is set anew by the link of a letter, once',
        'is not set by a link that nobody got',
      ],
    ],
  ],
  'the page of a note': [
    [
      'its title is the last part of the name and the product',
      [PATHS, 'the page title is the last segment and the product'],
      [ROLES, 'have the title of the product, and a note its own'],
    ],
    [
      'looks default, simple and report; a report is only read, keys off',
      [
        LOOKS,
        'default: boxes',
        'simple: white, no borders and no controls',
        'report: results alone, nothing that changes the note, keys off',
      ],
    ],
    [
      'panels for bindings, permissions, revisions, find; one opens and the others close',
      [NOTE, 'binds interpreters in an order, one panel at a time'],
      [REVISIONS, 'are compared: by a row with the one before it'],
      [FIND, 'is as wide as told, inside the window, and opens and closes by its keys'],
    ],
    [
      'a revision has neither editing nor keys',
      [REVISIONS, 'open read-only: nothing but finding'],
      [
        'elements/note/revisions/revisions.test.tsx',
        'are shown as they were, and nothing can be done to them',
      ],
    ],
    ['the find box is 350 px wide', [FIND, 'is as wide as told, inside the window']],
    [
      'a hit of the search opens the note with the find box at it',
      [
        'test/e2e/search.test.ts',
        'leads from the field to the hits, and from a hit to its paragraph',
      ],
      [FIND, 'is open with a term that the page names'],
    ],
  ],
  'account, clusters, jobs, settings': [
    [
      'access tokens: list, create, switch, describe, delete; a new one is shown once',
      [
        TOKENS,
        'are made and shown once',
        'are switched off and on',
        'are described where they stand',
        'are deleted after a question',
      ],
    ],
    [
      'tokens by expiry, ascending; “expired”, “1 day” or days',
      [
        TOKENS,
        'are listed by expiry, in the words of the specification',
        'are ordered by each column, both ways',
      ],
    ],
    [
      'clusters with text and state filter, “ALL” and each state that is there',
      [CLUSTERS, 'are filtered by text and by a state that is there'],
    ],
    [
      'a card of a cluster: name, state, health, description, driver, workers, link, when it started and stopped, or “Never”',
      [
        CLUSTERS,
        'show what is known of each',
        'are told by the distance in days',
        'are Never where there is none that can be read',
      ],
    ],
    [
      '“Use Cluster” where it runs and is not the current one, “Stop Using Cluster” where it is; the label is its name or “None”',
      [CLUSTERS, 'are used after a question, by all that is on the page'],
    ],
    [
      'jobs by part of the name in any case, and by interpreter: “ALL”, each, or “interpreter is not set”',
      [
        JOBS,
        'filters by name 300 ms after the last key',
        'filters by interpreter, sorts, and keeps what is chosen',
        'takes a part of the name in any case',
      ],
    ],
    [
      '“Recently Update” or “Oldest Updated”; what runs stays on top',
      [
        JOBS,
        'filters by interpreter, sorts',
        'sorts by the last run, what runs on top unless that is off',
      ],
    ],
    [
      'a job: last run, “RUNNING” or “READY”, percent, start and stop, type, link, interpreter, one sign a paragraph with its link',
      [
        JOBS,
        'shows a job: type, name, folder, interpreter, paragraphs, last run, state, progress',
        'tells the host of a link',
      ],
    ],
    [
      'interpreters: list, form for a new one, repositories, owners',
      [
        SETTINGS,
        'lists them by name and finds one',
        'makes one from a template',
        'knows where dependencies come from',
        'changes how one runs, who may use it',
      ],
    ],
    [
      'credentials: table, form, change in place, removal',
      [
        CREDENTIALS,
        'are added; the password may be empty',
        'are changed where they stand; their entity is not',
        'are removed after a question',
      ],
    ],
    ['the configuration is listed to be read', [CONFIGURATION, 'is listed by name, to read']],
    [
      'how long the last runs of a note took',
      [JOBS, 'shows how long the last runs took'],
      ['app/server/run/history.test.ts', 'are the last fifty, oldest first'],
      [SCHEDULES, 'as a whole are kept: from when to when'],
    ],
  ],
  'the comparator of revisions': [
    [
      'a table of names and dates, two lists to choose from, the list of paragraphs, the code under “Revision: first draft --> with ice”',
      [
        REVISIONS,
        'are compared: by a row with the one before it, by two lists, paragraph by paragraph',
      ],
    ],
    ['“Please select a revision” and “Nothing to display”', [REVISIONS, 'are compared: by a row']],
    [
      'added, then compared, then deleted; identical, or “there are differences”',
      ['client/model/compare.test.ts', 'added, then compared, then deleted'],
      [REVISIONS, 'are compared: by a row'],
    ],
  ],
  'names and objects': [
    [
      'the name on the screen is that of the principal, or within an external identity its name',
      [RIGHTS, '%s is shown as %s'],
    ],
    [
      'nobody is signed in as “anonymous”, with the roles “[]”',
      [RIGHTS, 'nobody is signed in as anonymous or without a name', '%j holds %j'],
    ],
    [
      'the trash is “~Trash”, by the first part of the name alone',
      [PATHS, 'only the first segment tells'],
    ],
    [
      'a note without a name is Note and its id',
      [PATHS, 'a missing or blank name is shown by id'],
      ['elements/search/search.test.tsx', 'has a card for each hit'],
    ],
    [
      'Head is the first of the revisions, always',
      ['client/revisions/revisions.test.ts', 'are listed behind Head, newest first, and set'],
      [REVISIONS, 'are committed and listed in the bar, Head first'],
    ],
    [
      'the repositories central and local are there and stay',
      ['test/settings.test.ts', 'are listed without their passwords; central and local stay'],
      [SETTINGS, 'knows where dependencies come from'],
    ],
    [
      'columns from 1 to 12, type sizes from 9 to 20',
      [NOTE, 'has in the menu of a paragraph what makes sense for it, and measures'],
      [NOTEBOOK, 'lays paragraphs out in twelve columns'],
    ],
  ],
  'start and session': [
    [
      'the ticket comes first, once',
      [
        SESSION,
        'comes first: nothing is sent live before it',
        'is asked for once, by however many at once',
      ],
    ],
    [
      'a ticket with an address sends the browser there, its own address behind it; so does 401 with a Location',
      [
        SESSION,
        'for signing in is told, with a ticket or with 401',
        'that is refused with an address of a single sign-on names it',
      ],
      ['test/e2e/sso.test.ts', 'goes there by itself, keeps the wanted page'],
    ],
    [
      '405 on any call is the end of the session; every error status is told',
      [SESSION, 'of any call is told to everybody; 405 ends the session'],
    ],
    [
      'what the server tells its pages is asked for after the ticket, stored and announced',
      [PLATFORM, 'what a server tells its pages is stored, and announced'],
      [ROLES, 'lack revision control where the server says that it keeps none'],
    ],
  ],
  'paragraphs and notes': [
    [
      'statuses and which of them run; a note runs when one paragraph does',
      [STATES, '%s is %s with a %s', 'a note runs when any of its paragraphs does'],
    ],
    [
      'READY and FINISHED green, ABORT orange, ERROR red, PENDING gray, RUNNING blue; an empty circle, a spinner, filled circles',
      [STATUS, 'has a colour, a shape and its word'],
    ],
    [
      'a registered spell runs here, all else at the server; its failure is the message',
      [
        'client/paragraph/spell.test.ts',
        'a spell runs here, and the others are told',
        'one that fails tells why',
      ],
      [PACKAGES, 'a spell runs in the page, and others see it'],
    ],
    [
      'a paragraph that runs is not run again',
      [CONTRACT, 'refuses a paragraph that is already running'],
    ],
    [
      'an edit is saved when the editor is left or 10,000 ms after it, if it differs',
      [
        DRAFTS,
        'is in the journal at once, and at the server when nothing was typed for ten seconds',
        "that brings the server's text back needs no commit",
      ],
      [WORKBENCH, 'edits, runs with Shift+Enter, and saves by leaving the editor'],
    ],
    [
      'results are outdated when the text changed after the run began',
      [STATES, 'results are outdated when the text changed after the run began'],
      [FORMS, 'tells how long it took, by whom'],
    ],
    [
      'leaving unsaved text asks: Stay or Leave',
      [SINGLE, 'with unsaved text asks; Stay keeps page, address and text, Leave drops it'],
    ],
    [
      'a note without bindings opens their panel, the first of each name chosen',
      [PANELS, 'open the bindings of a note that has none, with the first of each name chosen'],
    ],
    [
      'a reconnect reads the note anew',
      ['client/client.test.ts', 'is read anew after each reconnect'],
    ],
    [
      'personal mode goes between "true" and "false", for owners alone',
      [NOTE, 'switches to personal mode and back'],
      [BAD, 'a %s is refused %s in upstream'],
    ],
    [
      'a schedule runs as who set it; none has nobody',
      [NOTE, 'schedules a note, says what that means, and when it is next'],
      [SCHEDULES, 'runs the note when it is due, as who set it, until it is taken back'],
    ],
    [
      'Head leads to the note; so does a revision that was set',
      [REVISIONS, 'are set as head, and the page goes to the note'],
    ],
    [
      'after a new password who is signed in reads so, and who is not comes to the sign-in',
      [
        PASSWORD,
        'is set anew by the link of a letter, once',
        'ends the session of whoever sets it, and says that it is done',
      ],
    ],
  ],
  'jobs, clusters, interpreters at work': [
    [
      'starting and stopping are asked for; the list is replaced, merged, and loses what was removed',
      [
        JOBS,
        'starts after the question',
        'follows updates: another state, a new note, a removed one, also the first',
      ],
      ['client/jobs/reducer.test.ts', 'drops what was removed, also the first'],
    ],
    [
      'progress is the share that runs or is finished, rounded up; a bar strictly between 0 and 100, else stripes',
      [STATES, '%j is %i %%', '%d percent is a %s'],
      [JOBS, 'shows a job: type, name'],
    ],
    [
      'leaving the page ends the subscription',
      [JOBS, 'stops watching when it leaves, and watches anew when it is back'],
    ],
    [
      'the current cluster is set and unset after a question',
      [CLUSTERS, 'are used after a question'],
    ],
    [
      'while dependencies come the settings are read every two seconds; an error stays until it is dismissed',
      [
        INTERPRETERS,
        'asks every two seconds while dependencies come, tells an error until it is dismissed',
      ],
    ],
    [
      'isolated is a process and no session, scoped a session and no process, shared neither',
      [MODE, '%s sets session and process'],
    ],
    [
      '“Globally” where both are shared, else “Per Note”, “Per User” for who is signed in',
      [MODE, '%j: %s signed in, %s anonymous'],
      [DRAFT, 'says how a setting runs, for whom who is signed in too'],
    ],
    [
      'impersonation only per user and isolated',
      [MODE, 'impersonation is left only per user and isolated'],
      [DRAFT, 'sends impersonation only where it is possible'],
    ],
    ['a new setting is remote', [DRAFT, 'gives back what it was given']],
  ],
  'what is refused where it is typed': [
    ['“Passwords must match”', [PASSWORD, 'is set anew by the link of a letter, once']],
    [
      'a note is not renamed to nothing, nor to its name',
      [PANELS, 'leave the name of a note alone that is typed blank or as it was'],
    ],
    [
      'owners are not empty: a question sets who is there',
      [NOTE, 'sets who may do what, and says what was saved'],
      [INTERPRETERS, 'makes who saves the owner where a permission names nobody'],
    ],
    [
      '“Only authenticated user can set the permission.” under “No permission”',
      [PANELS, 'tell somebody anonymous that he cannot set permissions'],
      [INTERPRETERS, 'gives nobody in particular no permission'],
    ],
    [
      'people of a note: from the first letter, apart by commas and blanks',
      [PEOPLE, 'takes several names at once, apart by commas and blanks'],
      [NOTE, 'sets who may do what'],
    ],
    [
      'owners of an interpreter: from the third letter, 250 ms after the last, users and roles apart',
      [
        PEOPLE,
        'asks from the third letter on, 250 ms after the last key, and has users and roles apart',
      ],
      [SETTINGS, 'changes how one runs, who may use it'],
    ],
    [
      '“Please fill in interpreter name and choose a group”',
      [SETTINGS, 'makes one from a template'],
      [DRAFT, 'asks for a name that can be one'],
    ],
    [
      "“'.' is invalid for interpreter name”",
      [SETTINGS, 'makes one from a template'],
      [DRAFT, 'asks for a name that can be one'],
    ],
    ['“Name sql already exists”', [SETTINGS, 'makes one from a template']],
    [
      '“Username  Entity can not be empty.”; the password may be',
      [
        CREDENTIALS,
        "are not added without both: '${entity}', '${username}'",
        'are added; the password may be empty, and is never shown',
      ],
    ],
    [
      '“Since entity is a unique key, you can edit only username & password”',
      [CREDENTIALS, 'are changed where they stand; their entity is not'],
    ],
    [
      'a number keeps digits, dot and minus',
      [SETTINGS, 'makes one from a template'],
      [INTERPRETERS, 'opens the form again where a change is refused'],
    ],
    [
      "“All the paragraphs can't be deleted.”",
      [CONTRACT, 'keeps the last paragraph'],
      [NOTE, 'keeps the only paragraph'],
    ],
    [
      'a place outside of the note is none',
      [BAD, 'a place outside the note (%i) is refused for moving and inserting'],
    ],
    [
      'values of forms are read by their type, else their default',
      ['client/model/form-values.test.ts', '%j as %s, else %j: %j'],
    ],
  ],
  'roles and rights': [
    [
      'roles have the prefix of where they come from; one of several is enough',
      [RIGHTS, 'are compared exactly', '%j holds %j'],
    ],
    [
      'owners, writers, runners, readers; an owner by name, or by a role with notebook_admin',
      [RIGHTS, '%s with roles %j: %s', 'an empty list means everybody'],
      [BAD, 'a %s is refused %s in upstream'],
    ],
    [
      '“Insufficient privileges” with what the server says: Login, or Cancel which leads away',
      [PANELS, 'say why permissions are not saved; Login is for somebody else, Cancel leaves'],
      [SINGLE, 'is home when somebody else removes it, and a right that was lost is said'],
    ],
    [
      'tokens are for who holds the role AccessToken',
      [ROLES, 'as %s: shown, refused', 'are in the navigation of whoever may see them'],
      ['test/e2e/account.test.ts', 'are not for whoever lacks the role'],
    ],
    [
      'who is anonymous has interpreters per note or globally',
      [INTERPRETERS, 'gives nobody in particular no permission and no process of his own'],
    ],
    ['owners restrict an interpreter', ['test/settings.test.ts', 'with owners serves them alone']],
    [
      'a result tells who ran it last, or “anonymous”',
      ['client/model/duration.test.ts', 'says how long, who and when'],
      [FORMS, 'tells how long it took, by whom'],
    ],
  ],
  calls: [
    [
      'each has its path, method, body and answer',
      [REST, '%s answers its envelope, with what the protocol says it answers'],
      ['client/rest/http.test.ts', 'sends what it carries in the way the protocol says'],
    ],
    [
      'with credentials and the header X-Requested-With',
      [
        'client/rest/http.test.ts',
        'is sent where there is no page whose origin could be another',
        'is sent from a page to its own server',
      ],
    ],
    [
      'the lists of jobs and of notes come over the live channel',
      ['test/lists.test.ts', 'each rename is answered with its list'],
      [SCHEDULES, 'answers what changed since a moment, over REST and live'],
    ],
  ],
  errors: [
    [
      'a ticket call answered 401 with a Location: the browser goes there',
      ['test/e2e/sso.test.ts', 'goes there by itself'],
      [SESSION, 'for signing in is told, with a ticket or with 401'],
    ],
    ['405: signed out', [SESSION, 'of any call is told to everybody; 405 ends the session']],
    [
      'any other status is told',
      [SESSION, 'of any call is told to everybody'],
      ['client/rest/http.test.ts', 'rejects with status, method, path'],
    ],
    [
      'tokens: “You do not have permission on this page”, home after 3 s',
      [TOKENS, 'are not shown to whoever may not (${status}), who goes home'],
      [ROLES, 'as %s: shown, refused'],
    ],
    [
      'credentials: “You do not have permission on this page”',
      [CREDENTIALS, 'are not shown to whoever may not (${status}), who goes home'],
    ],
    [
      'configuration: “You do not have permission on this page”',
      [CONFIGURATION, 'is not shown to whoever may not see it (${status}), who goes home'],
    ],
    [
      'interpreters: “You do not have permission on this page”',
      [INTERPRETERS, 'is left by who may not see it'],
    ],
    [
      'a token of a link that is refused: the server’s words, else “password reset service has hit a snag. Please try again.” of the product',
      [
        PASSWORD,
        'is not set by a link that nobody got',
        'says so where the server has nothing to say',
      ],
    ],
    [
      'a new password that is refused: the server’s words',
      [PASSWORD, 'ends the session of whoever sets it, and says that it is done'],
    ],
    [
      '“There is a problem with this Revision”',
      [
        'elements/note/revisions/revisions.test.tsx',
        'without an id say that there is a problem, and go nowhere',
      ],
      [REVISIONS, 'that are none say so, and the page goes home'],
    ],
    [
      '“Error restart interpreter.” with the server’s words',
      [INTERPRETERS, 'tells why a restart failed'],
      [PANELS, 'say that an interpreter stopped, and why one did not'],
    ],
    [
      '“Interpreter stopped. Will be lazily started on next run.”',
      [INTERPRETERS, 'tells why a restart failed, and says when one is done'],
      [PANELS, 'say that an interpreter stopped'],
    ],
    [
      'permissions that are not saved: “Insufficient privileges”',
      [PANELS, 'say why permissions are not saved'],
    ],
    [
      'people that cannot be had: no suggestions',
      [PEOPLE, 'suggests nothing where nobody can be asked, and takes what is typed'],
    ],
    [
      '“Do you want to leave this site?”, “Changes that you have made will not be saved.”',
      [SINGLE, 'with unsaved text asks'],
    ],
    [
      '“Interpreter setting changes will be discarded.”',
      [PANELS, 'open the bindings of a note that has none'],
      [INTERPRETERS, 'keeps what is typed when texts are replaced, and asks before it is left'],
    ],
    ['“Changes will be discarded.”', [NOTE, 'sets who may do what, and says what was saved']],
    [
      '“Do you want to reload this site?” while something is unsaved',
      [NOTEBOOK, 'has the browser ask before unsaved text is lost with the page, and only then'],
    ],
    ['“Error saving personal access token.”', [TOKENS, 'keep what was typed where one is refused']],
    ['“Error updating personal access token status.”', [TOKENS, 'are switched off and on']],
    [
      '“Error updating personal access token description.”',
      [TOKENS, 'are described where they stand; what is not saved stays'],
    ],
    ['“Error deleting personal access token.”', [TOKENS, 'are deleted after a question']],
    ['“Successfully created personal access token.”', [TOKENS, 'are made and shown once']],
    ['“Successfully updated personal access token status.”', [TOKENS, 'are switched off and on']],
    [
      '“Successfully updated personal access token description.”',
      [TOKENS, 'are described where they stand'],
    ],
    ['“Successfully deleted personal access token.”', [TOKENS, 'are deleted after a question']],
    [
      'a cluster that is not set: the server’s words, else “Server Error”',
      [CLUSTERS, "that cannot be used say '${message}', and what is so now"],
    ],
    [
      'clusters that are not loaded: the server’s words, else “Error loading clusters”',
      [CLUSTERS, "that cannot be loaded say '${message}', and are asked for again"],
    ],
    [
      '“Set current cluster to: main.”, “Unset current cluster.”',
      [CLUSTERS, 'are used after a question'],
    ],
    [
      '“Execution Failure” or “Stop Failure” with the server’s words, else “SERVER ERROR”',
      [JOBS, "says '${title}' with '${message}'"],
    ],
    [
      'a setting that is not made or changed: the server’s words, else “Could not connect to server.”; the form is open again',
      [
        INTERPRETERS,
        'opens the form again where a change is refused or the server cannot be reached',
      ],
      [SETTINGS, 'makes one from a template'],
    ],
    [
      '“Error downloading dependencies”, “Error setting properties for interpreter”',
      [INTERPRETERS, 'asks every two seconds while dependencies come'],
    ],
    [
      '“No spark application running”',
      [INTERPRETERS, 'shows the page of an engine, its message, or that nothing runs'],
    ],
    ['“Successfully saved credentials.”', [CREDENTIALS, 'are added; the password may be empty']],
    ['“Error saving credentials”', [CREDENTIALS, 'keep what was typed where they are refused']],
    ['“We could not save the credential”', [CREDENTIALS, 'stay open where a change is refused']],
    [
      "“Cannot find a paragraph with id 'nowhere'”, also of a link to one",
      ['client/note/scripting.test.ts', 'that the note does not have is named'],
      [SINGLE, 'says so where there is no such paragraph'],
    ],
    [
      'a script that names a paragraph that is none says so',
      ['elements/result/angular.test.tsx', 'says what is missing in words'],
    ],
  ],
  constants: [
    [
      'autosave after 10,000 ms',
      [
        DRAFTS,
        'is in the journal at once, and at the server when nothing was typed for ten seconds',
      ],
    ],
    [
      'toasts of 6,000 ms with a button that dismisses, no click beside it does, the same text once',
      [
        TOASTS,
        'go after their time, one after another; the same text stands once',
        'are dismissed by their button and by no other click',
      ],
    ],
    [
      'toasts of a note at its foot, 3,000 ms',
      [TOASTS, 'are dismissed by their button and by no other click'],
    ],
    [
      'schedules None, 1m, 5m, 1h, 3h, 6h, 12h, 1d',
      ['client/model/cron.test.ts', 'offers the documented schedules in order'],
    ],
    ['ten clusters a page, five links', [CLUSTERS, 'stand on pages of ten']],
    ['ten jobs a page, five links', [JOBS, 'shows ten of ten thousand, five links']],
    [
      'settings are looked at every 2,000 ms while something comes',
      [INTERPRETERS, 'asks every two seconds while dependencies come'],
    ],
    ['home 3 s after a refusal', [ROLES, 'as %s: shown, refused, sent home or to the sign-in']],
    [
      'labels of completions have 42 characters',
      [EDITOR, 'completes with labels cut at 42 characters, in the order of the server'],
    ],
    [
      'dates of revisions “MMMM Do YYYY, h:mm a”, of the comparator “MMMM Do YYYY, h:mm:ss a”',
      [REVISIONS, 'are committed and listed in the bar', 'are compared: by a row'],
      ['client/model/date-format.test.ts', '%s'],
    ],
    [
      '“Took 1 min 3 sec. Last updated by ana at November 21 2026, 7:01:03 AM.”',
      ['client/model/duration.test.ts', 'says how long, who and when'],
    ],
  ],
};
