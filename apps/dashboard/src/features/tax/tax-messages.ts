/** The spec's texts (spec: screens, messages), and the sentences that are ours. */
export const taxMessages = {
  notSent: 'Failed to send request.',
  choicesNotLoaded: 'Failed to fetch endpoints.',
  nothingSent: 'Nothing was sent.',
  replayed: 'This had been sent before: nothing was sent again.',
  searching: 'The answer was lost. Looking up what became of it…',
  keyReused: 'This form had been sent already, as it was before. Look at that run first.',
  lost: 'Your last request did not reach the server',
  lostAdvice: 'No run has begun with it, so nothing was sent anywhere. Send Request tries again.',
  held: 'The request above is not settled: it is not known yet whether it was received.',
} as const

/** What an invoice step may look like; shown while a body of a credit is blank. */
export const creditBodySample = '{"invoice_id": "INV-2026-000123"}'
