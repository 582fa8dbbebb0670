/** A part of the server that runs in a process of its own. */
export type PartName = 'control' | 'gateway'

/** That a part has ended although it was not asked to. */
export interface PartEnd {
  part: PartName
  /** ISO 8601. */
  at: string
  /** Why: its exit code, a signal, or that it was stuck. */
  reason: string
}

/** Sent first. The port of the gateway comes along, where an earlier process of this part has bound it. */
export interface StartMessage {
  type: 'start'
  /** Where the control plane listened before it ended; null: it says itself. */
  port: number | null
  /** The last ones, of all parts. */
  ends: readonly PartEnd[]
  /** So many of them no control plane has logged. */
  unlogged: number
}

export type ToPart =
  | StartMessage
  | { type: 'ping' }
  /** A further part has ended. */
  | { type: 'end'; end: PartEnd }
  /** SIGHUP has arrived. */
  | { type: 'hang-up' }
  /** Finish what is in flight, and end; `isUrgent`: without serving on before. */
  | { type: 'stop'; isUrgent: boolean }

/** It does its work: from now on it is expected to answer pings. */
export interface UpMessage {
  type: 'up'
  watchdogMs: number
  /** Where the control plane listens. */
  port?: number
  /** It carries traffic already. */
  isServing?: boolean
}

export type FromPart =
  | UpMessage
  | { type: 'pong' }
  /** The port of the gateway comes along: its next process gets it. */
  | { type: 'hold' }
  /** Another server has taken its identity: everything has to stop. */
  | { type: 'lost' }

/** The exit code of a part that must not start: it has said why. */
export const refusedCode = 78

/** The descriptor of what leads to the other part. */
export const linkDescriptor = 4
