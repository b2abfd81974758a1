/**
 * `@tiding/elements/angular`: a directive for each element, from its spec. Angular then checks the
 * properties in templates. The directives are written as Angular compiles those of libraries, so
 * that they need no compiler of Angular here.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { typeOfProperty } from './element-types.mjs';
import { classNameOf } from './tag-entries.mjs';

/** The oldest Angular that reads these declarations, and the one whose form they have. */
const FORM = "minVersion: '14.0.0', version: '20.0.0', ngImport: i0";

/** `tiding-job-graph` → `TidingJobGraph`, the name of its directive. */
const directiveNameOf = (tag) => classNameOf(tag).replace(/Element$/, '');
const fileOf = (tag) => tag.replace(/^tiding-/, '');

/** Attributes in a template are also inputs, as texts. The element reads those that it has. */
const passOn = (name, { kind }) =>
  kind === 'string' || kind === 'object'
    ? `this.element.${name} = value;`
    : `if (typeof value !== 'string') this.element.${name} = value;`;

const BASE = `import { ElementRef, inject } from '@angular/core';

export class ElementDirective {
  element = inject(ElementRef).nativeElement;
}
`;

function directive({ tag }, inputs) {
  const name = directiveNameOf(tag);
  return `import * as i0 from '@angular/core';
import '../tags/${fileOf(tag)}.js';
import { ElementDirective } from './directive.js';

export class ${name} extends ElementDirective {
${inputs
  .map(([input, spec]) => `  set ${input}(value) {\n    ${passOn(input, spec)}\n  }`)
  .join('\n')}
  static ɵfac = i0.ɵɵngDeclareFactory({
    ${FORM},
    type: ${name}, deps: [], target: i0.ɵɵFactoryTarget.Directive,
  });
  static ɵdir = i0.ɵɵngDeclareDirective({
    ${FORM},
    type: ${name}, isStandalone: true, selector: '${tag}', usesInheritance: true,
    inputs: { ${inputs.map(([input]) => `${input}: '${input}'`).join(', ')} },
  });
}
`;
}

const inputMap = (inputs) =>
  inputs.map(([name]) => `    '${name}': { 'alias': '${name}'; 'required': false };`).join('\n');

const declaration = ({ tag, doc }, inputs) => {
  const name = directiveNameOf(tag);
  return `/** ${doc.replaceAll('*/', '*\\/')} */
export declare class ${name} {
${inputs
  .flatMap(([input, spec]) => [
    `  /** ${spec.doc.replaceAll('*/', '*\\/')} */`,
    `  ${input}: ${typeOfProperty(spec)};`,
    // An attribute without a value.
    ...(spec.kind === 'boolean' ? [`  static ngAcceptInputType_${input}: boolean | '';`] : []),
  ])
  .join('\n')}
  static ɵfac: i0.ɵɵFactoryDeclaration<${name}, never>;
  static ɵdir: i0.ɵɵDirectiveDeclaration<${name}, '${tag}', never, {
${inputMap(inputs)}
  }, {}, never, never, true, never>;
}`;
};

const HEAD = `import * as i0 from '@angular/core';
import type { Client } from '@tiding/client';
import type { WidgetId } from '@tiding/client/widgets';
import type { FilterOption, NavigationPage, TokenSource, WidgetInput } from '@tiding/elements';
`;

/** Writes the directives and their declarations beside the built elements. */
export function writeAngularDirectives(dist, elements, commonProperties) {
  const folder = join(dist, 'angular');
  mkdirSync(folder, { recursive: true });
  const inputsOf = ({ properties }) => Object.entries({ ...commonProperties, ...properties });
  writeFileSync(join(folder, 'directive.js'), BASE);
  for (const spec of elements)
    writeFileSync(join(folder, `${fileOf(spec.tag)}.js`), directive(spec, inputsOf(spec)));
  const exported = elements.map(
    ({ tag }) => `export { ${directiveNameOf(tag)} } from './angular/${fileOf(tag)}.js';`,
  );
  writeFileSync(join(dist, 'angular.js'), `${exported.join('\n')}\n`);
  const declared = elements.map((spec) => declaration(spec, inputsOf(spec)));
  writeFileSync(
    join(dist, 'angular.d.ts'),
    `${HEAD}export type * from './types/elements.js';\n\n${declared.join('\n\n')}\n`,
  );
}
