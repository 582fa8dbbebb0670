// What alarms can be about, as plain data for server and dashboard (docs/alarms.md).

/** What a rule is measured by, with its unit. */
export const alarmLimits = {
  minutes: { label: 'minutes', min: 0, max: 43_200 },
  hours: { label: 'hours', min: 1, max: 1000 },
  days: { label: 'days', min: 1, max: 365 },
  runs: { label: 'runs', min: 1, max: 1_000_000 },
  percent: { label: 'percent', min: 1, max: 100 },
  requests: { label: 'least requests', min: 1, max: 1_000_000 },
} as const
export type AlarmLimit = keyof typeof alarmLimits

/** What a rule can be narrowed to. */
export const alarmScopes = ['workflow', 'lane', 'api'] as const
export type AlarmScope = (typeof alarmScopes)[number]

interface AlarmKindFacts {
  title: string
  /** Several of them: `37 documents with an unknown outcome`. */
  several: string
  /** What it means, and what to do. */
  means: string
  next: string
  /** Its limits with their defaults. Null: as the window of the authority says (`authority-windows.ts`). */
  limits: Partial<Record<AlarmLimit, number | null>>
  scopes: readonly AlarmScope[]
  /** What the limits say: `{minutes}` is replaced. */
  when: string
  /** False: the rule that every installation begins with is off. */
  isOn: boolean
}

const runs = ['workflow', 'lane', 'api'] as const
const lanes = ['workflow', 'lane'] as const

