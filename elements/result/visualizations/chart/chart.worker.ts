import { serveTasks } from '../../../runtime/workers/worker-tasks.ts';
import { chartTasks } from './chart-tasks.ts';

serveTasks(chartTasks);
