/** A day in the reader's time zone, `2026-01-31`; blank for anything else. */
export function readDay(text: string | null): string {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : ''
}

/** Whole days of the reader's time zone as UTC moments; blank ones are left out. */
export function toMoments(from: string, to: string): { from?: string; to?: string } {
  return {
    ...(from === '' ? {} : { from: new Date(`${from}T00:00:00`).toISOString() }),
    ...(to === '' ? {} : { to: new Date(`${to}T23:59:59.999`).toISOString() }),
  }
}
