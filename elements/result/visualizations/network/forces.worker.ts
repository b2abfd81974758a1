import { serveTasks } from '../../../runtime/background.ts';
import { forceTasks } from './forces.ts';

serveTasks(forceTasks);