export const alarmKindFacts = {
  unknown: {
    title: 'Outcome unknown',
    several: 'runs with an unknown outcome',
    means: 'The document was sent, and no clear answer came. The authority may have accepted it.',
    next: 'Ask the authority, or look there, and resolve the run. Do not send the document again before.',
    limits: { minutes: null },
    scopes: runs,
    when: 'for {minutes} minutes',
    isOn: true,
  },
  pending: {
    title: 'Decision pending',
    several: 'runs that wait for a decision',
    means: 'The authority has taken the document and has not decided yet.',
    next: 'Look at the run: it shows what the authority answered last. Ask the authority if it is stuck.',
    limits: { minutes: null },
    scopes: runs,
    when: 'for {minutes} minutes',
    isOn: true,
  },
  lane_outage: {
    title: 'Lane in an outage',
    several: 'lanes in an outage',
    means: 'The authority of this lane does not answer. What is queued waits and is not lost.',
    next: 'Look at the lane and at the status page of the authority. The lane goes on when it answers.',
    limits: { minutes: 15 },
    scopes: lanes,
    when: 'for {minutes} minutes',
    isOn: true,
  },
  lane_depth: {
    title: 'Lane too full',
    several: 'lanes that are too full',
    means: 'More runs wait in this lane than the rule allows.',
    next: 'Look at the lane: it says what it waits for. Raise its limits if the authority allows it.',
    limits: { runs: 10_000 },
    scopes: lanes,
    when: 'more than {runs} runs',
    isOn: true,
  },
  deadline: {
    title: 'Deadline near',
    several: 'runs near their deadline',
    means:
      'The run has not been sent, and its deadline is near. It is not sent after the deadline.',
    next: 'Look at the lane: resume it, or raise its limits. Send the document by other means if need be.',
    limits: { minutes: 60 },
    scopes: lanes,
    when: '{minutes} minutes before the deadline',
    isOn: true,
  },
  rejected: {
    title: 'Document rejected',
    several: 'rejected runs',
    means: 'The authority has refused the document, or a part of it.',
    next: 'Read its reason in the run, correct the document and send it again, or close the run.',
    limits: {},
    scopes: runs,
    when: 'at once',
    isOn: true,
  },
  sign_in: {
    title: 'Sign-in refused',
    several: 'refused sign-ins',
    means: 'The authority refuses the sign-in. No run of this API can be sent.',
    next: 'Check the credential of the API, test the sign-in, then resume the lane.',
    limits: {},
    scopes: ['lane', 'api'],
    when: 'at once',
    isOn: true,
  },
  expiry: {
    title: 'Certificate or token expires',
    several: 'certificates or tokens that expire',
    means: 'It is not valid after that moment, and calls with it are refused.',
    next: 'Get a new one and enter it in the form of the API, or replace the files of the gateway.',
    limits: { days: 30 },
    scopes: ['api'],
    when: '{days}, 7 and 1 days before',
    isOn: true,
  },
  schedule: {
    title: 'Schedule did not work',
    several: 'schedules that did not work',
    means: 'A schedule did not fire when it was due, or what it did has failed.',
    next: 'Look at its firings: the last one says why. Start it by hand once the cause is gone.',
    limits: { minutes: 10 },
    scopes: ['workflow'],
    when: 'at once where it fails, {minutes} minutes after it was due',
    isOn: true,
  },
  silence: {
    title: 'No accepted run',
    several: 'workflows without an accepted run',
    means: 'No run of this workflow was accepted for longer than usual.',
    next: 'Check whether its caller still sends, whether the workflow is active, and what its last runs say.',
    limits: { hours: 8 },
    scopes: ['workflow'],
    when: 'for {hours} working hours',
    isOn: false,
  },
  error_rate: {
    title: 'Many errors at the gateway',
    several: 'APIs with many errors',
    means: 'More requests than usual were answered with an error (5xx), or cut off.',
    next: 'Look at the traffic figures and the log of the gateway, then at the upstream.',
    limits: { percent: 20, minutes: 5, requests: 50 },
    scopes: ['api'],
    when: 'more than {percent} % in {minutes} minutes, of {requests} requests at least',
    isOn: true,
  },
  drift: {
    title: 'Procedure changed',
    several: 'procedures that have changed',
    means: 'The stored procedure has another shape than its contract says.',
    next: 'Compare them in the form of the API, then accept the change or have it undone.',
    limits: {},
    scopes: ['api'],
    when: 'at once',
    isOn: true,
  },
  disk: {
    title: 'Disk nearly full',
    several: 'disks that are nearly full',
    means: 'When the disk is full, nothing can be stored, and so nothing is sent.',
    next: 'Make room, or move the data to a larger disk.',
    limits: { percent: 10 },
    scopes: [],
    when: 'less than {percent} % free',
    isOn: true,
  },
  backup: {
    title: 'Backup too old',
    several: 'backups that are too old',
    means: 'The newest file in the folder of the backups is older than the rule allows.',
    next: 'Look at what makes the backups, and at the folder (BACKUP_DIR).',
    limits: { hours: 26 },
    scopes: [],
    when: 'older than {hours} hours',
    isOn: false,
  },
  dead_letter: {
    title: 'Deliveries given up',
    several: 'receivers that got not everything',
    means: 'A receiver did not take what it should get for 24 hours, or said that it never will.',
    next: 'Ask the people who run the receiver, then send the dead deliveries again.',
    limits: {},
    scopes: [],
    when: 'at once',
    isOn: true,
  },
  check: {
    title: 'Alarms not checked',
    several: 'gaps in the checks',
    means: 'For a time, or for one rule, an alarm would not have been raised.',
    next: 'Look at what happened in that time. If a rule can’t be checked, the log says why.',
    limits: { minutes: 5 },
    scopes: [],
    when: 'no check for {minutes} minutes, or a rule fails',
    isOn: true,
  },
} as const satisfies Record<string, AlarmKindFacts>

export type AlarmKind = keyof typeof alarmKindFacts
export const alarmKinds = Object.keys(alarmKindFacts) as [AlarmKind, ...AlarmKind[]]

/** The facts of a kind, with types that fit every kind. */
export const factsOfAlarm = (kind: AlarmKind): AlarmKindFacts => alarmKindFacts[kind]
