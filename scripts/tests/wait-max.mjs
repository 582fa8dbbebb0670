/**
 * How long a test waits for an event, whatever it waits with. It ends when the event comes: how long that takes says
 * nothing on a busy machine.
 */
export const waitMaxMs = 120_000
