/** Validators of validation suites. */
import { defineValidator } from '../../catalogue/definitions.ts';
import { changeItem } from '../../catalogue/edits.ts';
import { definitionOf, type Item, isSameName } from '../../catalogue/state.ts';
import type { ValidatorDefinition } from '../../catalogue/validator-definitions.ts';
import { MetadataError, wrongName } from '../../contract.ts';
import type { Body } from '../../language/statements.ts';
import type { StatementContext } from '../context.ts';
import { unknownMembersNote } from '../notes.ts';
import { recordChange } from '../resolve-and-record.ts';

export const validatorsOf = (suite: Item): readonly ValidatorDefinition[] =>
  definitionOf(suite, 'validation suite').validators ?? [];

/** Names of the validators that a validator combines. */
export const combinedBy = (validator: ValidatorDefinition): readonly string[] =>
  'validators' in validator ? validator.validators : [];

export async function addValidator(
  context: StatementContext,
  suite: Item,
  body: Body,
): Promise<void> {
  const { value, ignored } = defineValidator(body);
  const before = validatorsOf(suite);
  if (before.some(({ name }) => isSameName(name, value.name)))
    throw new MetadataError(`Suite ${suite.name} already has a validator ${value.name}.`, {
      member: ['name'],
    });
  for (const named of combinedBy(value)) {
    if (!before.some(({ name }) => isSameName(name, named)))
      throw new MetadataError(
        `Validator ${value.name} refers to ${named}, which is not in the suite. ` +
          'Add that validator first.',
        wrongName('validators', named),
      );
  }
  await context.catalogue.change((state) =>
    changeItem(state, suite.id, {
      definition: { ...suite.definition, validators: [...before, value] },
    }),
  );
  recordChange(context, suite, 'Alter', `add validator ${value.name}`);
  context.emit.line(
    `Added validator ${value.name} to validation suite ${suite.name}.` +
      unknownMembersNote(ignored),
  );
}
