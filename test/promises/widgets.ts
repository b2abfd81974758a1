/** Display widgets of the platform's objects, profiles, relationships, exports and graphs: rules, words, orders and constants, each with the tests that show it. */
import type { Promises } from '../support/promises.ts';

const WIDGET = 'elements/widgets/widget.test.tsx';
const RESULT = 'elements/result/widgets.test.tsx';
const GRAPH = 'elements/widgets/jobs/job-graph.test.tsx';
const JOBS = 'elements/widgets/jobs/jobs.test.tsx';
const SECURITY = 'elements/widgets/security/security.test.tsx';
const PROFILE = 'elements/widgets/profiles/profile.test.tsx';
const OTHERS = 'elements/widgets/profiles/others.test.tsx';
const CLUSTER = 'elements/widgets/clusters/cluster.test.tsx';
const VALIDATION = 'elements/widgets/validation/validation.test.tsx';
const PAYLOADS = 'client/widgets/mend.test.ts';
const FLOW = 'client/widgets/flow.test.ts';
const RUNS = 'client/widgets/runs.test.ts';
const TIMES = 'client/widgets/time-counts.test.ts';
const SHARES = 'client/widgets/validators.test.ts';
const USAGE = 'client/widgets/security.test.ts';
const FIELDS = 'client/model/profile.test.ts';
const RELATIONS = 'client/model/relationships.test.ts';
const EXPORTS = 'client/model/exported-result.test.ts';
const LANGUAGES = 'elements/editor/languages.test.tsx';

