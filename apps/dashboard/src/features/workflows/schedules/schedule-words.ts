import type { FiringState, ScheduleFiring, ScheduleRecord } from '@gatehouse/contract'
import { paths } from '../../../entities/paths.ts'

export const firingStateWords: Record<FiringState, string> = {
  running: 'Running',
  done: 'Done',
  skipped: 'Skipped',
  missed: 'Missed',
  refused: 'Refused',
  failed: 'Failed',
}

export const firingStateColors: Record<FiringState, string> = {
  running: 'blue',
  done: 'green',
  skipped: 'gray',
  missed: 'orange',
  refused: 'red',
  failed: 'red',
}

export const schedulesMessages = {
  created: { text: 'Schedule created successfully!' },
  updated: { text: 'Schedule saved.' },
  notSaved: { text: 'Failed to save the schedule.' },
  notLoaded: 'The schedule could not be loaded.',
  listNotLoaded: 'The schedules could not be loaded.',
} as const

const countedWords = {
  started: 'started',
  known: 'known',
  old: 'older',
  refused: 'not taken',
} as const

/** What a firing did, in a few words. */
export function firingWords(firing: ScheduleFiring): string {
  const { found, state } = firing
  const parts = (['started', 'known', 'old', 'refused'] as const).flatMap((what) =>
    firing[what] > 0 ? [`${firing[what].toLocaleString('en')} ${countedWords[what]}`] : [],
  )
  if (parts.length > 0) return parts.join(', ')
  return found === 0 && state === 'done' ? 'Nothing new' : '–'
}

/** The workflow that a schedule belongs to, for the breadcrumb. */
export const workflowCrumb = ({ workflow }: ScheduleRecord) => ({
  name: workflow.name,
  to: paths.workflow(workflow.id),
})
