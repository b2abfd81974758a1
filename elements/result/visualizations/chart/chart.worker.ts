import { serveTasks } from '../../../runtime/background.ts';
import { tasks } from './tasks.ts';

serveTasks(tasks);
