/**
 * Promises about the display widgets of platform objects, profiles, relationships, exports and
 * graphs: rules, texts, orders and constants, each with its tests.
 */
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
const PAYLOADS = 'client/widgets/shared/repair.test.ts';
const FLOW = 'client/widgets/flow.test.ts';
const RUNS = 'client/widgets/runs.test.ts';
const TIMES = 'client/widgets/shared/time-counts.test.ts';
const SHARES = 'client/widgets/shared/validators.test.ts';
const USAGE = 'client/widgets/security.test.ts';
const FIELDS = 'client/model/tables/data-set-profile.test.ts';
const RELATIONS = 'client/model/tables/relationships.test.ts';
const EXPORTS = 'client/model/tables/exported-result-name.test.ts';
const DISPLAYS = 'test/e2e/displays.test.ts';
const LANGUAGES = 'elements/editor/languages/languages.test.tsx';

/** Promises about display widgets, by topic. */
export const widgets: Promises = {
  widgets: [
    [
      'each widget takes the description of an object, as data, envelope or script, and shows ' +
        'it as text',
      [
        WIDGET,
        'displays and describes the data of a named widget',
        'accepts an envelope that names the widget, also from a script inside it',
        'follows its data',
      ],
    ],
    [
      'missing parts are left out and invalid parts are reported, for any payload',
      [
        WIDGET,
        'lists the problems of a payload and displays the rest',
        'reports missing data, a missing name and an unknown name',
      ],
      [PAYLOADS, 'loses only the fields that cannot be read', 'of %s never throws, for any value'],
      ['elements/widgets/jobs/fuzz.test.tsx', 'accept any payload'],
    ],
    [
      'a program prints a widget as HTML, which is read and never executed',
      [
        RESULT,
        'is shown in the page without a frame, and its HTML is not rendered',
        'lists problems in the payload and names unknown widgets',
      ],
      [PAYLOADS, 'is read from HTML that contains nothing else, and is never executed'],
    ],
    [
      'a widget announces the selected object to the page',
      [WIDGET, 'announces the selected object'],
    ],
    [
      'each widget is readable in light, dark and on a phone',
      [JOBS, '${id}: is described, accessible in light and dark, and not wider than 390 px'],
      [SECURITY, '${id} is accessible in light, dark and on a phone'],
      [VALIDATION, '${id} is accessible in light, dark and on a phone'],
      [CLUSTER, 'is accessible in light, dark and on a phone'],
      [
        PROFILE,
        'is accessible, expanded and collapsed, in light and dark',
        'fits into 390 px without scrolling the page sideways',
      ],
      [OTHERS, 'are accessible in light and dark, and fit into 390 px'],
      [GRAPH, 'is accessible in ${theme}, also when narrow'],
    ],
  ],
  'job graph': [
    [
      'the graph runs from left to right, 450 px high, with full width, 230 px between ' +
        'levels, and navigation buttons',
      [
        GRAPH,
        'draws and describes the nodes of a job from left to right, 230 px apart',
        'has an icon for each node type',
        'fits the view once, and zooms with buttons but not with the wheel',
      ],
      [FLOW, 'places levels 230 apart from left to right'],
    ],
    [
      'icons differ by kind: Job, Task, Script, NestedJob, SqlMapper',
      [GRAPH, 'has an icon for each node type'],
      [FLOW, "derives a node's job and kind from what is known"],
    ],
    [
      'a click selects a node',
      [
        GRAPH,
        'announces the selected node, shows its details and highlights its connections',
        'supports keys: arrows move, Enter selects and opens a nested job',
      ],
    ],
    [
      'a double click opens a nested job of the graph; a breadcrumb shows its ancestors and ' +
        'leads back',
      [GRAPH, 'opens nested jobs with a breadcrumb and returns'],
      [FLOW, 'does not open jobs that are not in the payload, nor itself'],
    ],
    [
      'the view is fitted once, then positions are fixed, and the wheel does not zoom',
      [GRAPH, 'fits the view once, and zooms with buttons but not with the wheel'],
    ],
    [
      'graphs with 500 and 5,000 nodes are drawn',
      [GRAPH, 'draws 500 nodes, and of 5,000 only those in view'],
    ],
    [
      'rootNodeId, project.job, is shown first; edges, predecessors and successors define the ' +
        'connections',
      [
        FLOW,
        'contains the nodes of one job; explicit edges come before those derived from tasks',
        'accepts successors as names and as objects',
      ],
    ],
    [
      'missing nodes and cycles do no harm',
      [GRAPH, 'reports missing nodes, and handles cycles, self-references and empty graphs'],
      [FLOW, 'lists missing nodes that edges refer to; nodes of other jobs are not missing'],
    ],
  ],
  lineage: [
    [
      'lineage shows who created an object, when and from what, with a graph',
      [
        GRAPH,
        'shows who created the object, the graph, and links to the selected data set',
        'shows no graph if there is none',
      ],
      [FLOW, 'adds nodes that only edges mention'],
    ],
    [
      'from 100 connections on, the layout is fixed and lines are straight',
      [GRAPH, 'draws straight lines from 100 connections on, curves below'],
    ],
  ],
  jobs: [
    [
      'a project shows its description, lineage, runs, and its jobs by name',
      [
        JOBS,
        'projects list their jobs by name',
        '${id}: is described, accessible in light and dark, and not wider than 390 px',
      ],
    ],
    [
      'schedules, subscriptions, metrics and histories are sorted by start, newest first',
      [
        JOBS,
        'histories, schedules and subscriptions are sorted newest first',
        'metrics show a bar per run, newest on the right, and derived figures',
      ],
      [RUNS, 'are sorted newest first, those without a time last'],
      [PAYLOADS, 'histories are sorted newest first in any date format'],
    ],
    [
      'rows of runs expand and show logs',
      [
        JOBS,
        'a run expands to its tasks and logs, each with the badge of its kind',
        'a log shows its end, more on demand, and can be filtered',
      ],
    ],
    [
      'a schedule is shown as text and as its expression',
      [
        JOBS,
        'histories, schedules and subscriptions are sorted newest first',
        'an invalid cron expression is reported',
      ],
    ],
    [
      'a job shows its tasks as a graph, a task shows what it does',
      [
        JOBS,
        '${id}: is described, accessible in light and dark, and not wider than 390 px',
        'a task shows its details and script',
      ],
      [FLOW, 'converts a tree of tasks, each task once'],
    ],
    ['a history of 100,000 runs is shown', [JOBS, 'a history of 100,000 runs is paginated']],
  ],
  'people and rights': [
    [
      'a customer is shown with its organizations',
      [SECURITY, 'a customer lists its organizations by name'],
    ],
    [
      'an organization is shown with its default repository, permissions and cluster limits',
      [SECURITY, 'an organization shows its default repository, limits and permissions'],
    ],
    [
      'a user is shown with roles and permissions, a role with users and permissions',
      [
        SECURITY,
        'a user shows name, status, roles and permissions',
        'a role lists its users and permissions, or a summary by type',
      ],
    ],
    [
      'activities and usage are sorted newest first',
      [
        SECURITY,
        'activities are sorted newest first, whatever their order',
        'usage events derive state, permission and object by the specified rules',
      ],
    ],
    [
      'a usage event succeeded unless it says otherwise; GlobalRole shows its role, Result ' +
        'shows Read',
      [
        USAGE,
        'failed only if they say so',
        'show the role for GlobalRole, Read for Result, otherwise the permission',
        'name the used object',
      ],
      [SECURITY, 'usage events derive state, permission and object by the specified rules'],
    ],
    [
      'a secret shows its lineage, never its value',
      [SECURITY, 'a secret never shows its value, wherever it is'],
      [USAGE, 'is never used as its name'],
    ],
    [
      'an identity provider is shown with its organization',
      [SECURITY, 'a provider links only to http(s) addresses'],
    ],
  ],
  badges: [
    [
      'Succeeded, Running, Finished are good, Failed is bad; Preparing, InProgress, ' +
        'Provisioning, Bootstrapping, Stopping are informative; others are plain; so are ' +
        'Healthy, Degraded, Unhealthy',
      [PAYLOADS, 'have the specified colours, in any case'],
      [CLUSTER, 'shows details and health'],
    ],
    [
      'job events: finishes are good, failures and errors bad, starts informative, others plain',
      [PAYLOADS, 'of log entries depend on the event type, those of clusters on its ending'],
      [JOBS, 'a run expands to its tasks and logs, each with the badge of its kind'],
    ],
    [
      'cluster events go by their endings; StageStarted and InstanceBootstrappingStarted are plain',
      [PAYLOADS, 'of log entries depend on the event type, those of clusters on its ending'],
      [CLUSTER, 'lists its runs newest first, each with stages and log'],
    ],
    [
      'a score above 0.8 is good, above 0.65 doubtful, otherwise bad',
      [PAYLOADS, 'of scores exclude their limits'],
      [RELATIONS, 'with score %f is rated %s'],
      [OTHERS, 'relationships are sorted by score and show a badge and all fields'],
    ],
  ],
  profiles: [
    [
      'a schema shows its name and its tables',
      [OTHERS, 'a schema lists its tables; with more than 50 it is ready after an extra 100 ms'],
    ],
    [
      'with more than 50 tables or fields, it is ready after an extra 100 ms, otherwise ' +
        'immediately',
      [PROFILE, 'is ready at once with 50 fields, and after an extra 100 ms with 51'],
      [OTHERS, 'a schema lists its tables; with more than 50 it is ready after an extra 100 ms'],
    ],
    [
      'a search covers all values of a row; filters cover name, type, null and distinct values',
      [FIELDS, 'by %s'],
      [PROFILE, 'can be searched, filtered by each column, also in percent, and cleared'],
    ],
    [
      '“Clear filters”',
      [PROFILE, 'can be searched, filtered by each column, also in percent, and cleared'],
    ],
    [
      'numbers match by equal, less or greater, also in percent of the rows; texts match in ' +
        'any case',
      [FIELDS, 'by %s', 'by percent matches nothing above zero if there are no rows'],
      [PROFILE, 'can be searched, filtered by each column, also in percent, and cleared'],
      [DISPLAYS, 'filters a profile by the percentages that it shows'],
    ],
    [
      'choosing a column again reverses the order, another column starts ascending',
      [FIELDS, 'toggles on the same column and starts ascending on another'],
      [PROFILE, 'sorts by a column: ascending, then descending, and another column ascending'],
    ],
    [
      '“Generate SQL” copies a SELECT of the visible fields: “Copied query to clipboard.”',
      [
        PROFILE,
        'copies SQL for the visible fields in the displayed order',
        'generates SQL from a query, and none without table and query',
      ],
      [
        FIELDS,
        'the SQL of some fields quotes names if necessary',
        'the SQL of a query uses it unchanged',
      ],
    ],
    [
      'a field expands to top values, “Numerical profile”, “Date profile”, “Timestamp profile”',
      [PROFILE, 'expands a field to its values, numbers, dates and time charts'],
    ],
    [
      'time charts: “Day of year”, “Year”, “Month”, “Day of month”, “Day of week”, “Hour of ' +
        'day”, “Minute of hour”',
      [PROFILE, 'expands a field to its values, numbers, dates and time charts'],
      [TIMES, '%s are complete, those without a count at zero'],
    ],
    [
      'the year has 366 days, named MM-DD with two leading dashes',
      [TIMES, '%s are complete, those without a count at zero', 'of the year include 29 February'],
      [PROFILE, 'expands a field to its values, numbers, dates and time charts'],
    ],
    [
      'top values include “Other”, the remaining rows that are not null, and “Null”',
      [
        TIMES,
        'include the number of other rows',
        'assume no other rows if the row count is unknown or too low',
      ],
      [
        PROFILE,
        'expands a field to its values, numbers, dates and time charts',
        'adds null values and leaves out missing ones',
      ],
    ],
    [
      'times are formatted as MMMM DD YYYY, h:mm:ss A: “January 02 2023, 8:05:00 AM”',
      [PROFILE, 'expands a field to its values, numbers, dates and time charts'],
    ],
    ['two profiles are compared', [OTHERS, 'a comparison lists the largest changes first']],
    [
      'a profile with 500 fields is shown',
      [PROFILE, 'renders rows near the window for 500 fields, but all for find and print'],
    ],
  ],
  relationships: [
    [
      'within one table, many-to-one and zero-or-one-to-one are swapped',
      [
        RELATIONS,
        'within one table from %s to %s swaps its sides',
        'within one table from %s to %s is unchanged',
        'between two tables is unchanged',
      ],
      [OTHERS, 'relationships are sorted by score and show a badge and all fields'],
    ],
    [
      '“Many to One”: X to Y',
      [RELATIONS, 'describes its cardinality as X to Y'],
      [OTHERS, 'relationships are sorted by score and show a badge and all fields'],
    ],
    [
      'relationships are sorted by descending score, then by names',
      [RELATIONS, 'relationships are sorted by descending score, then by name'],
      [OTHERS, 'relationships are sorted by score and show a badge and all fields'],
    ],
    [
      'simple relationships join two fields, others join pairs of fields',
      [RELATIONS, 'joins one pair of fields or the listed pairs'],
      [
        'client/widgets/relationships.test.ts',
        'relationships other than Simple use their field pairs',
      ],
    ],
  ],
  exports: [
    [
      "“Download” checks whether the result exists and explains why not: the server's " +
        'message, or “Error downloading exported result.”; the button is busy meanwhile',
      [
        OTHERS,
        'a result is checked and saved, named by its time and the type of the answer',
        "a missing result shows the server's message or a default",
      ],
    ],
    [
      'the file is “magpie_export_20240502_102030.csv”: its time in UTC, its extension from ' +
        'the answer',
      [OTHERS, 'a result is checked and saved, named by its time and the type of the answer'],
      [EXPORTS, 'of %s at %s is %s'],
    ],
    [
      '“Send to Map” opens the map page with the address in its fragment; “Send to Map is ' +
        'only supported for CSV Files”',
      [OTHERS, 'a CSV result links to the map page with its address; others explain why not'],
      [DISPLAYS, "sends an exported result to the server's map page"],
    ],
    [
      'a file of a data source is requested by its whole object and saved under its last path ' +
        'segment',
      [OTHERS, 'a file is requested with its object, saved under its last path segment'],
    ],
  ],
  clusters: [
    [
      'a cluster shows state, health of driver and workers, instances, instance type, use, ' +
        'schedules, subscriptions, lineage',
      [
        CLUSTER,
        'shows details and health',
        'shows schedules as text, subscriptions, instances and lineage in tabs',
        'leaves out missing parts',
      ],
    ],
    [
      'runs are listed newest first, with stages and logs',
      [CLUSTER, 'lists its runs newest first, each with stages and log'],
    ],
    [
      'a private key is copied, never shown',
      [CLUSTER, 'copies the path and the key; the key itself is nowhere in the page'],
    ],
  ],
  validation: [
    [
      'a suite shows its validators and the fields they select',
      [
        VALIDATION,
        'describe every kind of rule and where NULL is counted',
        'show validators and a field selector on their own',
      ],
      [SHARES, 'selects one field, several, or those that match'],
    ],
    [
      'results are shown for tables, schemas and other validated objects',
      [VALIDATION, 'show the suites of a table, a schema and several tables, newest first'],
    ],
    [
      'passed, failed and null are percentages of the sum of the three counts',
      [
        SHARES,
        'are shares of the sum of the three counts, and 0 if that is 0',
        'add up to 1, for any number of rows',
      ],
      [VALIDATION, 'show which share of the rows passed, failed and was null'],
    ],
  ],
  'the command language in the editor': [
    [
      'keywords, types, numbers, texts and comments are highlighted, in static code and in ' +
        'the editor',
      [
        LANGUAGES,
        'highlights ${language} the same way in static code and in the editor',
        'recognizes the words of the command language by context',
        'completes the words of the command language',
      ],
    ],
  ],
};
