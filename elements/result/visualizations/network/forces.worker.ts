import { serveTasks } from '../../../runtime/workers/worker-tasks.ts';
import { forceTasks } from './forces.ts';

serveTasks(forceTasks);
