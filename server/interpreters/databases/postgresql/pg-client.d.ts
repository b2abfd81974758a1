/** Types of the class without the pool of connections, because `@types/pg` has only the whole. */
declare module 'pg/lib/client.js' {
  import { Client } from 'pg';
  export default class PgClient extends Client {
    readonly connection: import('pg').Connection;
    readonly processID: number;
    readonly secretKey: number;
    getTransactionStatus(): string | null;
  }
}
