/** What the instances of a server depend on. */

import type { DataFiles } from '../../files/data-files.ts';
import type { CommandLanguage, SparkMaster } from '../../interpreters/contract.ts';
import type { Logger } from '../../logging/log.ts';
import type { RunCredentialsOptions } from '../run-credentials.ts';
import type { Notify } from './ended-instances.ts';
import type { ProcessLimits } from './process-limits.ts';

/** Dependencies of `InterpreterInstances`. */
export interface InstancesOptions extends RunCredentialsOptions, ProcessLimits {
  data: string;
  files: DataFiles;
  log: Logger;
  /**
   * Spark cluster for a user's own processes; rejects with a user-readable message if it is not
   * running.
   */
  sparkOf(principal: string): Promise<SparkMaster | undefined>;
  /**
   * Whether programs with the server's privileges may run. Checked at each use, because adding a
   * second user changes it.
   */
  shellAllowed(): boolean;
  /** The command language behind `%magpie`. */
  magpie?: CommandLanguage | undefined;
  /** Maximum memory of a process of the SQL engine, in MB. */
  engineMegabytes: number;
  /** Whether a kernel starts ahead of its use; see `SpareKernel`. */
  spareKernel: boolean;
  /** Tells users that an instance has ended and what was lost. */
  notify: Notify;
}
