import { serveTasks } from '../../../runtime/worker-tasks.ts';
import { forceTasks } from './forces.ts';

serveTasks(forceTasks);
