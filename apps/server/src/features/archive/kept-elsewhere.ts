/** What is kept beside bodies and answers, and how long; who owns it removes it. */
export const keptElsewhere: readonly { what: string; how_long: string }[] = [
  { what: 'Runs, steps, attempts and documents: states, hashes, references', how_long: 'for ever' },
  { what: 'Audit trail', how_long: 'for ever' },
  { what: 'Versions of workflows', how_long: 'for ever' },
  { what: 'Files of the archive', how_long: 'until you remove them' },
  { what: 'Deliveries, firings of schedules, alarms', how_long: 'as their own pages say' },
  { what: 'Logs', how_long: '30 days' },
  { what: 'Traffic figures by the minute', how_long: '2 days' },
  { what: 'Traffic figures by the hour', how_long: '5 weeks' },
]
