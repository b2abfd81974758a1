/**
 * `alter … add` and `alter … remove`: tasks, schedules and subscriptions of jobs, fields of tables,
 * validators of suites.
 */
import { quoteName } from '../../../interpreters/sql/script.ts';
import { define } from '../../catalogue/definitions.ts';
import { changeItem, dropItem } from '../../catalogue/edits.ts';
import { type Item, isSameName } from '../../catalogue/state.ts';
import { MetadataError, wrongName } from '../../contract.ts';
import type { Addition, Target } from '../../language/statements.ts';
import type { RunStatement, StatementContext } from '../context.ts';
import { checkSchedule, subscriptionWarnings } from '../jobs/schedules.ts';
import { addTask } from '../jobs/tasks.ts';
import { recordChange, resolveTarget } from '../resolve-and-record.ts';
import { addField, requireStored } from '../tables/fields.ts';
import { inOneTransaction } from '../tables/make-table.ts';
import { readTableFields, tableOfItem } from '../tables/tables.ts';
import { addPart } from './add-part.ts';
import { addValidator, combinedBy, validatorsOf } from './validators.ts';

const holders: Readonly<Record<Addition['what'], readonly Target['type'][]>> = {
  task: ['job'],
  schedule: ['job', 'cluster'],
  subscription: ['job', 'cluster'],
  field: ['table'],
  validator: ['validation suite'],
};

function holderOfPart(context: StatementContext, target: Target, what: Addition['what']): Item {
  if (!holders[what].includes(target.type))
    throw new MetadataError(
      `A ${target.type} cannot have ${what}s; a ${holders[what].join(' or ')} can.`,
    );
  return resolveTarget(context, target, 'Write');
}

export const alterAdd: RunStatement<'alterAdd'> = async (context, { target, addition }) => {
  const holder = holderOfPart(context, target, addition.what);
  if (addition.what === 'field') return addField(context, holder, addition.body);
  if (addition.what === 'validator') return addValidator(context, holder, addition.body);
  // The new part would be created in the name of the user who runs the job, not of the script's
  // author.
  if (context.who.both && (addition.what === 'task' || addition.what === 'schedule'))
    throw new MetadataError(
      `A task by ${context.run.scriptBy!} cannot add ${addition.what}s in a run of ` +
        `${context.who.userName}.`,
    );
  if (addition.what === 'task') return addTask(context, holder, addition);
  if (addition.what === 'schedule') {
    const { value, ignored } = define('schedule', addition.body);
    const { name, userName = context.who.userName, ...definition } = value;
    await checkSchedule(context, holder, value);
    return addPart(context, holder, 'schedule', name, { ...definition, userName }, ignored);
  }
  const { value, ignored } = define('subscription', addition.body);
  const { name, ...definition } = value;
  const words = await subscriptionWarnings(context, holder, definition);
  await addPart(context, holder, 'subscription', name, definition, ignored, words);
};

export const alterRemove: RunStatement<'alterRemove'> = async (context, { target, what, name }) => {
  const holder = holderOfPart(context, target, what);
  const { catalogue, engine, emit } = context;
  const missing = () =>
    new MetadataError(
      `There is no ${what} ${name} in ${holder.type} ${catalogue.nameOf(holder)}.`,
      wrongName(what, name),
    );
  if (what === 'field') {
    requireStored(context, holder);
    const { from } = tableOfItem(context, holder);
    const fields = await readTableFields(engine, { from, item: holder });
    const found = fields.find((field) => isSameName(field.name, name));
    if (!found) throw missing();
    if (fields.length === 1)
      throw new MetadataError('The last field of a table cannot be removed.');
    await inOneTransaction(
      context,
      () => engine.query(`ALTER TABLE ${from} DROP COLUMN ${quoteName(found.name)}`),
      (state) =>
        changeItem(state, holder.id, {
          definition: { ...holder.definition, fields: fields.filter((field) => field !== found) },
        }),
    );
  } else if (what === 'validator') {
    const before = validatorsOf(holder);
    const found = before.find((validator) => isSameName(validator.name, name));
    if (!found) throw missing();
    const user = before.find((validator) =>
      combinedBy(validator).some((named) => isSameName(named, name)),
    );
    if (user)
      throw new MetadataError(
        `Validator ${user.name} refers to ${found.name}. Remove ${user.name} first.`,
      );
    await catalogue.change((state) =>
      changeItem(state, holder.id, {
        definition: {
          ...holder.definition,
          validators: before.filter((validator) => validator !== found),
        },
      }),
    );
  } else {
    const found = catalogue.child(holder.id, what, name);
    if (!found) throw missing();
    const next =
      what === 'task'
        ? catalogue
            .children(holder.id, 'task')
            .find(({ definition }) =>
              isSameName(String(definition['predecessorName'] ?? ''), found.name),
            )
        : undefined;
    if (next)
      throw new MetadataError(
        `Task ${next.name} follows ${found.name}. Remove ${next.name} first.`,
      );
    await catalogue.change((state) => dropItem(state, found.id));
  }
  recordChange(context, holder, 'Alter', `remove ${what} ${name}`);
  emit.line(`Removed ${what} ${name} from ${holder.type} ${catalogue.nameOf(holder)}.`);
};
