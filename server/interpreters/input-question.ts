/** A question of running code to a user. */
export interface InputQuestion {
  /** May be empty. */
  readonly prompt: string;
  /** Whether the answer must not be shown. */
  readonly password: boolean;
}
