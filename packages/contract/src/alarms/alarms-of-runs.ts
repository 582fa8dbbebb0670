import type { AlarmKindFacts } from './alarm-kind-types.ts'

const runs = ['workflow', 'lane', 'api'] as const
const lanes = ['workflow', 'lane'] as const

/** Alarms about runs, and about the lanes that carry them out. */
export const alarmsOfRuns = {
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
  contradicted: {
    title: 'Verdict contradicted',
    several: 'runs that the authority has after all',
    means:
      'A person said that it was not received. The authority says otherwise: the document may be there twice.',
    next: 'Read in the run what the authority says. Do not send the document again; if it was, cancel one of the two at the authority. Then acknowledge the alarm.',
    limits: {},
    scopes: runs,
    when: 'at once',
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
} as const satisfies Record<string, AlarmKindFacts>
