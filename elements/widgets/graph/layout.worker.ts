import { serveTasks } from '../../runtime/background.ts';
import { elkTasks } from './elk.ts';

// After the library, which takes the worker's messages for itself when it loads.
serveTasks(elkTasks);