/** See the head of this file. */
export const widgets: Promises = {
  widgets: [
    [
      'each takes a structured description of an object, as data, envelope or script, and tells it in words',
      [
        WIDGET,
        'shows data of a named widget, and tells it in words',
        'takes an envelope, which names the widget itself',
        'follows its data',
      ],
    ],
    [
      'a part that is missing is left out, and one that is wrong is told, whatever the payload',
      [WIDGET, 'says what is wrong in a payload, and shows the rest', 'says that it has nothing'],
      [
        PAYLOADS,
        'loses what cannot be read, and nothing else',
        'of %s never throws, whatever it is',
      ],
      ['elements/widgets/jobs/fuzz.test.tsx', 'take any payload'],
    ],
    [
      'a program prints one as HTML, which is read and never run',
      [
        RESULT,
        'is drawn in the page, without a frame, and its markup is not run',
        'says what is wrong in its payload',
      ],
      [PAYLOADS, 'is read from HTML that is nothing else, and never runs'],
    ],
    ['the name of an object is told to the page', [WIDGET, 'tells which object was chosen']],
    [
      'each is readable in light, dark and on a phone',
      [JOBS, '${id}: told, accessible in light and dark'],
      [SECURITY, '${id} is readable in light, dark and on a phone'],
      [VALIDATION, '${id} is readable in light, dark and on a phone'],
      [CLUSTER, 'is readable in light, dark and on a phone'],
      [PROFILE, 'is accessible, open and closed, light and dark', 'stands in 390 px'],
      [OTHERS, 'are accessible in light and dark, and fit into 390 px'],
      [GRAPH, 'is accessible, ${theme}, also narrow'],
    ],
  ],
  'job graph': [
    [
      'goes from left to right, 450 px high, as wide as its place, 230 from level to level, with buttons to navigate',
      [
        GRAPH,
        'draws the nodes of one job from left to right, 230 apart',
        'has an icon of its own for each kind of node',
        'is fitted once, and zoomed by its buttons',
      ],
      [FLOW, 'goes from left to right by 230'],
    ],
    [
      'icons differ by kind: Job, Task, Script, NestedJob, SqlMapper',
      [GRAPH, 'has an icon of its own for each kind of node'],
      [FLOW, 'knows job and kind out of what there is'],
    ],
    [
      'a click selects a node',
      [
        GRAPH,
        'tells what is chosen, shows it below and colours its connections',
        'is walked with the keys',
      ],
    ],
    [
      'a double click opens a nested job that is in the graph; what it is in stays as a trail, which a choice cuts off',
      [GRAPH, 'opens nested jobs, keeps the way, and returns'],
      [FLOW, 'opens nothing that is not there, nor itself'],
    ],
    [
      'the view is fitted once, places are fixed then, a wheel zooms nothing',
      [GRAPH, 'is fitted once, and zoomed by its buttons, not by a wheel'],
    ],
    [
      '500 nodes and 5,000',
      [GRAPH, 'draws 500 nodes, and 5,000 of which only those in view are in the page'],
    ],
    [
      'rootNodeId, project.job, is shown first; edges, predecessors and successors say what leads to what',
      [FLOW, 'has the nodes of one job: given edges first', 'reads successors by name and whole'],
    ],
    [
      'a missing node and a cycle are no harm',
      [GRAPH, 'notes what is missing, and survives cycles'],
      [FLOW, 'names what a connection mentions and nothing has'],
    ],
  ],
  lineage: [
    [
      'who made it, when and from what, with a graph',
      [
        GRAPH,
        'shows who made it, the graph, and the way to what is chosen',
        'has no graph where there is none',
      ],
      [FLOW, 'has nodes for what only a connection names'],
    ],
    [
      'a fixed layout with straight lines at 100 connections and more',
      [GRAPH, 'has straight lines from 100 connections on, curves below'],
    ],
  ],
  jobs: [
    [
      'a project has its description, lineage, runs, and its jobs by name',
      [JOBS, 'projects have their jobs by name', '${id}: told, accessible'],
    ],
    [
      'schedules, subscriptions, metrics and histories stand the newest first by start',
      [
        JOBS,
        'histories, schedules and subscriptions stand the newest first',
        'metrics have a bar for each run, the newest on the right',
      ],
      [RUNS, 'stand the newest first, those without a time last'],
      [PAYLOADS, 'histories stand newest first, whatever their notation'],
    ],
    [
      'rows of runs open, with logs',
      [
        JOBS,
        'a run opens to its tasks and logs, each with the badge of its kind',
        'a log shows its end, more on demand, and is filtered',
      ],
    ],
    [
      'a schedule stands in words and as it is written',
      [
        JOBS,
        'histories, schedules and subscriptions stand the newest first',
        'an expression that cannot be read is said to be none',
      ],
    ],
    [
      'a job has its tasks as a graph, a task what it does',
      [JOBS, '${id}: told, accessible', 'a task shows what it does and its script'],
      [FLOW, 'takes a tree of tasks, each once'],
    ],
    ['100,000 runs', [JOBS, 'a history of 100,000 runs is shown a page at a time']],
  ],
  'people and rights': [
    ['a customer with its organizations', [SECURITY, 'a customer has its organizations by name']],
    [
      'an organization with default repository, permissions and cluster limits',
      [SECURITY, 'an organization has its default repository, limits by their names, and rights'],
    ],
    [
      'a user with roles and permissions, a role with users and permissions',
      [SECURITY, 'a user has a name, a state, roles and rights', 'a role has its users and rights'],
    ],
    [
      'activity and use, the newest first',
      [
        SECURITY,
        'what was done stands newest first',
        'events of use tell state, right and object by their rules',
      ],
    ],
    [
      'an event of use has succeeded unless it says that it has not; GlobalRole shows its role, Result Read',
      [
        USAGE,
        'have failed only where they say so',
        'tell the role of GlobalRole, Read for Result, else their right',
        'name what they were used on',
      ],
      [SECURITY, 'events of use tell state, right and object by their rules'],
    ],
    [
      'a secret with lineage, never its value',
      [SECURITY, 'a secret never shows its value, wherever it stands'],
      [USAGE, 'is never taken for its name'],
    ],
    [
      'an identity provider with its organization',
      [SECURITY, 'a provider leads to an address of the web alone'],
    ],
  ],
  badges: [
    [
      'Succeeded, Running, Finished are good, Failed bad; Preparing, InProgress, Provisioning, Bootstrapping, Stopping tell; others are plain. Healthy, Degraded, Unhealthy',
      [PAYLOADS, 'have the colours of the specification, in any case'],
      [CLUSTER, 'shows what it is and how it does'],
    ],
    [
      'events of jobs: finishes are good, failures and errors bad, starts tell, others are plain',
      [PAYLOADS, 'of logs go by the type'],
      [JOBS, 'a run opens to its tasks and logs, each with the badge of its kind'],
    ],
    [
      'events of clusters by their endings, StageStarted and InstanceBootstrappingStarted plain',
      [PAYLOADS, 'of logs go by the type, of clusters by its ending'],
      [CLUSTER, 'has its runs newest first, each with stages and log'],
    ],
    [
      'a score above 0.8 is good, above 0.65 doubtful, else bad',
      [PAYLOADS, 'of scores have their limits outside'],
      [RELATIONS, 'of score %f is rated %s'],
      [OTHERS, 'relationships stand by score, turned within one table, with a badge'],
    ],
  ],
  profiles: [
    ['a schema has its name and its tables', [OTHERS, 'a schema has its tables']],
    [
      'of more than 50 tables or fields it is ready after an extra 100 ms, else at once',
      [PROFILE, 'of 50 fields is there at once, of 51 after an extra 100 ms'],
      [OTHERS, 'a schema has its tables; one of more than 50 is ready after an extra 100 ms'],
    ],
    [
      'a search runs across all values of a row, filters on name, type, null and distinct values',
      [FIELDS, 'by %s'],
      [PROFILE, 'is searched, filtered by each column, in percent too, and cleared'],
    ],
    [
      '“Clear filters”',
      [PROFILE, 'is searched, filtered by each column, in percent too, and cleared'],
    ],
    [
      'numbers are equal, less or greater, also in percent of the rows; texts are contained in any case',
      [FIELDS, 'by %s', 'by percent of no rows'],
      [PROFILE, 'is searched, filtered by each column'],
    ],
    [
      'a column chosen again turns its order, another one starts upwards',
      [FIELDS, 'toggles on the same column and starts ascending on another'],
      [PROFILE, 'is ordered by a column: upwards, chosen again downwards, another one upwards'],
    ],
    [
      '“Generate SQL” copies a SELECT of the fields that are shown: “Copied query to clipboard.”',
      [
        PROFILE,
        'has the SQL of the fields that are shown copied, in their order',
        'takes from a query',
      ],
      [
        FIELDS,
        'the SQL of some fields quotes the names that need it',
        'the SQL of a query takes from it',
      ],
    ],
    [
      'a field opens to top values, “Numerical profile”, “Date profile”, “Timestamp profile”',
      [PROFILE, 'opens a field to its values, numbers, moments and times'],
    ],
    [
      'charts of times: “Day of year”, “Year”, “Month”, “Day of month”, “Day of week”, “Hour of day”, “Minute of hour”',
      [PROFILE, 'opens a field to its values, numbers, moments and times'],
      [TIMES, '%s are all there, those without a count at zero'],
    ],
    [
      'the days of a year are 366, by --MM-DD',
      [TIMES, '%s are all there', 'of the year have 29 February'],
      [PROFILE, 'opens a field to its values'],
    ],
    [
      'top values have “Other”, rows that are none of them and not null, and “Null”',
      [
        TIMES,
        'have what is left beside them',
        'say nothing of others where the rows are not counted',
      ],
      [PROFILE, 'opens a field to its values', 'adds null values, and leaves out what is none'],
    ],
    [
      'moments are told as MMMM DD YYYY, h:mm:ss A: “January 02 2023, 8:05:00 AM”',
      [PROFILE, 'opens a field to its values, numbers, moments and times'],
    ],
    ['two of them are compared', [OTHERS, 'two profiles are compared, what changed most first']],
    [
      '500 fields',
      [
        PROFILE,
        "of 500 fields draws those near the window, has the names of all for the browser's find",
      ],
    ],
  ],
  relationships: [
    [
      'within one table many-to-one and zero-or-one-to-one are turned',
      [
        RELATIONS,
        'within one table from %s to %s swaps its sides',
        'within one table from %s to %s stays',
        'between two tables stays',
      ],
      [OTHERS, 'relationships stand by score, turned within one table'],
    ],
    [
      '“Many to One”: X to Y',
      [RELATIONS, 'says its cardinality as X to Y'],
      [OTHERS, 'relationships stand by score'],
    ],
    [
      'by score descending, then by names',
      [RELATIONS, 'relationships stand by score descending, then by names'],
      [OTHERS, 'relationships stand by score'],
    ],
    [
      'Simple ones join two fields, others pairs of them',
      [RELATIONS, 'joins one pair of fields, or those it lists'],
      [
        'client/widgets/relationships.test.ts',
        'relationships of another type than Simple are read through their pairs',
      ],
    ],
  ],
  exports: [
    [
      '“Download” looks whether the result is there and says why not: the words of the server, else “Error downloading exported result.”; it is busy meanwhile',
      [
        OTHERS,
        'a result is looked for, and saved by its time and the type of the answer',
        "a result that is not there says the server's words, else its own; the button waits only meanwhile",
      ],
    ],
    [
      'the file is “magpie_export_20240502_102030.csv”: its time in UTC, its ending by the answer',
      [OTHERS, 'a result is looked for, and saved by its time and the type of the answer'],
      [EXPORTS, 'of %s at %s is %s'],
    ],
    [
      '“Send to Map” opens the map page with the address in its fragment; “Send to Map is only supported for CSV Files”',
      [
        OTHERS,
        'a CSV result goes to the map page, with its address in the fragment; another one says why not',
      ],
    ],
    [
      'a file of a data source is asked for by its whole object and saved under the last part of its path',
      [
        OTHERS,
        'a file is asked for by its whole object, saved under its last segment, and says why it is not',
      ],
    ],
  ],
  clusters: [
    [
      'state, health of driver and workers, instances, instance type, use, schedules, subscriptions, lineage',
      [
        CLUSTER,
        'shows what it is and how it does',
        'has schedules in words, subscriptions, instances and lineage in tabs',
        'leaves out what is missing',
      ],
    ],
    [
      'runs the newest first, with stages and logs',
      [CLUSTER, 'has its runs newest first, each with stages and log'],
    ],
    [
      'a private key is copied, never shown',
      [CLUSTER, 'copies the path and the key; the key itself is nowhere in the page'],
    ],
  ],
  validation: [
    [
      'a suite has its validators and the fields they choose',
      [
        VALIDATION,
        'tell every kind of rule in words, and where NULL goes',
        'show validators and a field selector alone',
      ],
      [SHARES, 'picks one, some, or what matches'],
    ],
    [
      'tables, schemas, and what was validated',
      [
        VALIDATION,
        'show the suites of a table, of a schema, and of several tables, the newest first',
      ],
    ],
    [
      'passed, failed and null are percentages of the three counts',
      [
        SHARES,
        'are of the sum of the three, and 0 of nothing',
        'are 1 together, however many rows',
      ],
      [VALIDATION, 'tell what share of the rows passed, failed and was neither'],
    ],
  ],
  'the command language in the editor': [
    [
      'its keywords, types, numbers, texts and comments have colours, closed and open',
      [
        LANGUAGES,
        'colours ${language}, closed and open alike',
        'knows the words of the command language by where they stand',
        'completes the words of the command language',
      ],
    ],
  ],
};
