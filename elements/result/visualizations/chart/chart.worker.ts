import { serveTasks } from '../../../runtime/worker-tasks.ts';
import { chartTasks } from './chart-tasks.ts';

serveTasks(chartTasks);
