import type {
  Outcome,
  RunKind,
  RunState,
  RunWork,
  RunSummary,
  StepState,
} from '@gatehouse/contract'

/** The texts of badges. */
export const runStateWords: Record<RunState, string> = {
  running: 'Going on',
  succeeded: 'Succeeded',
  not_started: 'Not started',
  stopped: 'Stopped part-way',
  rejected: 'Rejected',
  blocked: 'Blocked',
  unknown: 'Outcome unknown',
  queued: 'Queued',
  pending: 'Taken, not decided',
  partial: 'Partly accepted',
  cancelled: 'Cancelled',
  waits_for_release: 'Waits for release',
}

/** A dry run that succeeded has sent nothing. */
export const runStateText = (state: RunState, isDryRun = false): string =>
  isDryRun && state === 'succeeded' ? 'Checked, not sent' : runStateWords[state]

export const workWords: Record<RunWork, string> = {
  open: 'Open work',
  unclear: 'Neither accepted nor refused',
  overtaken: 'Overtaken by another',
  closed: 'Closed by a person',
}

export const stepStateWords: Record<StepState, string> = {
  waiting: 'Not started',
  sending: 'Sending…',
  succeeded: 'Succeeded',
  rejected: 'Rejected',
  blocked: 'Blocked',
  unknown: 'Outcome unknown',
  would_send: 'Would be sent',
  skipped: 'Skipped',
  pending: 'Taken, not decided',
  partial: 'Partly accepted',
}

/** No other state is yellow: unknown has to stand out. */
export const stateColors: Record<RunState | StepState, string> = {
  running: 'blue',
  sending: 'blue',
  succeeded: 'green',
  not_started: 'gray',
  waiting: 'gray',
  would_send: 'gray',
  stopped: 'orange',
  blocked: 'orange',
  rejected: 'red',
  unknown: 'yellow',
  queued: 'gray',
  pending: 'cyan',
  partial: 'orange',
  skipped: 'gray',
  cancelled: 'gray',
  waits_for_release: 'grape',
}

export const unknownSentence = 'Sent, but it is not known whether it was received'

/** The outcome of one attempt. */
export const outcomeWords: Record<Outcome, string> = {
  ok: 'Succeeded',
  ok_duplicate: 'Succeeded: the endpoint has had it since an earlier attempt',
  duplicate: 'The endpoint says that it has this already, from another sender',
  rejected: 'Rejected',
  auth: 'The credentials were not accepted',
  throttled: 'The endpoint asks to wait',
  not_sent: 'Nothing was sent: no connection',
  cut: 'The connection broke before the whole answer was there',
  timeout: 'No answer in time',
  server_error: 'The endpoint failed',
  crash: 'Gatehouse stopped while this was under way',
  pending: 'The endpoint has taken it and decides later',
  partial: 'Some of its documents were accepted, others rejected',
}

/** The state of a run, in one sentence. */
export function runSentence(state: RunState, isDryRun: boolean): string {
  switch (state) {
    case 'running':
      return 'It is going on.'
    case 'succeeded':
      return isDryRun
        ? 'A dry run: what changes something was checked, but not sent.'
        : 'Every step succeeded.'
    case 'not_started':
      return 'Nothing of it has been accepted. It can be resumed.'
    case 'stopped':
      return 'Earlier steps succeeded; the rest has not been accepted. It can be resumed.'
    case 'rejected':
      return 'The endpoint rejected it. Corrected data is sent as a new run.'
    case 'blocked':
      return 'It cannot continue until a user has acted.'
    case 'queued':
      return 'It waits in its lane.'
    case 'pending':
      return 'The authority has taken it and has not decided yet. It is asked automatically.'
    case 'partial':
      return 'Some of its documents were accepted. The rejected ones can be corrected and sent again.'
    case 'waits_for_release':
      return 'Nothing of it was sent. It is sent once a person releases it.'
    case 'cancelled':
      return 'It was cancelled. Nothing of it was sent.'
    case 'unknown':
    default:
      return `${unknownSentence}. Say what became of it before anything is sent again.`
  }
}

/** The title of the toast after a run that succeeded. A dry run sends nothing. */
export function successTitle({ is_dry_run, steps }: RunSummary): string {
  if (!is_dry_run) return 'Request sent successfully!'
  // The test base URL may have been taken away between two steps.
  const hasSent = steps.some(({ state, method }) => state === 'succeeded' && method !== 'GET')
  return hasSent ? 'Not all of it was sent' : 'Nothing was sent'
}

export const kindWords: Record<RunKind, string> = {
  build: 'Build Request',
  tax: 'Tax',
  credit: 'Credit',
  general: 'Workflow',
  call: 'Call of an agent',
}
