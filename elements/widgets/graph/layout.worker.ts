import { serveTasks } from '../../runtime/workers/worker-tasks.ts';
import { elkTasks } from './elk.ts';

// Register after the library, which takes over the worker's messages when it loads.
serveTasks(elkTasks);
