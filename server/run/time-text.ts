/** Formats a duration for users: `90 seconds`, `60 minutes`. */
export const timeText = (ms: number): string =>
  ms < 120_000 ? `${ms / 1_000} seconds` : `${Math.round(ms / 60_000)} minutes`;
