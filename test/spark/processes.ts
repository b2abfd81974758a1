/** An external Spark master and worker. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';

const HOST = '127.0.0.1';

/** A started program that can be killed with its child processes. */
export interface Started {
  kill(): Promise<void>;
}

/** Polls until `check` returns a value; only the time limit of the test ends it. */
export async function until<T>(check: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const value = await check();
    if (value !== undefined && value !== false) return value;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** An external Spark. */
export interface Spark {
  /** Address for drivers. */
  readonly url: string;
  /** Address of the master's web page. */
  readonly page: string;
  readonly master: Started;
  readonly worker: Started;
  /** Starts another worker with 1 core and 1 GiB; resolves once it is registered. */
  addWorker(): Promise<Started>;
}

/** Starts a master and one worker with 1 core and 1 GiB; resolves once the worker is registered. */
export async function startSpark(home: string, folder: string): Promise<Spark> {
  const [port, pagePort] = [await freePort(), await freePort()];
  const url = `spark://${HOST}:${port}`;
  const page = `http://${HOST}:${pagePort}`;
  mkdirSync(folder, { recursive: true });
  const start = (args: readonly string[]): Started => {
    const child: ChildProcess = spawn(join(home, 'bin/spark-class'), args, {
      cwd: folder,
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, SPARK_HOME: home, SPARK_LOCAL_IP: HOST, SPARK_DAEMON_MEMORY: '512m' },
    });
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    return {
      async kill() {
        if (child.exitCode === null && child.signalCode === null)
          process.kill(-child.pid!, 'SIGKILL');
        await ended;
      },
    };
  };
  const master = start([
    'org.apache.spark.deploy.master.Master',
    '--host',
    HOST,
    '--port',
    String(port),
    '--webui-port',
    String(pagePort),
  ]);
  const pageOf = async () =>
    fetch(`${page}/json/`).then(
      (answer) => answer.json() as Promise<{ aliveworkers: number }>,
      () => undefined,
    );
  await until(pageOf);
  let registered = 0;
  const addWorker = async (): Promise<Started> => {
    const worker = start([
      'org.apache.spark.deploy.worker.Worker',
      '--host',
      HOST,
      '--webui-port',
      '0',
      '--cores',
      '1',
      '--memory',
      '1g',
      '--work-dir',
      join(folder, 'work'),
      url,
    ]);
    registered += 1;
    await until(async () => (await pageOf())?.aliveworkers === registered);
    return worker;
  };
  return { url, page, master, worker: await addWorker(), addWorker };
}
