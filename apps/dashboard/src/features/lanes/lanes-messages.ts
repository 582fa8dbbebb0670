import type { LaneState } from '@gatehouse/contract'

export const lanesMessages = {
  notLoaded: 'The lanes could not be loaded.',
  paused: 'Lane paused.',
  resumed: 'Lane resumed.',
  draining: 'Lane takes no new runs.',
} as const

export const laneStateWords: Record<LaneState, string> = {
  idle: 'Idle',
  working: 'Working',
  waiting: 'Waiting',
  outage: 'Outage',
  paused: 'Paused',
  draining: 'Draining',
}

export const laneStateColors: Record<LaneState, string> = {
  idle: 'gray',
  working: 'blue',
  waiting: 'cyan',
  outage: 'red',
  paused: 'orange',
  draining: 'grape',
}

/** The state of a lane, in one sentence. */
export const laneSentences: Record<LaneState, string> = {
  idle: 'Nothing is queued.',
  working: 'Runs are carried out.',
  waiting: 'Runs wait for their turn.',
  outage: 'The authority does not answer. One run at a time is let through to try.',
  paused: 'No run is started. Runs that are under way end.',
  draining: 'No new run is taken. What is queued is carried out.',
}
