/**
 * Objects of the data platform as the payloads of the widgets that show them. Each payload is the
 * result of a statement of the command language.
 */
import { ENVELOPE_VERSION, envelopeOf, type WidgetId } from '@tiding/client/widgets';
import { Refusal } from '../../base/errors.ts';
import type { RunOutput } from '../../interpreters/contract.ts';
import { quotedName, StatementError } from '../../magpie/index.ts';
import type { RestHandlers } from '../context.ts';

/** Quotes a dotted name for the command language. */
const ref = (name: string): string => name.split('.').map(quotedName).join('.');
/** Checks a user name: in statements it is written without quotes and ends at the next space. */
const user = (name: string): string => {
  if (!/^[^\s;]+$/.test(name)) throw new Refusal(400, `${name} is not a valid user name.`);
  return name;
};
const describe =
  (type: string) =>
  (name: string): string =>
    `describe ${type} ${ref(name)}`;
/** Splits the name of a part of an object, such as `flights.daily_load.nightly`. */
const parted = (name: string): { of: string; part: string } => {
  const at = name.lastIndexOf('.');
  if (at < 1) throw new Refusal(400, `${name} does not name a part of an object. Use object.part.`);
  return { of: ref(name.slice(0, at)), part: ref(name.slice(at + 1)) };
};

/** The statement that produces a widget's payload for an object. */
const statements: Partial<Record<WidgetId, (name: string) => string>> = {
  table: describe('table'),
  stream: describe('stream'),
  sink: describe('sink'),
  schema: describe('schema'),
  repository: describe('repository'),
  'data-source': describe('data source'),
  project: describe('project'),
  job: describe('job'),
  'job-graph': describe('job'),
  task: describe('task'),
  cluster: describe('cluster'),
  role: describe('role'),
  organization: describe('organization'),
  secret: describe('secret'),
  'validation-suite': describe('validation suite'),
  user: (name) => `describe user ${user(name)}`,
  'job-schedule': (name) => {
    const { of, part } = parted(name);
    return `describe schedule ${part} of ${of}`;
  },
  'job-history': (name) => `show history of job ${ref(name)}`,
  'task-history': (name) => `show history of task ${ref(name)}`,
  'job-metrics': (name) => `show metrics of job ${ref(name)}`,
  schedules: (name) => `show schedules of job ${ref(name)}`,
  subscriptions: (name) => `show subscriptions of job ${ref(name)}`,
  'validator-runs': (name) => `show runs of suite ${ref(name)}`,
  permissions: (name) => `show permissions of user ${user(name)}`,
  'data-set-profile': (name) => `profile table ${ref(name)}`,
  'schema-profile': (name) => `profile schema ${ref(name)}`,
  relationships: (name) => `discover relationships in schema ${ref(name)}`,
};

function refused(error: unknown): never {
  // Don't reveal whether an object exists that the caller may not see.
  if (error instanceof StatementError)
    throw new Refusal(error.code === 'ExecutionError' ? 422 : 404, error.message);
  throw error;
}

/** Time limit of a profile, in ms. */
const PROFILE_TIMEOUT_MS = 60_000;

/** REST handlers for platform objects. */
export const objectsRest = {
  async getObject({ params, person }, { magpie }) {
    const { widget = '', name = '' } = params;
    if (widget === 'job-run') {
      const run = await magpie.jobRun(name, person.principal).catch(refused);
      if (!run) throw new Refusal(404, `There is no run ${name}.`);
      return { widget, version: ENVELOPE_VERSION, data: { ...run } };
    }
    const statement = Object.hasOwn(statements, widget)
      ? statements[widget as WidgetId]!
      : undefined;
    if (!statement) throw new Refusal(404, `The widget ${widget} does not show an object.`);
    const pages: string[] = [];
    const output: RunOutput = {
      write: () => {},
      add: (type, data) => void (type === 'HTML' && pages.push(data)),
      replace: (data) => void pages.splice(-1, 1, data),
      whole: () => {},
      storing: () => {},
      clear: () => void (pages.length = 0),
    };
    try {
      await magpie.runScript(
        person.principal,
        statement(name),
        output,
        AbortSignal.timeout(PROFILE_TIMEOUT_MS),
      );
    } catch (error) {
      if (error instanceof StatementError) refused(error);
      if ((error as Error).name === 'TimeoutError')
        throw new Refusal(
          503,
          'The statement was stopped because it took longer than ' +
            `${PROFILE_TIMEOUT_MS / 1000} seconds.`,
        );
      throw error;
    }
    const found = pages
      .map((page) => envelopeOf(page))
      .find((envelope) => envelope?.widget === widget);
    if (!found) throw new Refusal(404, `There is no data for the widget ${widget}.`);
    return {
      widget: found.widget,
      version: found.version,
      data: found.data as Record<string, unknown>,
    };
  },
} satisfies Partial<RestHandlers>;
