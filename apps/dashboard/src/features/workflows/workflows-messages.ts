import type { WorkflowKind, WorkflowStatus } from '@gatehouse/contract'

export const workflowsMessages = {
  created: { text: 'Workflow created successfully!' },
  updated: { text: 'Workflow saved as a new version!' },
  notSaved: { text: 'Failed to save the workflow.' },
  notLoaded: 'The workflow could not be loaded.',
  versionsNotLoaded: 'The versions could not be loaded.',
  restored: 'Version brought back.',
} as const

export const hookMessages = {
  saved: { text: 'The webhook is saved.' },
  notSaved: { text: 'The webhook was not saved.' },
  listNotLoaded: 'The webhooks could not be loaded.',
} as const

export const callbackMessages = {
  saved: { text: 'The callback is saved.' },
  notSaved: { text: 'The callback was not saved.' },
} as const

export const workflowKindWords: Record<WorkflowKind, string> = {
  tax: 'Tax',
  credit: 'Credit',
  general: 'General',
}

export const workflowStatusWords: Record<WorkflowStatus, string> = {
  active: 'Active',
  paused: 'Paused',
}
